"""Addresses as patterns: what a template filled into a URL, and what is left of it.

`/topic/353/is-it-normal/?page=2` is the pattern `/topic/{#}/{*}/?page={#}` with the values 353, is-it-normal, 2. Two
URLs of one pattern show pages of one kind; which of the values names the thing and which the page of it is learned
elsewhere. Knows text only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

_PIECE = re.compile(r"\d+|[^\d]+")
_SEGMENT_END = re.compile(r"\.(?:html?|php|aspx?|jsp|cgi|pl|do)$", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z_]{0,23}(?:\.(?:html?|php|aspx?|jsp|cgi|pl|do))?")
_SELECTING = re.compile(r"[A-Za-z][A-Za-z_-]{0,23}")


_PAGED = re.compile(r"(?:page|p|seite|pagina|str|start|offset|st)?[-_.]?\d+|[a-z]{1,12}", re.IGNORECASE)
"""Behind a number: the page of it, or what is to be done with it (`/comment/12/find/`)."""
_APART = re.compile(r"[-_ +]|[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Address:
    pattern: str
    """With `{#}` for numbers and `{*}` for words that name something."""
    values: tuple[str, ...]
    """What stood in their places."""

    @property
    def path(self) -> str:
        return self.pattern.partition("?")[0]

    def slot(self, index: int) -> str:
        return self.values[index] if index < len(self.values) else ""


@lru_cache(maxsize=32768)
def read_address(url: str, wild: frozenset[str] = frozenset()) -> Address:
    """`wild`: beginnings of paths behind which a single word is a name (`/user/`), learned from the site."""
    head, _, query = url.partition("?")
    segments = head.split("/")[3:]
    values: list[str] = []
    path = ""
    for index, segment in enumerate(segments):
        text = unquote(segment)
        # A title stands beside the number of what it names: `/topic/12/some-title-3/`, `/t/some-title-3/12`.
        before = index > 0 and segments[index - 1].isdigit()
        after = index + 1 < len(segments) and segments[index + 1].isdigit()
        titled = (before and not _PAGED.fullmatch(text)) or (after and bool(_APART.search(text)))
        path += f"/{_segment(text, values, (titled and not text.isdigit()) or f'{path}/' in wild)}"
    parameters = [part for part in re.split(r"[&;]", query) if part]
    shapes = []
    for parameter in sorted(parameters, key=lambda part: part.partition("=")[0]):
        name, equals, value = parameter.partition("=")
        shapes.append(f"{_name(name)}{equals}{_value(unquote(value), values)}")
    return Address(path + ("?" + "&".join(shapes) if shapes else ""), tuple(values))


def slot_names(pattern: str) -> list[str]:
    """What stands before each slot: the name of its parameter, or of its part of the path."""
    return [match[1] for match in re.finditer(r"([^/?&{}]*)\{[#*]\}", pattern)]


def _segment(text: str, values: list[str], named: bool) -> str:
    if not text:
        return ""
    if text.isdigit():
        values.append(text)
        return "{#}"
    if not named and _WORD.fullmatch(text):
        return text
    ending = _SEGMENT_END.search(text)
    stem, tail = (text[: ending.start()], text[ending.start() :]) if ending else (text, "")
    if named:
        values.append(stem)
        return "{*}" + tail
    return _mixed(stem, values) + tail


def _mixed(stem: str, values: list[str]) -> str:
    """A number with a title beside it (`12-some-title`, `some-title.12`, `t12`, `page-2`), or a title."""
    for shape in (r"(\d+)([-_.,])(.*\D.*)", r"(.*\D)([-_.,])(\d+)", r"([A-Za-z]{1,12}[-_.]?)(\d+)()"):
        match = re.fullmatch(shape, stem)
        if match is None:
            continue
        first, middle, last = match.groups()
        if first.isdigit():
            values.extend((first, last))
            return "{#}" + middle + "{*}"
        if last.isdigit():
            if re.fullmatch(r"[A-Za-z]{1,12}", first):  # page-2, thread-17
                values.append(last)
                return f"{first}{middle}{{#}}"
            values.extend((first, last))
            return "{*}" + middle + "{#}"
        values.append(middle)
        return f"{first}{{#}}"
    if len(re.split(r"[-_ +%]", stem)) > 1 or not stem.isascii() or any(map(str.isdigit, stem)):
        values.append(stem)
        return "{*}"
    return stem


def _name(name: str) -> str:
    return re.sub(r"\d+", "#", name)


def _value(value: str, values: list[str]) -> str:
    if not value:
        return ""
    if _SELECTING.fullmatch(value):
        return value
    if not re.fullmatch(r"[\d.,:a-zA-Z_-]{1,24}", value) or not any(map(str.isdigit, value)):
        values.append(value)
        return "{*}"
    shaped = ""
    for piece in _PIECE.findall(value):
        if piece.isdigit():
            values.append(piece)
            shaped += "{#}"
        elif len(piece) > 8:
            values.append(piece)
            shaped += "{*}"
        else:
            shaped += piece
    return shaped
