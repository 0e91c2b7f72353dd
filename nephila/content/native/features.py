"""The numbers of a page's blocks by the native library: as `features` and `first_words` find them, but for rounding.

Knows the library's structures. What it leaves open (letters whose lower case no table can tell) is told by Python.
"""

from __future__ import annotations

import ctypes
import re
import secrets
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from struct import Struct
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.characters import kinds_of_points
from nephila.content.features.first_words import WORD_BUCKETS, WORDS_EACH, FirstWords, words_of
from nephila.content.features.names import NAMES_EACH
from nephila.content.score import CJK
from nephila.document.layout import Layout
from nephila.document.outline import Ints, Outline
from nephila.native import address, load

Floats = NDArray[np.float32]
_DENSE, _COUNTS, _OF_CONTAINER, _PLACES = 128, 14, 7, 3
_PLANE, _LOGARITHMS = 0x10000, 1024


_WORDS = Struct("4qQ9q")
"""The library's `struct words`: all of its fields are of eight bytes."""
_FEATURES = Struct("4qQ33q")
"""Its `struct features`."""


class _Tables(NamedTuple):
    """The arrays must live as long as their addresses."""

    arrays: list[NDArray[np.generic]]
    lower: int
    classes: int
    crc: int
    kinds: int
    logarithms: int
    seed: int


class Lowered(NamedTuple):
    """The lower case of the basic plane: as one text, as a table, and the code points whose no table can tell."""

    text: str
    table: NDArray[np.uint16]
    left: list[int]


@cache
def lowered() -> Lowered:
    letters = "".join(map(chr, range(_PLANE)))
    lowers = [letter.lower() for letter in letters]
    left = [
        point
        for point, lower in enumerate(lowers)
        # The small sigma depends on its neighbours; a word of figures is a number, whichever they are.
        if len(lower) > 1
        or ord(lower) >= _PLANE
        or lower == "σ" != letters[point]
        or lower.isdigit() != lower.isdecimal()
    ]
    plain = "".join([lower if len(lower) == 1 else " " for lower in lowers])
    return Lowered(plain, np.array([ord(letter) for letter in plain], dtype=np.uint16), left)


@cache
def _tables() -> _Tables:
    plain, lower, left = lowered()
    classes = np.zeros(_PLANE, dtype=np.uint8)
    for kind, pattern in enumerate((rf"[^\W\d_{CJK}]", r"\d", f"[{CJK}]"), 1):
        classes[[match.start() for match in re.finditer(pattern, plain)]] = kind
    classes[left] = 4
    crc = np.array([crc32(bytes((value,)), 0xFFFFFFFF) ^ 0xFFFFFFFF for value in range(256)], np.uint32)
    logarithms = np.log1p(np.arange(_LOGARITHMS)).astype(np.float32)
    arrays: list[NDArray[np.generic]] = [lower, classes, crc, kinds_of_points(), logarithms]
    places = [address(array) for array in arrays]
    return _Tables(arrays, places[0], places[1], places[2], places[3], places[4], secrets.randbits(64))


def logarithms() -> int:
    """Where the logarithms of 1 + each small number are."""
    return _tables().logarithms


class Numbers(NamedTuple):
    """As `PageFeatures` has them."""

    dense: Floats
    words: Ints
    names: Ints
    weights: Floats
    places: NDArray[np.uint64]
    points: bytes
    """The code points of all texts, one text after the other."""


class Known(NamedTuple):
    """Which blocks the page's data for machines holds; None where it has no such data."""

    begun: bytearray | None
    inside: bytearray | None


def native_numbers(
    layout: Layout, outline: Outline, looks: bytearray, title: str, known: Known, more: int = 0
) -> Numbers | None:
    """None where there is no library, or the page is not as it should be. `more`: columns that the caller will add."""
    native = load()
    if native is None:
        return None
    texts, tables = layout.texts, _tables()
    count, containers = len(texts), len(outline.numbers)
    points, lengths = "".join(texts).encode("utf-32-le", "replace"), layout.lengths
    words, shares = np.empty((count, WORDS_EACH), np.int32), np.empty((2, count), np.float32)
    _read_words(native, texts, points, lengths, title, words, shares)
    table = 1 << max(count, containers).bit_length() + 1
    counts, sums = count * (_COUNTS + 1), 3 * (count + 1)
    families = max(2 * count, containers)
    room = np.empty(count + families + 3 * containers + counts + sums + table // 2 + 4 * containers, np.int64)
    dense, weights = np.empty((count, _DENSE + more), np.float32), np.empty(count, np.float32)
    names, places = np.empty((containers, NAMES_EACH), np.int32), np.empty((_PLACES, count), np.uint64)
    sizes = (count, families, containers, 2 * containers, counts, sums, table // 2)
    rooms = accumulate(sizes, lambda at, size: at + 8 * size, initial=address(room))
    numbers, ours = layout.numbers, address(shares)
    features = _FEATURES.pack(
        *(count, containers, table, _DENSE + more, tables.seed, tables.kinds, tables.logarithms),
        *(0, address(lengths)),
        *map(address, (numbers.container, numbers.link_lengths, numbers.link_counts, numbers.images, numbers.pieces)),
        *(address(numbers.flags), address(layout.depth), len(numbers.flags), ours, ours + 4 * count),
        *(0 if each is None else address(each) for each in known),
        int(known.inside is not None),
        *(address(outline.ancestors), address(outline.parents), address(outline.spans), address(looks)),
        *(*rooms, address(dense), address(names), address(weights), address(places)),
    )
    if native.nephila_features(features, points, ctypes.c_int64(len(points) // 4)):
        return None
    return Numbers(dense, words, names, weights, places, points)


def _read_words(
    native: ctypes.CDLL,
    texts: Sequence[str],
    points: bytes,
    lengths: NDArray[np.int64],
    title: str,
    words: Ints,
    shares: Floats,
) -> None:
    tables, count = _tables(), len(texts)
    left, ours = np.empty(count, np.uint8), address(shares)
    given = _WORDS.pack(
        *(tables.lower, tables.classes, tables.crc, WORD_BUCKETS, tables.seed, 0, len(title)),
        *(0, address(lengths), count, address(words), ours, ours + 4 * count, address(left)),
    )
    letters = title.encode("utf-32-le", "replace")
    found = native.nephila_words(given, letters, points, ctypes.c_int64(len(points) // 4))
    if found:
        rest = np.arange(count) if found < 0 else np.flatnonzero(left)
        by_python = FirstWords([texts[place] for place in rest.tolist()])
        words[rest] = by_python.buckets()
        shares[:, rest] = by_python.overlap(words_of(title))
