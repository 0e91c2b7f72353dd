"""The contract of a store of duplicates, and the layout that both stores share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from nephila.dedupe.sketches import BITS, STORED, Sketch

BUCKET = 16
"""Slots of a bucket: when all are taken, the oldest text leaves it."""
SLOT_BYTES = 4
SKETCH_BYTES = BITS // 8
_LOAD = 0.85
MAX_CAPACITY = 2**24 - 1
"""A slot has 24 bits for a text's place."""


@dataclass(frozen=True, slots=True)
class Limits:
    capacity: int = 1_000_000
    """Texts remembered; then the oldest is forgotten for the newest."""
    similarity: float = 0.67
    """The resemblance from which two texts are called near."""

    @property
    def distance(self) -> int:
        """Bits in which two sketches may differ."""
        return int(BITS * (1 - self.similarity) / 2)

    @property
    def buckets(self) -> int:
        return max(1, round(self.capacity * STORED / (BUCKET * _LOAD)))

    @property
    def bytes_each(self) -> float:
        """Memory of one text."""
        return SKETCH_BYTES + self.buckets * BUCKET * SLOT_BYTES / self.capacity


def position(key: int, buckets: int) -> tuple[int, int]:
    """Bucket and tag of a key; not by its highest bits, for those of the smallest hashes are all alike."""
    return (key >> 8 & 0xFFFFFFFFFF) % buckets, key & 0xFF


@runtime_checkable
class Duplicates(Protocol):
    async def judge(self, texts: Sequence[tuple[Sketch, str]]) -> list[str | None]:
        """For each (sketch, URL): the URL of an earlier text that is the same or nearly so, or None.

        What is new is remembered in the same step, so that of two workers with copies one is told of the other. A text
        is no duplicate of its own URL.
        """
        ...

    async def close(self) -> None: ...
