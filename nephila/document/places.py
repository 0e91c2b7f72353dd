"""Arithmetic on the places of tags and texts, for all of a page at once. Knows arrays only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.document.markup import Places


def steps(values: Places, before: int = 0) -> Places:
    """The difference of each value to the one before it."""
    found = np.empty_like(values)
    if len(values):
        found[0] = values[0] - before
        np.subtract(values[1:], values[:-1], out=found[1:])
    return found


def last_opened(keys: Places, by_level: Places, level: Places, place: Places, span: int) -> Places:
    """For each place, the container that opened last at its level, at or before it; -1 when none did."""
    found = np.searchsorted(keys, level * span + place, "right") - 1
    candidate = by_level[np.maximum(found, 0)]
    valid = (found >= 0) & (level > 0)
    if len(keys):
        valid &= keys[np.maximum(found, 0)] // span == level
    return np.where(valid, candidate, -1)


def solid(html: bytes, begin: Places, end: Places) -> NDArray[np.bool_]:
    """Which of the ranges hold something besides white space."""
    octets = np.frombuffer(html + b" ", dtype=np.uint8)
    shown = octets > ord(" ")
    # Control characters that are no white space: rare, and seldom meant.
    shown |= (octets < 9) | ((octets > 13) & (octets < 28))
    bounds = np.column_stack((begin, end)).ravel()
    if not len(bounds):
        return np.zeros(0, dtype=np.bool_)
    return np.logical_or.reduceat(shown, bounds)[::2] & (end > begin)


def numbered(kept: list[int], count: int) -> Places:
    """The new number of each of `count` things of which only some are kept, -1 for the others."""
    numbers = np.full(count, -1, dtype=np.int64)
    numbers[kept] = np.arange(len(kept))
    return numbers
