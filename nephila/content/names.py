"""What the containers of a page are called: hashed parts of their names, families, and who looks like whom.

Knows start tags as the document writes them. Parts of names repeat across the web, whole tags within a site: both are
remembered, within bounds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
from xxhash import xxh3_64_intdigest

from nephila.content.families import family_bits
from nephila.document.outline import Ints

NAME_BUCKETS = 6144
NAMES_EACH = 8

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_LONGEST = 200
_MOST_CACHED = 100_000
_DIGITS = b"0123456789"
_NONE = [0] * NAMES_EACH


class Look(NamedTuple):
    """What is remembered of a start tag."""

    kind: int
    """A hash of name and classes: who has the same looks the same."""
    row: bytes
    """Buckets of the tag's name and of the parts of its item property, id and classes, as an array; 0 is none."""
    families: int
    place: int
    """A hash of name and classes, without digits: `post-4711` names one page, `post-` its kind."""


_looks: dict[bytes, Look] = {}
_parts: dict[bytes, tuple[list[int], int]] = {}


class Looks:
    """The looks of a page's containers, as arrays."""

    __slots__ = ("families", "kinds", "places", "rows")

    def __init__(self, tags: Sequence[bytes]) -> None:
        """`tags`: the start tags of the containers, at least one."""
        known = _looks
        if len(known) > _MOST_CACHED:
            known.clear()
        kinds, rows, self.families, places = zip(*[known.get(tag) or _look(tag) for tag in tags], strict=True)
        self.rows: Ints = np.frombuffer(b"".join(rows), dtype=np.int32).reshape(-1, NAMES_EACH)
        """Buckets of the parts of the names."""
        self.places = np.array(places, dtype=np.uint64)
        numbers: dict[int, int] = {}
        self.kinds = np.array([numbers.setdefault(kind, len(numbers)) for kind in kinds], dtype=np.int64)
        """The same number where name and classes are the same."""


def _look(tag: bytes) -> Look:
    name = tag[1:-1].partition(b" ")[0]
    buckets, families = list((_parts.get(b"<" + name) or _parts_of(b"<" + name))[0]), 0
    classes = _value(tag, b' class="')
    for value in (_value(tag, b' itemprop="'), _value(tag, b' id="'), classes):
        for word in value[:_LONGEST].split() if value else ():
            row, bits = _parts.get(word) or _parts_of(word)
            buckets += row
            families |= bits
    padded = np.array((list(dict.fromkeys(buckets)) + _NONE)[:NAMES_EACH], dtype=np.int32)
    kind, place = (xxh3_64_intdigest(name + b" " + told) for told in (classes, classes.translate(None, _DIGITS)))
    look = Look(kind, padded.tobytes(), families, place)
    _looks[tag] = look
    return look


def _value(tag: bytes, opening: bytes) -> bytes:
    """The value of an attribute, as it is written; empty when absent."""
    start = tag.find(opening)
    if start < 0:
        return b""
    start += len(opening)
    return tag[start : tag.find(b'"', start)]


def _parts_of(word: bytes) -> tuple[list[int], int]:
    """The buckets and the families of one word of a name, such as `post-content`."""
    if len(_parts) > _MOST_CACHED:
        _parts.clear()
    if word[:1] == b"<":
        parts = [word.decode("utf-8", "replace") + ">"]
    else:
        found = _PART.findall(word.decode("utf-8", "replace"))
        parts = [part.lower() for part in found if len(part) > 1 and not part.isdigit()]
    entry = _parts[word] = ([1 + crc32(part.encode()) % (NAME_BUCKETS - 1) for part in parts], family_bits(parts))
    return entry
