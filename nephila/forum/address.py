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
_SCRIPT = re.compile(r"\.(?:php|aspx?|jsp|cgi|pl|do)$", re.IGNORECASE)
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
    """`wild`: beginnings of patterns behind which a single word is a name (`/user/`, `/list?board=`), learned.

    With a `#`: where a number behind a name is a page or part of it (`/topic/#`: `/topic/12-title/2`). With a word and
    a dash: where names begin with that word (`/Thread-`: `/Thread-some-title`).
    """
    head, _, query = url.partition("?")
    values: list[str] = []
    path = _path(head.split("/")[3:], values, wild)
    parameters = [part for part in re.split(r"[&;]", query) if part]
    shapes = []
    for parameter in sorted(parameters, key=lambda part: part.partition("=")[0]):
        name, equals, value = parameter.partition("=")
        numbers, comma, last = name.rpartition(",")
        if equals and comma and numbers[0].isdigit():  # `read.php?3,145,page=2`
            shapes.append(f"{_mixed(numbers, values)},{last}={_value(unquote(value), values)}")
        elif not equals and not _WORD.fullmatch(name):  # `showthread.php?12-some-title/page2`
            shapes.append(_path(name.split("/"), values, wild).removeprefix("/"))
        else:
            shapes.append(f"{_name(name)}{equals}{_value(unquote(value), values, named=f'{path}?{name}=' in wild)}")
    return Address(path + ("?" + "&".join(shapes) if shapes else ""), tuple(values))


def _path(segments: list[str], values: list[str], wild: frozenset[str]) -> str:
    path = ""
    script = bool(segments) and bool(_SCRIPT.search(segments[-1]))
    for index, segment in enumerate(segments):
        text = unquote(segment)
        if script and index + 1 < len(segments) and not any(map(str.isdigit, text)):  # `/cgi-bin/board.pl?num=7`
            path += f"/{text}"
            continue
        word = text.partition("-")[0]
        if f"{path}/{word}-" in wild:
            path += f"/{word}-{_segment(text[len(word) + 1 :], values, named=True)}"
            continue
        # A title stands beside the number of what it names: `/topic/12/some-title-3/`, `/t/some-title-3/12`.
        before = index > 0 and segments[index - 1].isdigit()
        after = index + 1 < len(segments) and segments[index + 1].isdigit() and f"{path}/#" not in wild
        titled = (before and not _PAGED.fullmatch(text)) or (after and bool(_APART.search(text)))
        path += f"/{_segment(text, values, (titled and not text.isdigit()) or f'{path}/' in wild)}"
    return path


def extends(pattern: str, other: str) -> bool:
    """Whether it is the other pattern, or that with more: the same thing seen in another way, or a part of it."""
    if pattern == other:
        return True
    path, _, query = pattern.partition("?")
    base, mark, rest = other.partition("?")
    if "{" not in other:
        return False
    if mark:
        return path == base and set(rest.split("&")) <= set(query.split("&"))
    return path == base or path.startswith(f"{base.rstrip('/')}/")


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


_LETTERED = re.compile(
    r"(?P<kind>[A-Za-z]{1,2})(?P<number>\d+)(?:(?P<mark>[A-Za-z]{1,2})(?P<page>\d+))?(?P<sign>[-_.,])(?P<title>.*\D.*)"
)
"""`t12-some-title`, `t12p20-some-title`"""
_TAILED = re.compile(
    r"(?P<title>.*\D.*)(?P<sign>[-_.,])(?P<kind>[A-Za-z]{1,2})(?P<number>\d+)(?:(?P<mark>[-_.,])(?P<page>\d+))?"
)
"""`some-title-t12`, `some-title-t12-20`"""
_PAIRED = re.compile(r"[A-Za-z]{1,12}[-_.,]\d+(?:[-_.,][A-Za-z]{1,12}[-_.,]?\d+)+")
"""`thread-12-page-2`, `topic,12.msg3012`"""
_NUMBERS = re.compile(r"\d+(?:[-_.,]\d+)+")
_BESIDE = tuple(
    re.compile(shape)
    for shape in (
        r"(\d+)([-_.,])(.*\D.*)",
        r"(.*\D.*)([.,])(\d+)",
        r"(.*\D)([-_])(\d+)",
        r"([A-Za-z]{1,12}[-_.]?)(\d+)()",
    )
)
_COUNTED = re.compile(r"[A-Za-z]{1,12}(?:[-_][A-Za-z]{1,12})?(?:[-_.,]\d+){2,4}")
"""`thread-12-2-1`: numbers alone behind a word or two."""


def _mixed(stem: str, values: list[str]) -> str:
    """A number with a title beside it (`12-some-title`, `some-title.12`, `t12`, `page-2`), or a title."""
    if (match := _LETTERED.fullmatch(stem)) is not None:
        values.extend(value for value in match.group("number", "page", "title") if value)
        page = f"{match['mark']}{{#}}" if match["page"] else ""
        return f"{match['kind']}{{#}}{page}{match['sign']}{{*}}"
    if (match := _TAILED.fullmatch(stem)) is not None:
        values.extend(value for value in match.group("title", "number", "page") if value)
        return f"{{*}}{match['sign']}{match['kind']}{{#}}" + (f"{match['mark']}{{#}}" if match["page"] else "")
    if any(shape.fullmatch(stem) for shape in (_COUNTED, _PAIRED, _NUMBERS)):
        values.extend(re.findall(r"\d+", stem))
        return re.sub(r"\d+", "{#}", stem)
    for shape in _BESIDE:
        match = shape.fullmatch(stem)
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


def _value(value: str, values: list[str], *, named: bool = False) -> str:
    first, slash, rest = value.partition("/")
    if slash and first and rest.isdigit():  # `?num=12/20`
        return f"{_value(first, values, named=named)}/{_value(rest, values)}"
    if not value:
        return ""
    if named and not value.isdigit():
        values.append(value)
        return "{*}"
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
