"""Tags, and the numbers that name places: made of words, the same in every process. Knows the syntax of tags."""

from __future__ import annotations

import re
import struct
from functools import lru_cache

import numpy as np
import xxhash

from nephila.document.markup import attributes_of, unescape_value
from nephila.wrappers.shapes import words_of

PICTURES = ("src", "data-src", "data-original", "data-lazy-src")
"""Where the address of a picture is; pages that load it late have a blank one in `src`."""
_SPOKEN = ("aria-label", "title")
"""What a drawing says to those who do not see it: `4.5 out of 5 stars`."""
_VALUE_ATTRIBUTES = {
    "meta": ("content",),
    "img": PICTURES,
    "time": ("datetime",),
    "data": ("value",),
    "meter": ("value",),
    **dict.fromkeys(("span", "div", "i", "em", "p"), _SPOKEN),
}
_NAMING = frozenset({"address"})
"""Tags that say what they hold."""
_TELLING = re.compile(
    rb" (class|id|itemprop|property|name|content|src|data-src|data-original|data-lazy-src|data-testid|datetime|value|"
    rb'aria-label|title|href)="([^"]*)"'
)
"""The attributes that are looked at; the parser writes all alike, with every quotation mark in a value escaped."""
_VOLATILE = re.compile(r"\d{3,}|^[0-9a-f]{8,}$|^(?:first|last|odd|even|active|selected|current|hover|open|on|off|alt)$")

_MASK = (1 << 64) - 1
_FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
_NTH = 0x165667B19E3779F9
NTH = np.uint64(_NTH)
FIRST, SECOND, SHIFT = np.uint64(_FIRST), np.uint64(_SECOND), np.uint64(29)


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


class Sort:
    """What tags with the same name, classes, id and property share, whatever else they say."""

    __slots__ = ("name", "numbers", "words")

    def __init__(self, name: str, mark: str, ident: str, prop: str, tested: str) -> None:
        self.name = name
        numbers = (number_of(name), number_of(name, mark), int(bool(mark)), number_of("#", ident) if ident else 0)
        self.numbers = struct.pack("=4Q", *numbers)
        """Of the name, of name and classes; whether there are classes; of the id. Packed: arrays are made of many."""
        found = words_of(f"{mark} {ident} {prop} {tested} {name if name in _NAMING else ''}")
        self.words = tuple(dict.fromkeys(word for word in found if len(word) > 1 and not word.isdigit()))
        """Those in its classes, id, property and test id."""


_sort_of = lru_cache(maxsize=20_000)(Sort)


class Tag:
    """What a start tag says; tags that are written alike share one."""

    __slots__ = ("_source", "href", "ident", "mark", "name", "prop", "sort", "values")

    def __init__(self, source: bytes) -> None:
        self._source = source
        self.name = name = _name_of(source)
        self.mark = self.ident = self.prop = self.href = tested = ""
        self.values: tuple[tuple[str, str], ...] = ()
        if found := _TELLING.findall(source):
            attributes = {key.decode(): unescape_value(value) for key, value in found}
            self.mark = mark_of(attributes.get("class", ""))
            ident = attributes.get("id", "")
            self.ident = "" if _VOLATILE.search(ident) else ident
            prop = attributes.get("itemprop") or attributes.get("property") or ""
            if not prop and name == "meta":
                prop = attributes.get("name", "")
            self.prop = prop.strip().lower()
            tested = attributes.get("data-testid", "")
            self.href = attributes.get("href", "")
            self.values = tuple(
                (key, value)
                for key in _VALUE_ATTRIBUTES.get(name, ())
                if (value := attributes.get(key, "").strip()) and _is_value(key, value)
            )
        self.sort = _sort_of(name, self.mark, self.ident, self.prop, tested)

    @property
    def attributes(self) -> dict[str, str]:
        return attributes_of(self._source)


def _is_value(key: str, value: str) -> bool:
    """Not the blank picture that stands for one to come, nor the name of a button."""
    if key in _SPOKEN:
        return any(map(str.isdigit, value))
    return key != "src" or not value.startswith("data:")


def _name_of(source: bytes) -> str:
    end = source.find(b" ")
    return source[1 : end if end > 0 else -1].decode("utf-8", "replace")


@lru_cache(maxsize=20_000)
def mark_of(classes: str) -> str:
    """The classes that name a kind of place: without those of one page or one state, in order."""
    if not classes:
        return ""
    return " ".join(sorted({token for token in classes.split() if not _VOLATILE.search(token)}))


@lru_cache(maxsize=20_000)
def tag_of(source: bytes) -> Tag:
    return Tag(source)
