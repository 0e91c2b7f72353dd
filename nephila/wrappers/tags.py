"""Tags, and the numbers that name places: made of words, the same in every process. Knows the syntax of tags."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import xxhash

from nephila.document.markup import attributes_of

_VALUE_ATTRIBUTES = {"meta": ("content",), "img": ("src", "data-src"), "time": ("datetime",)}
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
