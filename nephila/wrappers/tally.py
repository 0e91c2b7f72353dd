"""Weights by name. Knows nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping


class Tally(dict[str, float]):
    """A dictionary of numbers in which what is absent weighs nothing."""

    def __missing__(self, key: str) -> float:
        return 0.0

    def add(self, other: Mapping[str, float], share: float = 1.0) -> None:
        for key, weight in other.items():
            self[key] += weight * share

    def widen(self, other: Mapping[str, float]) -> None:
        """Takes the larger of both weights."""
        for key, weight in other.items():
            if weight > self[key]:
                self[key] = weight


def shares(items: Iterable[str]) -> Tally:
    """What part of the items each is."""
    counts = Counter(items)
    total = counts.total()
    return Tally({item: count / total for item, count in counts.items()})
