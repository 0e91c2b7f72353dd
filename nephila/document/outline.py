"""The containers of a page as arrays: who stands in whom, and which blocks each one holds. Knows the page's layout.

A container's tags enclose its blocks, so two searches for the places of the tags among those of the blocks tell which
these are. Who asks the same of all containers needs no object of any.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from nephila.document.layout import Layout
from nephila.native import address, load

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
    return _by_library(layout) or _by_numpy(layout)


_OUTLINE = Struct("14q")
"""The library's `struct outline`."""


def _by_library(layout: Layout) -> Outline | None:
    native = load()
    if native is None:
        return None
    containers, blocks = len(layout.tag_of), len(layout.texts)
    numbers, small = np.empty((2, containers), np.int64), np.empty(3 * containers, np.int32)
    ancestors = np.empty((blocks, LEVELS), np.int32)
    rows, parents = address(numbers), address(small)
    given = _OUTLINE.pack(
        *(containers, blocks, layout.deepest),
        *map(address, (layout.tag_of, layout.end_tags, layout.depth, layout.numbers.parent, layout.numbers.container)),
        *(
            address(layout.first_tags),
            rows,
            rows + 8 * containers,
            parents,
            parents + 4 * containers,
            address(ancestors),
        ),
    )
    used = int(native.nephila_outline(given))
    if used < 0:
        return None
    spans = small[containers : containers + 2 * used].reshape(used, 2)
    return Outline(numbers[1, :used], small[:used], spans, ancestors)


def start_tags(layout: Layout, outline: Outline) -> tuple[list[bytes], list[int]]:
    """The different start tags of the containers, and of each container which of them is its own."""
    return _different(layout, outline) or _one_by_one(layout, outline)


_TAGS = Struct("4qQ7q")
"""The library's `struct tags`."""
_SEED = secrets.randbits(64)


def _different(layout: Layout, outline: Outline) -> tuple[list[bytes], list[int]] | None:
    native, markup, count = load(), layout.markup, len(outline.numbers)
    if native is None:
        return None
    slots = 1 << (2 * count).bit_length()
    spans, small = np.empty((count, 2), np.int64), np.empty(slots + count, np.int32)
    room = address(small)
    given = _TAGS.pack(
        *(count, len(markup.html), len(markup.tag), slots, _SEED),
        *map(address, (outline.numbers, layout.tag_of, markup.start, markup.stop)),
        *(room, address(spans), room + 4 * slots),
    )
    found = int(native.nephila_different_tags(markup.html, given))
    if found < 0:
        return None
    html = markup.html
    return [html[start:stop] for start, stop in spans[:found].tolist()], small[slots:].tolist()


def _one_by_one(layout: Layout, outline: Outline) -> tuple[list[bytes], list[int]]:
    sources = map(layout.markup.source, layout.tag_of[outline.numbers].tolist())
    numbers: dict[bytes, int] = {}
    of_each = [numbers.setdefault(source, len(numbers)) for source in sources]
    return list(numbers), of_each


def _by_numpy(layout: Layout) -> Outline:
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
