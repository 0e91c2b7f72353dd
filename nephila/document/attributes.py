"""Attributes that must not reach the parser: it compares each with all others of its element, and names with names.

Measured on lexbor: 20,000 attributes of one tag 1.3 s, 100,000 different names on a page 1.4 s and as much again for
each query by attribute, quadratic both; <body> given again and again adds its attributes to the first. Ordinary pages
pay for one quick scan (some 50 us).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nephila.document.limits import Limits
from nephila.document.native import WithoutScripts, without_scripts

_SAMPLED_BYTES = 256 * 1024
"""Larger pages are sampled for the number of different names."""
_STRIDE, _WINDOW = 128 * 1024, 8 * 1024
_MANY_SAMPLED_NAMES = 400
"""A real page has some hundred names in all."""
_ROOTS = frozenset((b"html", b"body"))
_MOST_ROOTS = 8

# A quote begins a value only after an equals sign: an apostrophe elsewhere must not reach into the text.
_WHOLE_TAG = re.compile(rb"<(?:!--|([a-zA-Z][^\s/>]*+)((?:=\s*+\"[^\"]*+\"|=\s*+'[^']*+'|[^>=]++|=)*+)>?)")
_RAW_TEXT = frozenset(b"script style iframe noembed noframes textarea title xmp".split())
_NAME = re.compile(rb"[\s\"'/]([^\s=\"'/>]++)(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>]++))?+")
_ATTRIBUTE = re.compile(rb"[^\s=\"'/>]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>]++))?+")


class FewAttributes(NamedTuple):
    utf8: bytes
    bare: WithoutScripts
    """The same without the insides of scripts."""


def with_few_attributes(utf8: bytes, limits: Limits) -> FewAttributes:
    """The page with the attributes left out that are too many."""
    seen = without_scripts(utf8)
    if not seen.understood or seen.attributes > limits.max_attributes or seen.roots > _MOST_ROOTS:
        # Too many, or not all tags were read (of one page in ten; where there is no library, of all).
        fewer = _drop_attributes(utf8, limits.max_attributes)
        if fewer is not utf8:
            return FewAttributes(fewer, without_scripts(fewer))
    return FewAttributes(utf8, seen)


def with_few_names(utf8: bytes, limits: Limits) -> bytes:
    """The beginning of the page that has no more different names than the parser can bear."""
    if len(utf8) > _SAMPLED_BYTES and _has_many_names(utf8):
        return utf8[: _affordable_names(utf8, limits.max_names)]
    return utf8


def _names(utf8: bytes, start: int, stop: int) -> set[bytes]:
    """The names of the tags and attributes in a part of the page."""
    found: set[bytes] = set()
    for match in _WHOLE_TAG.finditer(utf8, start, stop):
        if match.group(1) is not None:
            found.add(match.group(1))
            found.update(_NAME.findall(match.group(2)))
    return found


def _has_many_names(utf8: bytes) -> bool:
    found: set[bytes] = set()
    for start in range(0, len(utf8), _STRIDE):
        found |= _names(utf8, start, start + _WINDOW)
    return len(found) > _MANY_SAMPLED_NAMES


def _affordable_names(utf8: bytes, most: int) -> int:
    """Where to cut so that there are no more names than `most`."""
    found: set[bytes] = set()
    for start in range(0, len(utf8), _WINDOW):
        found |= _names(utf8, start, start + _WINDOW)
        if len(found) > most:
            return start
    return len(utf8)


def _drop_attributes(utf8: bytes, most: int) -> bytes:
    """Takes the attributes away from each tag that has more of them than `most`, and from all but the first roots."""
    pieces: list[bytes] = []
    end = position = roots = 0
    while (match := _WHOLE_TAG.search(utf8, position)) is not None:
        position = match.end()
        name = match.group(1)
        if name is None:
            position = _end_of(utf8, b"-->", position)
            continue
        start, stop = match.span(2)
        name = name.lower()
        roots += name in _ROOTS
        # Two bytes are the shortest attribute with its space: no need to count those of ordinary tags.
        too_many = stop - start > 2 * most and sum(1 for _ in _ATTRIBUTE.finditer(utf8, start, stop)) > most
        if too_many or (roots > _MOST_ROOTS and name in _ROOTS):
            pieces.append(utf8[end:start])
            end = stop
        if name in _RAW_TEXT:
            position = _end_of(utf8, b"</" + match.group(1), position)
    pieces.append(utf8[end:])
    return b"".join(pieces) if len(pieces) > 1 else utf8


def _end_of(utf8: bytes, mark: bytes, position: int) -> int:
    """Where raw text ends; if it never does, all the rest is raw text."""
    found = utf8.find(mark, position)
    return found + len(mark) if found >= 0 else len(utf8)
