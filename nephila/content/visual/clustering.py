"""DBSCAN over the blocks of a site: which ones look alike. Knows blocks and numbers only.

The points are the paper's: one column for each (property, value), one for each tag path, and the width, scaled to unit
variance. Two blocks that differ in any property or in their path are at least 1 apart, and the radius is 0.5: so
neighbours always are blocks of equal style and path, and among these only the width counts. DBSCAN thus falls apart,
without any approximation, into one-dimensional problems that sorting solves: no matrix, no tree, n log n.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from nephila.content.visual.page import VisualBlock, VisualPage

Ints = NDArray[np.int64]

RADIUS = 0.5
LEAST_NEIGHBOURS = 5
"""Blocks within the radius, itself included, that make a block a core of its cluster."""
NOISE = -1


def clusters_of(pages: Sequence[VisualPage]) -> Ints:
    """The cluster of each block of all pages, in their order; `NOISE` for a block of none."""
    blocks = [block for page in pages for block in page.blocks]
    width = np.array([block.width for block in blocks], dtype=np.float64)
    if len(width):
        width = (width - width.mean()) / (width.std() or 1.0)
    return dbscan([look_of(block) for block in blocks], width)


def look_of(block: VisualBlock) -> Hashable:
    """Equal for blocks of equal style and path."""
    return tuple(sorted(block.style.items())), block.path


def dbscan(groups: Sequence[Hashable], positions: NDArray[np.float64], radius: float = RADIUS) -> Ints:
    """Exact DBSCAN of points that are near each other only within their group, where `positions` tells how near."""
    members: dict[Hashable, list[int]] = defaultdict(list)
    for index, group in enumerate(groups):
        members[group].append(index)
    labels = np.full(len(groups), NOISE, dtype=np.int64)
    used = 0
    for indices in members.values():
        if len(indices) < LEAST_NEIGHBOURS:
            continue
        order = np.array(indices)
        order = order[np.argsort(positions[order], kind="stable")]
        found = _on_a_line(positions[order], radius)
        labels[order] = np.where(found == NOISE, NOISE, found + used)
        used += int(found.max()) + 1
    return labels


def _on_a_line(line: NDArray[np.float64], radius: float) -> Ints:
    """Of points in rising order: cores within the radius of one another are one cluster, with all in their reach."""
    near = np.searchsorted(line, line + radius, "right") - np.searchsorted(line, line - radius, "left")
    core = near >= LEAST_NEIGHBOURS
    labels = np.full(len(line), NOISE, dtype=np.int64)
    if not core.any():
        return labels
    cores = line[core]
    labels[core] = np.concatenate(([0], np.cumsum(np.diff(cores) > radius)))
    edge = np.flatnonzero(~core)
    # The core before and the core after an edge point: it belongs to the nearer one, if that is within reach.
    after = np.searchsorted(cores, line[edge])
    before = np.clip(after - 1, 0, None)
    after = np.clip(after, None, len(cores) - 1)
    nearer = np.where(np.abs(cores[before] - line[edge]) <= np.abs(cores[after] - line[edge]), before, after)
    reached = np.abs(cores[nearer] - line[edge]) <= radius
    labels[edge[reached]] = labels[core][nearer[reached]]
    return labels
