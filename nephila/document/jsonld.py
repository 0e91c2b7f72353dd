"""JSON-LD scripts -> Python objects. Knows the faults that pages make in JSON; nothing of what the objects mean.

A script that stays broken after the repairs is left out, and the others are kept.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from nephila.document.limits import Limits

_OPENINGS = ("<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "/* <![CDATA[ */", "<![CDATA[")
_CLOSINGS = ("-->", "//]]>", "// ]]>", "/*]]>*/", "/* ]]> */", "]]>", "//", ";")
# Strings are matched whole, so that nothing inside them is taken for a fault. One that is never closed ends with the
# text, as does a comment: else each of its quotes would be tried, which is quadratic.
_STRING = r'("(?:[^"\\]++|\\.)*+"?)'
_TRAILING_COMMA = re.compile(_STRING + r"|,(?=\s*+[}\]])", re.DOTALL)
_COMMENT = re.compile(_STRING + r"|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?", re.DOTALL)
_BAD_ESCAPE = re.compile(r'\\(\\|["/bfnrt]|u[0-9a-fA-F]{4})|\\')
_DECODER = json.JSONDecoder(strict=False)


def read_json_ld(scripts: Iterable[tuple[str, str]], limits: Limits) -> list[Any]:
    """The objects of the JSON-LD among the scripts of a page (type and text of each), in order."""
    found: list[Any] = []
    left = limits.max_metadata_bytes
    for kind, text in scripts:
        if "ld+json" not in kind:
            continue
        left -= len(text)
        if left < 0:
            break
        found.extend(value for value in parse_json(text) if _depth_within(value, limits.max_metadata_depth))
    return found


def parse_json(text: str) -> list[Any]:
    """The values in a text that should be JSON: one as a rule, none when it cannot be repaired."""
    try:
        return [orjson.loads(text)]
    except orjson.JSONDecodeError:
        pass
    for repaired in _repairs(text):
        try:
            values = _all_values(repaired)
        except (ValueError, RecursionError):
            continue
        if values:
            return values
    return []


def _repairs(text: str) -> Iterator[str]:
    """More and more of the usual faults mended. Line breaks inside strings are no fault to the decoder."""
    text = text.strip("\ufeff \t\r\n")
    for opening in _OPENINGS:
        text = text.removeprefix(opening).lstrip()
    for closing in _CLOSINGS:
        text = text.removesuffix(closing).rstrip()
    yield text
    if "&quot;" in text:
        text = html.unescape(text)
        yield text
    text = _TRAILING_COMMA.sub(r"\1", _COMMENT.sub(r"\1", text)).strip()
    yield text
    yield _BAD_ESCAPE.sub(lambda match: match.group() if match.group(1) else "\\\\", text)


def _all_values(text: str) -> list[Any]:
    """The values that follow one another, with or without commas between. Raises ValueError when one is broken."""
    values: list[Any] = []
    position, end = 0, len(text)
    while position < end:
        value, position = _DECODER.raw_decode(text, position)
        values.append(value)
        while position < end and text[position] in " \t\r\n,;":
            position += 1
    return values


def _depth_within(value: Any, most: int) -> bool:
    level = [value]
    for _ in range(most):
        level = [
            child
            for item in level
            if isinstance(item, (dict, list))
            for child in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return True
    return False


def items(values: list[Any]) -> list[dict[str, Any]]:
    """The objects at the top and in each @graph, in order, without those nested in properties."""
    found: list[dict[str, Any]] = []
    waiting = list(reversed(values))
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            found.append(value)
            if isinstance(graph := value.get("@graph"), (list, dict)):
                waiting.append(graph)
    return found


def types(item: dict[str, Any]) -> list[str]:
    """The names of the types, without their vocabulary: `https://schema.org/Article` is `Article`."""
    value = item.get("@type")
    names = value if isinstance(value, list) else [value]
    return [name.rpartition("/")[2].rpartition(":")[2] for name in names if isinstance(name, str)]
