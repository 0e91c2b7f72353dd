"""The containers of a page as arrays: who stands in whom, and which blocks each one holds. Knows the document's layout.

The features ask the same of all containers, so no object is made of any: on a page of 260 containers this takes 0.2 ms,
the objects 0.7.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nephila.document.layout import Layout

LEVELS = 5
"""The block's container and the four above it; further up there is hardly more than <body>."""

Ints = NDArray[np.int32]


@dataclass(slots=True)
class Outline:
    """C containers with text in them, in document order: a parent stands before its children."""

    numbers: NDArray[np.int64]
    """The number of each in the layout."""
    parents: Ints
    """The parent of each; the first one is its own."""
    spans: Ints
    """C x 2: the first block of each container, and one past the last."""
    ancestors: Ints
    """N x LEVELS: the containers of each block, its own first."""


def outline_of(layout: Layout) -> Outline:
    """The outline of a page with at least one block."""
    holders = np.array(layout.container, dtype=np.int64)
    above = np.array(layout.parent, dtype=np.int64)
    used = _with_ancestors(holders, above)
    numbers = np.flatnonzero(used)
    rows = np.cumsum(used) - 1
    parents = rows[np.maximum(above[numbers], 0)]
    parents[above[numbers] < 0] = 0
    own = rows[holders]
    ancestors = np.empty((len(holders), LEVELS), dtype=np.int32)
    ancestors[:, 0] = own
    for level in range(1, LEVELS):
        ancestors[:, level] = parents[ancestors[:, level - 1]]
    spans = _spans(own, parents, layout.depth[numbers])
    return Outline(numbers, parents.astype(np.int32), spans, ancestors)


def _with_ancestors(holders: NDArray[np.int64], above: NDArray[np.int64]) -> NDArray[np.bool_]:
    used = np.zeros(len(above), dtype=bool)
    level = holders
    while len(level):
        used[level] = True
        level = above[level]
        level = level[level >= 0]
        level = np.flatnonzero(np.bincount(level, minlength=1)) if len(level) else level
        level = level[~used[level]]
    return used


def _spans(own: NDArray[np.int64], parents: NDArray[np.int64], depth: NDArray[np.int64]) -> Ints:
    count, blocks = len(parents), np.arange(len(own))
    starts, ends = (np.full(count, len(own), dtype=np.int64), np.zeros(count, dtype=np.int64))
    # Of repeated places the last assignment stays: backwards that is the first block.
    starts[own[::-1]] = blocks[::-1]
    ends[own] = blocks + 1
    order = np.argsort(-depth, kind="stable")
    bounds = np.flatnonzero(np.diff(depth[order], prepend=depth[order[0]] + 1, append=-1))
    for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        level = order[low:high]
        np.minimum.at(starts, parents[level], starts[level])
        np.maximum.at(ends, parents[level], ends[level])
    return np.stack((starts, ends), axis=1).astype(np.int32)
