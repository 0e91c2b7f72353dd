"""What tells the language of a text, counted by the native library: as `language` counts it. Knows words only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from struct import Struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.content.native.features import lowered
from nephila.native import address, load

_LANGUAGE = Struct("13q")
"""The library's `struct language`."""
_LETTER, _LEFT = 1, 2
_MASK = (1 << 32) - 1


class Counted(NamedTuple):
    words: int
    letters: int
    written: list[int]
    """Letters of each script."""
    common: dict[str, int]
    """How often each of the common words is there."""


class WordCounter:
    """Counts words and letters of texts; made once for scripts (first and last letter of each) and common words."""

    def __init__(self, scripts: Sequence[tuple[str, str]], common: Sequence[str]) -> None:
        self._words = common
        lower = lowered()
        self._lower, plain = lower.table, lower.text
        classes = np.zeros(len(self._lower), dtype=np.uint8)
        classes[[match.start() for match in re.finditer(r"[^\W\d_]", plain)]] = _LETTER
        classes[lower.left] = _LEFT
        self._classes = classes
        self._scripts = np.array([[ord(first), ord(last)] for first, last in scripts], dtype=np.uint32)
        self._longest = max(map(len, common))
        self._common = np.zeros((len(common), self._longest), dtype=np.uint32)
        slots = 1 << (2 * len(common)).bit_length()
        self._slots = np.full(slots, -1, dtype=np.int32)
        for place, word in enumerate(common):
            self._common[place, : len(word)] = list(map(ord, word))
            slot = _slot(word, slots)
            while self._slots[slot] >= 0:
                slot = (slot + 1) % slots
            self._slots[slot] = place
        self._sizes = len(scripts), self._longest, slots
        arrays: list[NDArray[np.generic]] = [self._lower, classes, self._scripts, self._common, self._slots]
        self._places = [address(array) for array in arrays]

    def count(self, text: str) -> Counted | None:
        """None where there is no library, or the text has letters that it leaves to Python."""
        native = load()
        if native is None:
            return None
        points = bytearray(text.encode("utf-32-le", "replace"))
        scripts, longest, slots = self._sizes
        found = np.zeros(2 + scripts + len(self._words), dtype=np.int64)
        lower, classes, letters, common, table = self._places
        out = address(found)
        given = _LANGUAGE.pack(
            *(lower, classes, address(points), len(text), letters, scripts, common, longest, table, slots),
            *(out, out + 16, out + 16 + 8 * scripts),
        )
        if native.nephila_language(given):
            return None
        words, length, *written = found[: 2 + scripts].tolist()
        counts = found[2 + scripts :]
        places: list[int] = counts.nonzero()[0].tolist()
        often: list[int] = counts[places].tolist()
        return Counted(words, length, written, dict(zip([self._words[place] for place in places], often, strict=True)))


def _slot(word: str, slots: int) -> int:
    """As the library finds it."""
    value = 2166136261
    for letter in word:
        value = (value ^ ord(letter)) * 16777619 & _MASK
    return (value ^ value >> 15) & (slots - 1)
