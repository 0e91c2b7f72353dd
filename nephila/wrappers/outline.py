"""A page as rules see it: elements with the names of their places, and the units (texts, some attributes) they hold.

Made from the document's tags, all elements of one level at a time: the parser writes every end tag, so that levels are
sums. `<tbody>` and its like are transparent: parsers do not agree on whether a table has one. Names of places are
numbers made of words by `mixed`, the same in every process. Knows documents, nothing of statistics.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nephila.document import Document
from nephila.document.markup import NAMED, Markup, unescape
from nephila.document.tags import Kind
from nephila.wrappers.tags import FIRST, NTH, SECOND, SHIFT, Tag, number_of, tag_of

TRANSPARENT = frozenset({"tbody", "thead", "tfoot"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source"}
    | {"basefont", "bgsound", "keygen", "track", "wbr"}
)
_SILENT = frozenset({"script", "style", "iframe", "noembed", "noframes", "template"})
"""Their text is none of the page."""
_LONGEST = 5_000
_DEEPEST = 400
MOST_UNITS = 20_000

_OPENS = np.array([tag.name != "!" and tag.name not in TRANSPARENT for tag in NAMED])
_CLOSES = _OPENS & np.array([tag.name not in _VOID for tag in NAMED])
_QUIET = np.array([tag.name in _SILENT for tag in NAMED])

_BREAKS = np.array([tag.kind not in (Kind.INLINE, Kind.LINK) for tag in NAMED])
_AMOUNT = r"(?:[$€£¥₹]|[A-Z]{2,3}|kr|zł)? ?\d[\d.,']*"
_HALVES = (
    (re.compile(r"[$€£¥₹]"), re.compile(r"\d[\d.,']*")),
    (re.compile(_AMOUNT + r"(?<=[.,])"), re.compile(r"\d{1,3}")),
    (re.compile(_AMOUNT + r"(?<=\d)"), re.compile(r"[.,]\d{1,3}")),
)
"""A number that is written in two elements, with no white space between them: the first and the second half."""
_PRICE = re.compile(r"[$€£¥₹] ?\d[\d.,']*(?<=\d)")
_NUMERIC = np.isin(np.arange(256), list(b"0123456789.,"))
_CENTS = re.compile(r"\d\d")

Numbers = NDArray[np.uint64]
Places = NDArray[np.int64]

ROWS = ("path", "class", "outer", "id", "tags", "place", "tail")
"""How a place is named: by the tags and classes from the top; by the tags from the closest element with a class on,
from the second closest, from the closest with an id; by tags from the top, without and with their numbers; by its own
and the one around it."""


class Outline:
    """Elements and units of one page, in document order."""

    __slots__ = (
        "attribute",
        "end",
        "names",
        "nth",
        "owner",
        "parent",
        "path",
        "tags",
        "texts",
        "title",
        "url",
        "whole",
    )

    def __init__(self, document: Document) -> None:
        self.url = document.url
        self.title = document.title or ""
        self.texts: list[str] = []
        self.owner: list[int] = []
        """Of each unit, its element."""
        self.attribute: list[str] = []
        """Of each unit, the attribute that it is the value of; empty for text."""
        self.whole: set[int] = set()
        """Elements whose text is one unit, although it is written in several: the cents of a price apart."""
        self.tags: list[Tag] = []
        self.parent: list[int] = []
        """Of each element, the element around it, transparent ones left out; -1 at the top."""
        self.end: list[int] = []
        """Of each element, the number of the first element behind it."""
        self.nth: list[int] = []
        """Which child of its tag it is, from 1."""
        self.path: list[int] = []
        """Name of the place: tags and classes from the top."""
        self.names: Numbers = np.zeros((len(ROWS), 0), dtype=np.uint64)
        """The names of the place, a row for each of `ROWS`."""
        self._read(document.layout.markup)

    def _read(self, markup: Markup) -> None:
        begins = _OPENS[markup.tag] & ~markup.closing
        stays = _CLOSES[markup.tag] & begins
        ends = _CLOSES[markup.tag] & markup.closing
        after = np.cumsum(stays.astype(np.int64) - ends)
        """How many elements are open behind each tag."""
        at = np.flatnonzero(begins)
        if not len(at):
            return
        level = after[at] - stays[at]
        nesting = _Nesting(at[stays[at]], level[stays[at]], np.flatnonzero(stays[at]), len(begins))
        parent = nesting.last(level - 1, at)
        html, starts, stops = markup.html, markup.start.tolist(), markup.stop.tolist()
        self.tags = [tag_of(html[starts[index] : stops[index]]) for index in at.tolist()]
        self.parent = parent.tolist()
        self.end = _first_behind(at, level, stays[at], np.flatnonzero(ends), after).tolist()
        self._name(level, parent)
        self._collect(markup, at, nesting.last(after - 1, np.arange(len(after))).tolist())

    def _name(self, level: Places, parent: Places) -> None:
        """The names of all places, level by level."""
        packed = b"".join([tag.sort.numbers for tag in self.tags])
        name, step, marked, ident = np.frombuffer(packed, dtype=np.uint64).reshape(-1, 4).T
        nth = _ordinals(parent, name)
        order = np.argsort(level, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        above = rank[parent[order]]
        own = np.stack([step, name, name, name, name, name + nth.astype(np.uint64) * NTH])[:, order]
        begin, ident, marked = step[order], ident[order], marked[order].astype(np.bool_)
        found = own * FIRST
        bounds = np.searchsorted(level[order], np.arange(min(int(level.max()), _DEEPEST) + 2)).tolist()
        top = bounds[1]
        found[:, :top] = np.stack([begin, begin, begin, np.full_like(begin, number_of("#")), own[4], own[4]])[:, :top]
        for first, last in pairwise(bounds[1:]):
            below = found[:, above[first:last]] ^ found[:, first:last]
            below *= SECOND
            below ^= below >> SHIFT
            here = marked[first:last]
            # What has a class of its own: its second closest one is the closest of what is around it.
            np.copyto(below[2], below[1], where=here)
            np.copyto(below[1], begin[first:last], where=here)
            np.copyto(below[3], ident[first:last], where=ident[first:last] != 0)
            found[:, first:last] = below
        tail = (np.where(parent < 0, np.uint64(number_of("")), name[parent]) ^ (name * FIRST)) * SECOND
        self.names = np.vstack([found[:, rank], tail ^ (tail >> SHIFT)])
        self.path = self.names[0].tolist()
        self.nth = nth.tolist()

    def _collect(self, markup: Markup, at: Places, holder: list[int]) -> None:
        """The units: texts between tags, and the attributes that are values."""
        html, starts, stops = markup.html, markup.start.tolist(), markup.stop.tolist()
        starts.append(len(html))
        wanted, halves = _pieces(markup)
        telling = {int(at[number]): number for number, tag in enumerate(self.tags) if tag.values}
        wanted[list(telling)] = True
        texts, owner, attribute = self.texts, self.owner, self.attribute
        for index in np.flatnonzero(wanted).tolist():
            if index in telling:
                for key, value in self.tags[telling[index]].values:
                    texts.append(value[:_LONGEST])
                    owner.append(telling[index])
                    attribute.append(key)
            text = html[stops[index] : starts[index + 1]].decode("utf-8", "replace")
            text = " ".join((unescape(text) if "&" in text else text).split())
            if not text or holder[index] < 0:
                continue
            if index in halves and texts and not attribute[-1]:
                glue = _glue(texts[-1], text, self.tags[holder[index]].name)
                if glue is not None:
                    self._join(glue + text, holder[index])
                    continue
            texts.append(text[:_LONGEST])
            owner.append(holder[index])
            attribute.append("")
            if len(texts) >= MOST_UNITS:
                break

    def _join(self, more: str, holder: int) -> None:
        """Adds to the last unit what another element says, and gives it to the element around both."""
        around = self.owner[-1]
        while not around <= holder < self.end[around]:
            around = self.parent[around]
        self.texts[-1] += more
        self.owner[-1] = around
        self.whole.add(around)

    def tail(self, element: int) -> str:
        """Its tag and that of its parent, as `tr/td`."""
        above = self.parent[element]
        return f"{self.tags[above].name if above >= 0 else ''}/{self.tags[element].name}"

    def prop(self, element: int) -> str:
        """The itemprop of the element, or of its parent."""
        own = self.tags[element].prop
        above = self.parent[element]
        return own or (self.tags[above].prop if above >= 0 else "")

    def drop(self, elements: set[int]) -> int:
        """Leaves the units of these elements, and of all that is in them, out; says how many they were."""
        if not elements:
            return 0
        spans = sorted((element, self.end[element]) for element in elements)
        gone = {inner for start, end in spans for inner in range(start, end)}
        kept = [unit for unit, owner in enumerate(self.owner) if owner not in gone]
        dropped = len(self.texts) - len(kept)
        for name in ("texts", "owner", "attribute"):
            values = getattr(self, name)
            setattr(self, name, [values[unit] for unit in kept])
        return dropped


def _pieces(markup: Markup) -> tuple[NDArray[np.bool_], set[int]]:
    """Which tags have text behind them; and where that may be the second half of a number: it begins like one, and
    neither white space nor a line break is between it and the text before it."""
    if not len(markup.start):
        return np.zeros(0, dtype=np.bool_), set()
    octets = np.frombuffer(markup.html + b" ", dtype=np.uint8)
    end = np.append(markup.start[1:], len(markup.html))
    solid = np.logical_or.reduceat(octets > ord(" "), np.column_stack((markup.stop, end)).ravel())[::2]
    solid &= (end > markup.stop) & ~(_QUIET[markup.tag] & ~markup.closing)
    place = np.flatnonzero(solid)
    begins = _NUMERIC[octets[markup.stop[place]]]
    begins[:1] = False
    later = place[begins]
    before = place[np.flatnonzero(begins) - 1]
    breaks = np.cumsum(_BREAKS[markup.tag])
    written = np.append(0, np.cumsum(end - markup.stop))
    near = (breaks[later] == breaks[before]) & (written[later] == written[before + 1])
    near &= octets[end[before] - 1] > ord(" ")
    return solid, set(later[near].tolist())


def _glue(first: str, second: str, tag: str) -> str | None:
    """What is between two halves of a number; None when they are none. Raised cents have their mark left out."""
    if len(second) > 12 or len(first) > 12:
        return None
    if tag == "sup" and _CENTS.fullmatch(second) and _PRICE.fullmatch(first):
        return "."
    return "" if any(one.fullmatch(first) and two.fullmatch(second) for one, two in _HALVES) else None


class _Nesting:
    """Which element is open at a level, behind any tag."""

    def __init__(self, at: Places, level: Places, numbers: Places, tags: int) -> None:
        self._span = tags + 1
        keys = level * self._span + at
        order = np.argsort(keys)
        self._keys, self._numbers = keys[order], numbers[order]

    def last(self, level: Places, at: Places) -> Places:
        """The number of the element of this level that began last, at or before each tag; -1 where there is none."""
        found = np.searchsorted(self._keys, level * self._span + at, "right") - 1
        there = np.maximum(found, 0)
        right = (found >= 0) & (level >= 0) & (self._keys[there] // self._span == level)
        return np.where(right, self._numbers[there], -1)


def _first_behind(at: Places, level: Places, stays: NDArray[np.bool_], ends: Places, after: Places) -> Places:
    """Of each element, how many elements begin before it ends."""
    span = len(after) + 1
    keys = np.sort(after[ends] * span + ends)
    found = np.searchsorted(keys, level * span + at)
    there = np.minimum(found, max(len(keys) - 1, 0))
    closed = (found < len(keys)) & (keys[there] // span == level) if len(keys) else np.zeros(len(at), dtype=np.bool_)
    stop = np.where(closed, keys[there] % span, span) if len(keys) else np.full(len(at), span)
    return np.where(stays, np.searchsorted(at, stop), np.arange(1, len(at) + 1))


def _ordinals(parent: Places, name: Numbers) -> Places:
    """Which child of its name each element is, from 1."""
    order = np.lexsort((name, parent))
    same = (parent[order][1:] == parent[order][:-1]) & (name[order][1:] == name[order][:-1])
    firsts = np.maximum.accumulate(np.where(np.append(False, same), 0, np.arange(len(order))))
    result = np.empty(len(order), dtype=np.int64)
    result[order] = np.arange(len(order)) - firsts + 1
    return result
