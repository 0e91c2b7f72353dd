"""The day of publication where a page tells it to its own scripts and styles alone. Knows bytes of HTML.

The last resort: pages that scripts draw hold the article as data, and blogs mark the date by a class and a title.
"""

from __future__ import annotations

import ctypes
import re

import numpy as np

from nephila.document.dates import to_iso
from nephila.native import address, find, load

_KEY = re.compile(
    rb'\\?"(?:date_?published|published_?(?:at|on|date|time)?|publish_?(?:date|time|at)|publication_?date|created_?at|'
    rb'first_?published)\\?"\s*:\s*\\?"((?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9][^"\\]{0,20})',
    re.IGNORECASE,
)
_MARKED = re.compile(
    rb'class="[^">]{0,200}\b(?:published|entry-date|dt-published|post-date|updated)\b[^">]{0,200}"[^>]{0,300}'
    rb'\b(?:title|datetime|content)="'
    rb'((?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9][^">]{0,20})',
    re.IGNORECASE,
)


def scripted_date(html: bytes) -> str | None:
    """The date that all such places agree on, to the day; None when they do not."""
    native = load()
    if native is not None and not native.nephila_has_day(html, ctypes.c_int64(len(html))):
        return None  # two pages of three have no day at all, which one look tells instead of eight
    for words, pattern in ((_CLASSES, _MARKED), (_KEYS, _KEY)):
        found: dict[str, str] = {}
        for start in _places(html, words):
            for match in pattern.finditer(html, start, start + _WINDOW):
                if date := to_iso(match[1].decode("latin-1")):
                    found[date[:10]] = date
        if len(found) == 1:
            return next(iter(found.values()))
    return None


_CLASSES = (b"published", b"entry-date", b"post-date", b"updated")
_KEYS = (b"ublish", b"created_at", b"createdAt", b"publication")
_BEFORE, _WINDOW = 40, 300
_MOST_PLACES = 100


def _places(html: bytes, words: tuple[bytes, ...]) -> list[int]:
    """A little before each of the words: a search for words is many times faster than one for patterns."""
    native = load()
    if native is None:
        return _by_python(html, words)
    starts = np.empty(_MOST_PLACES * len(words), np.int64)
    dated = np.empty(len(starts), np.bool_)
    count = native.nephila_dated(
        *(html, ctypes.c_int64(len(html)), b"\0".join(words) + b"\0\0"),
        *map(ctypes.c_int64, (_BEFORE, _WINDOW, _MOST_PLACES)),
        *map(ctypes.c_void_p, (address(starts), address(dated))),
    )
    # Without those that have no date behind them, which are most; the others in the order of the other way.
    with_date = set(starts[:count][dated[:count]].tolist())
    return [start for start in set(starts[:count].tolist()) if start in with_date] if with_date else []


def _by_python(html: bytes, words: tuple[bytes, ...]) -> list[int]:
    found: set[int] = set()
    for word in words:
        place = find(html, word)
        for _ in range(_MOST_PLACES):
            if place < 0:
                break
            found.add(max(0, place - _BEFORE))
            place = find(html, word, place + len(word))
    return list(found)
