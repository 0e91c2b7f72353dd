"""A first glance at a page: whether it is worth being read for posts at all. Costs a small part of such a reading.

Threads and boards repeat dates; in a thread the writing is spread between them. An article, however long its comments,
begins with more writing than any of them has. Knows documents only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median

from nephila.document import Document

_SHORT = 100
_LONG = 80
"""A line of prose; labels, menus and titles are shorter."""
_DIGIT = re.compile(r"\d")
_DATED = re.compile(
    r"\d[:.h/-]\d{1,2}|(?:19|20)\d\d|\d\s?[^\W\d]{1,12}|[^\W\d]{3,12}[.,]?\s\d",
)
"""Generous: what is no date after all costs a reading."""
_TIMES = 3.0
_MUCH = 500


@dataclass(frozen=True, slots=True)
class Glance:
    dated: int
    """Short lines that may tell a date."""
    prose: int
    """Characters in long lines that are not links."""
    led: bool
    """The writing before the second date is much more than what stands between any two others: an article."""
    lines: frozenset[int]
    """Digests of the long lines."""


def glance(document: Document) -> Glance:
    layout = document.layout
    dated = 0
    gaps = [0]
    lines = []
    for text, linked in zip(layout.texts, layout.link_lengths, strict=True):
        length = len(text)
        if 1 < length <= _SHORT and _DIGIT.search(text) and _DATED.search(text):
            dated += 1
            gaps.append(0)
        elif length >= _LONG and linked * 3 < length:
            gaps[-1] += length
            lines.append(hash(text))
    return Glance(dated, sum(gaps), _is_led(gaps), frozenset(lines))


def _is_led(gaps: list[int]) -> bool:
    written = [gap for gap in gaps if gap]
    if not written or written[0] < _MUCH:
        return False
    return len(written) < 3 or written[0] > _TIMES * median(written[1:])
