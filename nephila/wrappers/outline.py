"""A page as rules see it: elements with the names of their places, and the units (texts, some attributes) they hold.

Made from the document's tags, all elements of one level at a time: the parser writes every end tag, so that levels are
sums. `<tbody>` and its like are transparent: parsers do not agree on whether a table has one. Names of places are
numbers made of words by `mixed`, the same in every process. Knows documents, nothing of statistics.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
import numpy as np
import xxhash
from numpy.typing import NDArray

from nephila.document import Document
from nephila.document.markup import NAMED, Markup, attributes_of, unescape

TRANSPARENT = frozenset({"tbody", "thead", "tfoot"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source"}
    | {"basefont", "bgsound", "keygen", "track", "wbr"}
)
_SILENT = frozenset({"script", "style", "iframe", "noembed", "noframes", "template"})
"""Their text is none of the page."""
_VALUE_ATTRIBUTES = {"meta": ("content",), "img": ("src", "data-src"), "time": ("datetime",)}
_VOLATILE = re.compile(r"\d{3,}|^[0-9a-f]{8,}$|^(?:first|last|odd|even|active|selected|current|hover|open|on|off|alt)$")
_LONGEST = 5_000
_DEEPEST = 400
MOST_UNITS = 20_000

_OPENS, _CLOSES, _QUIET = (
    np.array([wanted(tag.name) for tag in NAMED])
    for wanted in (
        lambda name: name != "!" and name not in TRANSPARENT,
        lambda name: name != "!" and name not in TRANSPARENT and name not in _VOID,
        lambda name: name in _SILENT,
    )
)

# -- numbers for words -------------------------------------------------------------------------------------------------

_MASK = (1 << 64) - 1
_FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
_NTH = 0x165667B19E3779F9
_THIRD = np.uint64(_NTH)
_FIRST64, _SECOND64, _SHIFT64 = np.uint64(_FIRST), np.uint64(_SECOND), np.uint64(29)
Numbers = NDArray[np.uint64]
Places = NDArray[np.int64]


def number_of(*words: str) -> int:
    return xxhash.xxh3_64_intdigest("\x00".join(words).encode("utf-8", "surrogatepass"))


def mixed(above: int, own: int) -> int:
    """The number of a place: of the place around it, and of what it is there."""
    number = ((above ^ (own * _FIRST & _MASK)) * _SECOND) & _MASK
    return number ^ (number >> 29)


def numbered(name: str, nth: int) -> int:
    """What an element is among its like: the n-th of its name."""
    return (number_of(name) + nth * _NTH) & _MASK


# -- tags --------------------------------------------------------------------------------------------------------------


class Tag:
    """What a start tag says; tags that are written alike share one."""

    __slots__ = ("_source", "ident", "mark", "name", "numbers", "prop", "values")

    def __init__(self, source: bytes) -> None:
        self._source = source
        self.name = name = _name_of(source)
        self.mark = self.ident = self.prop = ""
        self.values: tuple[tuple[str, str], ...] = ()
        if b" class=" in source or b" id=" in source or b"prop" in source or name in _VALUE_ATTRIBUTES:
            attributes = self.attributes
            self.mark = mark_of(attributes.get("class", ""))
            ident = attributes.get("id", "")
            self.ident = "" if _VOLATILE.search(ident) else ident
            prop = attributes.get("itemprop") or attributes.get("property") or ""
            if not prop and name == "meta":
                prop = attributes.get("name", "")
            self.prop = prop.strip().lower()
            self.values = tuple(
                (key, attributes[key].strip())
                for key in _VALUE_ATTRIBUTES.get(name, ())
                if attributes.get(key, "").strip()
            )
        self.numbers = _numbers(name, self.mark, self.ident)

    @property
    def attributes(self) -> dict[str, str]:
        return attributes_of(self._source)


@lru_cache(maxsize=20_000)
def _numbers(name: str, mark: str, ident: str) -> tuple[int, int, bool, int]:
    """Of the name, of name and classes; whether there are classes; of the id."""
    return number_of(name), number_of(name, mark), bool(mark), number_of("#", ident) if ident else 0


def _name_of(source: bytes) -> str:
    end = source.find(b" ")
    return source[1 : end if end > 0 else -1].decode("utf-8", "replace")


def mark_of(classes: str) -> str:
    """The classes that name a kind of place: without those of one page or one state, in order."""
    if not classes:
        return ""
    return " ".join(sorted({token for token in classes.split() if not _VOLATILE.search(token)}))


@lru_cache(maxsize=20_000)
def tag_of(source: bytes) -> Tag:
    return Tag(source)


# -- the page ----------------------------------------------------------------------------------------------------------


class Outline:
    """Elements and units of one page, in document order."""

    __slots__ = (
        "attribute",
        "class_anchor",
        "end",
        "id_anchor",
        "nth",
        "outer_anchor",
        "owner",
        "parent",
        "path",
        "place",
        "tag_path",
        "tags",
        "texts",
        "title",
        "url",
    )

    def __init__(self, document: Document) -> None:
        self.url = document.url
        self.title = document.title or ""
        self.texts: list[str] = []
        self.owner: list[int] = []
        """Of each unit, its element."""
        self.attribute: list[str] = []
        """Of each unit, the attribute that it is the value of; empty for text."""
        self.tags: list[Tag] = []
        self.parent: list[int] = []
        """Of each element, the element around it, transparent ones left out; -1 at the top."""
        self.end: list[int] = []
        """Of each element, the number of the first element behind it."""
        self.nth: list[int] = []
        """Which child of its tag it is, from 1."""
        self.path: list[int] = []
        """Name of the place: tags and classes from the top."""
        self.class_anchor: list[int] = []
        """Tags from the closest element with a class, itself included."""
        self.outer_anchor: list[int] = []
        """Tags from the second closest element with a class."""
        self.id_anchor: list[int] = []
        """Tags from the closest element with an id."""
        self.place: list[int] = []
        """Tags with their numbers from the top."""
        self.tag_path: list[int] = []
        """Tags from the top."""
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
        columns = list(zip(*[tag.numbers for tag in self.tags], strict=True))
        name, step, ident = (np.array(columns[part], dtype=np.uint64) for part in (0, 1, 3))
        nth = _ordinals(parent, name)
        order = np.argsort(level, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        above = rank[parent[order]]
        own = np.stack([step, name, name, name, name, name + nth.astype(np.uint64) * _THIRD])[:, order]
        begin, ident, marked = step[order], ident[order], np.array(columns[2])[order]
        found = own * _FIRST64
        bounds = np.searchsorted(level[order], np.arange(min(int(level.max()), _DEEPEST) + 2)).tolist()
        top = bounds[1]
        found[:, :top] = np.stack([begin, begin, np.full_like(begin, number_of("#")), begin, own[3], own[3]])[:, :top]
        for first, last in pairwise(bounds[1:]):
            below = found[:, above[first:last]] ^ found[:, first:last]
            below *= _SECOND64
            below ^= below >> _SHIFT64
            here = marked[first:last]
            # What has a class of its own: its second closest one is the closest of what is around it.
            np.copyto(below[3], below[1], where=here)
            np.copyto(below[1], begin[first:last], where=here)
            np.copyto(below[2], ident[first:last], where=ident[first:last] != 0)
            found[:, first:last] = below
        self.path, self.class_anchor, self.id_anchor, self.outer_anchor, self.tag_path, self.place = found[
            :, rank
        ].tolist()
        self.nth = nth.tolist()

    def _collect(self, markup: Markup, at: Places, holder: list[int]) -> None:
        """The units: texts between tags, and the attributes that are values."""
        html, starts, stops = markup.html, markup.start.tolist(), markup.stop.tolist()
        starts.append(len(html))
        solid = np.cumsum(np.frombuffer(html + b"  ", dtype=np.uint8) > ord(" "))
        wanted = solid[np.append(markup.start[1:], len(html)) - 1] > solid[markup.stop - 1]
        wanted &= ~(_QUIET[markup.tag] & ~markup.closing)
        telling = {int(at[number]): number for number, tag in enumerate(self.tags) if tag.values}
        wanted[list(telling)] = True
        texts, owner, attribute = self.texts, self.owner, self.attribute
        for index in np.flatnonzero(wanted).tolist():
            if index in telling:
                for key, value in self.tags[telling[index]].values:
                    texts.append(value[:_LONGEST])
                    owner.append(telling[index])
                    attribute.append(key)
            raw = html[stops[index] : starts[index + 1]]
            if raw and not raw.isspace() and holder[index] >= 0:
                text = raw.decode("utf-8", "replace")
                text = " ".join((unescape(text) if "&" in text else text).split())
                if text:
                    texts.append(text[:_LONGEST])
                    owner.append(holder[index])
                    attribute.append("")
            if len(texts) >= MOST_UNITS:
                break

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
