"""What on a page may tell a date: short lines and attributes, before any of them is read. Knows trees of pages only."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, islice
from typing import NamedTuple

from nephila.forum.tree import PageTree

_TIME_ATTRIBUTE = re.compile(
    rb' (datetime|title|data-original-title|data-tooltip|data-[a-z-]*(?:time|date|stamp)[a-z-]*)="([^"]{4,80})"'
)
_DIGIT = re.compile(r"\d")
_DAYS = """
yesterday today ago now gestern heute hier aujourd ayer hoy ieri oggi ontem hoje вчера сегодня 昨 今天 今日 어제 오늘
"""
_NAMED_DAYS = tuple(_DAYS.split())
_NAMED_DAY = re.compile("|".join(rf"{word}\b" if word in ("ago", "now", "hier") else word for word in _NAMED_DAYS))
_LONGEST = 120
MOST = 4000


class Line(NamedTuple):
    place: int
    """In the markup."""
    text: str
    attribute: bool


def tells(line: str) -> bool:
    """Whether a line may tell a date."""
    return _DIGIT.search(line) is not None or _NAMED_DAY.search(line.lower()) is not None


def telling_lines(tree: PageTree) -> list[Line]:
    """Of the blocks that are shown, the first two lines, where they may tell a date."""
    short: list[tuple[int, str]] = []
    layout, hides = tree.document.layout, tree.hides
    flags = layout.flags
    for text, place, holder in zip(layout.texts, tree.block_begins, layout.container, strict=True):
        if flags[holder] & hides:
            continue
        if "\n" in text:
            short += [(place, line) for line in text.split("\n", 3)[:2] if len(line) <= _LONGEST]
        elif len(text) <= _LONGEST:
            short.append((place, text))
    named = _lines_that_name_days([line for _, line in short])
    return [
        Line(place, line, attribute=False)
        for number, (place, line) in enumerate(short)
        if _DIGIT.search(line) or (number in named and tells(line))
    ]


def _lines_that_name_days(lines: list[str]) -> set[int]:
    """Of the lines that may, the numbers; pages have few of the words for it, and a look at all lines tells where."""
    lowered = "\n".join(lines).lower()
    words = [word for word in _NAMED_DAYS if word in lowered]
    ends = list(accumulate(len(line) + 1 for line in lowered.split("\n"))) if words else []
    found = set()
    for word in words:
        place = lowered.find(word)
        while place >= 0:
            number = bisect_right(ends, place)
            found.add(number)
            place = lowered.find(word, ends[number])
    return found


def telling_attributes(tree: PageTree) -> list[Line]:
    return [
        Line(match.start(), match[2].decode("utf-8", "replace"), attribute=True)
        for match in islice(_TIME_ATTRIBUTE.finditer(tree.html), MOST)
    ]
