"""Step 3: each feature of each line becomes Low, Middle or High. Knows numbers only.

The topical region is sampled at the page's centre, the rest is outside; a statistic of the page is the weighted mean of
the two, so that neither a long menu nor a long text alone decides where the cuts are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.lines.features import Matrix

LOW, MIDDLE, HIGH = 0, 1, 2
ALPHA = 0.5
REGION = (1 / 3, 2 / 3)
"""The paper samples "lines at the centre" without saying how many: the middle third."""


def discretise(features: Matrix) -> NDArray[np.int64]:
    """The levels (0, 1, 2) of all features of all lines of one page."""
    count = len(features)
    if not count:
        return np.zeros((0, features.shape[1] if features.ndim == 2 else 6), dtype=np.int64)
    start, end = int(count * REGION[0]), max(int(count * REGION[0]) + 1, int(np.ceil(count * REGION[1])))
    inside = features[start:end]
    outside = np.concatenate((features[:start], features[end:]))
    if not len(outside):
        outside = inside
    low, mean, high = (
        ALPHA * statistic(inside) + (1 - ALPHA) * statistic(outside) for statistic in (_least, _mean, _most)
    )
    low_cut, high_cut = (low + mean) / 2, (mean + high) / 2
    # Memberships are triangles with their peaks at the low cut, the mean and the high cut: a value between two peaks
    # has two memberships that are not zero, and the larger one is that of the nearer peak.
    levels = np.full(features.shape, MIDDLE, dtype=np.int64)
    levels[features < (low_cut + mean) / 2] = LOW
    levels[features > (mean + high_cut) / 2] = HIGH
    return levels


def _least(values: Matrix) -> Matrix:
    return np.asarray(values.min(axis=0))


def _mean(values: Matrix) -> Matrix:
    return np.asarray(values.mean(axis=0))


def _most(values: Matrix) -> Matrix:
    return np.asarray(values.max(axis=0))
