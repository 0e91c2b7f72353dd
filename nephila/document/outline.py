"""The containers of a page as arrays: who stands in whom, and which blocks each one holds. Knows the page's layout.

A container's tags enclose its blocks, so two searches for the places of the tags among those of the blocks tell which
these are. Who asks the same of all containers needs no object of any.
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
    """The outline of a page; without blocks it has no container either."""
    spans = np.searchsorted(layout.first_tags, np.stack((layout.tag_of, layout.end_tags), axis=1)).astype(np.int32)
    used = (spans[:, 1] > spans[:, 0]) & (layout.depth <= layout.deepest)
    numbers = np.flatnonzero(used)
    rows = (np.cumsum(used) - 1).astype(np.int32)
    above = np.array(layout.parent, dtype=np.int64)[numbers]
    parents = rows[np.maximum(above, 0)]
    parents[above < 0] = 0
    ancestors = np.empty((len(layout.container), LEVELS), dtype=np.int32)
    ancestors[:, 0] = rows[layout.container]
    for level in range(1, LEVELS):
        parents.take(ancestors[:, level - 1], out=ancestors[:, level], mode="clip")
    return Outline(numbers, parents, spans[numbers], ancestors)
