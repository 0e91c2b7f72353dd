"""What the containers of a page are called: hashed parts of their names, families, and who looks like whom.

Knows start tags as the document writes them. Parts of names repeat across the web, whole tags within a site: both are
remembered, within bounds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from struct import Struct
from zlib import crc32

import numpy as np
from xxhash import xxh3_64_intdigest

from nephila.content.features.families import families_of
from nephila.content.native.looks import native_looks
from nephila.document.layout import Layout
from nephila.document.outline import Ints, Outline, start_tags

NAME_BUCKETS = 6144
NAMES_EACH = 8

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_LONGEST = 200
_MOST_CACHED = 100_000
_DIGITS = b"0123456789"
_NONE = [0] * NAMES_EACH

LOOK = Struct(f"={NAMES_EACH}iqQQ")
"""What is remembered of a start tag, as the native library takes it: buckets of its name and of the parts of its item
property, id and classes (0 is none); families; a hash of name and classes: who has the same looks the same; and one
without digits: `post-4711` names one page, `post-` its kind."""
_FIELDS = np.dtype([("row", np.int32, NAMES_EACH), ("families", np.int64), ("kind", np.uint64), ("place", np.uint64)])

_looks: dict[bytes, bytes] = {}
_parts: dict[bytes, tuple[list[int], int]] = {}
_known_parts: dict[str, tuple[int, int]] = {}


class Looks:
    """The looks of a page's containers, as arrays."""

    __slots__ = ("families", "kinds", "places", "rows")

    def __init__(self, packed: bytearray) -> None:
        """`packed`: the looks of the containers, at least one."""
        looks = np.frombuffer(packed, dtype=_FIELDS)
        self.rows: Ints = np.ascontiguousarray(looks["row"])
        """Buckets of the parts of the names."""
        self.families: list[int] = looks["families"].tolist()
        self.places = looks["place"]
        numbers: dict[int, int] = {}
        kinds = looks["kind"].tolist()
        self.kinds = np.array([numbers.setdefault(kind, len(numbers)) for kind in kinds], dtype=np.int64)
        """The same number where name and classes are the same."""


def looks_of(layout: Layout, outline: Outline) -> bytearray:
    """The looks of a page's containers, one LOOK each."""
    found = native_looks(layout, outline, LOOK.size, _look)
    return _by_python(*start_tags(layout, outline)) if found is None else found


def _by_python(tags: Sequence[bytes], of_each: Sequence[int]) -> bytearray:
    """By their different start tags and which of these is each one's own."""
    known = _looks
    if len(known) > _MOST_CACHED:
        known.clear()
    looks = [known.get(tag) or known.setdefault(tag, _look(tag)) for tag in tags]
    return bytearray().join([looks[place] for place in of_each])


def _look(tag: bytes) -> bytes:
    name = tag[1:-1].partition(b" ")[0]
    buckets, families = list((_parts.get(b"<" + name) or _parts_of(b"<" + name))[0]), 0
    classes = _value(tag, b' class="')
    for value in (_value(tag, b' itemprop="'), _value(tag, b' id="'), classes):
        for word in value[:_LONGEST].split() if value else ():
            parts, bits = _parts.get(word) or _parts_of(word)
            buckets += parts
            families |= bits
    row = (list(dict.fromkeys(buckets)) + _NONE)[:NAMES_EACH]
    called = name + b" " + classes
    kind = xxh3_64_intdigest(called)
    # A class without digits is the same without them, as is a name: <h1> is no page's own.
    bare = name + b" " + classes.translate(None, _DIGITS)
    place = kind if bare == called else xxh3_64_intdigest(bare)
    return LOOK.pack(*row, families, kind, place)


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
    text = word.decode("utf-8", "replace")
    if text[:1] == "<":
        entry = [_bucket(text + ">")], 0
    else:
        parts = [_known_parts.get(part) or _part(part) for part in _PART.findall(text)]
        families = 0
        for _, bits in parts:
            families |= bits
        entry = [bucket for bucket, _ in parts if bucket], families
    _parts[word] = entry
    return entry


def _part(part: str) -> tuple[int, int]:
    """Bucket and families of a part of a word; single letters and numbers say nothing: 0."""
    if len(_known_parts) > _MOST_CACHED:
        _known_parts.clear()
    lower = part.lower()
    telling = len(part) > 1 and not lower.isdigit()
    known = _known_parts[part] = (_bucket(lower), families_of(lower)) if telling else (0, 0)
    return known


def _bucket(part: str) -> int:
    return 1 + crc32(part.encode()) % (NAME_BUCKETS - 1)
