"""One-hot features of blocks, as rows of column numbers. Knows blocks and numbers only.

A block has a few dozen features out of thousands: a row is the list of its columns, and the products with a vector are
a gather and a bincount. That is all that a linear model needs, and numpy alone has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nephila.content.visual.page import VisualBlock

Floats = NDArray[np.float64]
_LONGEST = 400

Namer = Callable[[VisualBlock], Iterator[str]]


def css_names(block: VisualBlock) -> Iterator[str]:
    for name, value in block.style.items():
        yield f"{name}:{value}"[:_LONGEST]


def path_names(block: VisualBlock) -> Iterator[str]:
    yield f"path {'>'.join(block.path)}"[-_LONGEST:]


def selector_names(block: VisualBlock) -> Iterator[str]:
    """Names and classes; ids are of one page only, all too often."""
    steps = (step.partition("#") for step in block.selector)
    plain = (f"{name}{rest[rest.find('.') :] if '.' in rest else ''}" for name, _, rest in steps)
    yield f"selector {'>'.join(plain)}"[-_LONGEST:]


def all_names(block: VisualBlock) -> Iterator[str]:
    yield from css_names(block)
    yield from path_names(block)
    yield from selector_names(block)


@dataclass(frozen=True, slots=True)
class Rows:
    """Sparse rows of ones, with dense columns before them."""

    columns: NDArray[np.int64]
    owners: NDArray[np.int64]
    """The row of each of `columns`, rising."""
    count: int
    """Sparse columns."""
    dense: Floats
    scale: float = 1.0
    """What stands for a one."""

    @property
    def width(self) -> int:
        return int(self.dense.shape[1]) + self.count

    def dot(self, vector: Floats) -> Floats:
        split = self.dense.shape[1]
        sparse = np.bincount(self.owners, weights=vector[split:][self.columns], minlength=len(self.dense))
        return np.asarray(self.dense @ vector[:split] + self.scale * sparse)

    def dot_transposed(self, vector: Floats) -> Floats:
        sparse = np.bincount(self.columns, weights=vector[self.owners], minlength=self.count)
        return np.concatenate((self.dense.T @ vector, self.scale * sparse))

    def squares(self, weights: Floats) -> Floats:
        """Of each column the weighted sum of its squares."""
        sparse = np.bincount(self.columns, weights=weights[self.owners], minlength=self.count)
        return np.concatenate((weights @ np.square(self.dense), self.scale**2 * sparse))

    def take(self, chosen: NDArray[np.bool_]) -> Rows:
        renumbered = np.cumsum(chosen) - 1
        kept = chosen[self.owners]
        return Rows(self.columns[kept], renumbered[self.owners[kept]], self.count, self.dense[chosen], self.scale)


def rows_of(
    blocks: Sequence[VisualBlock],
    namer: Namer | None,
    known: Mapping[str, int] | None = None,
    dense: Floats | None = None,
    scale: float = 1.0,
) -> tuple[Rows, dict[str, int]]:
    """The rows of blocks, and their columns by name; with `known`, names that are not in it are left out."""
    names: dict[str, int] = dict(known) if known is not None else {}
    columns: list[int] = []
    owners: list[int] = []
    for row, block in enumerate(blocks):
        for column in _numbered(namer(block) if namer else (), names, grow=known is None):
            columns.append(column)
            owners.append(row)
    if dense is None:
        dense = np.zeros((len(blocks), 0))
    return Rows(np.array(columns, np.int64), np.array(owners, np.int64), len(names), dense, scale), names


def _numbered(found: Iterable[str], names: dict[str, int], *, grow: bool) -> Iterator[int]:
    for name in found:
        column = names.setdefault(name, len(names)) if grow else names.get(name)
        if column is not None:
            yield column
