"""How much likely text stands close before and after a block, and which container holds most of it.

Knows features and judgements. A caption between two paragraphs is one thing, the same words amid a menu another; and
what stands outside of the container that holds an article is seldom a part of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats, PageFeatures

_REACHES = (4, 16)
_LIKELY = (0.3, 0.8)
_FAR = 200
"""Blocks between a block and the next likely one, at most; or there is none."""


def stretch_inputs(page: PageFeatures, main: Floats, rows: NDArray[np.int64]) -> list[NDArray[np.generic] | float]:
    """One entry a number, of all the blocks `rows`."""
    count = len(main)
    sums = np.zeros((2, count + 1))
    np.cumsum(np.stack((main * page.weights, page.weights)), axis=1, out=sums[:, 1:])
    return [*_close(sums, rows), *_next(main, rows), *_heart(page, sums, rows)]


def _close(sums: NDArray[np.float64], rows: NDArray[np.int64]) -> list[NDArray[np.generic] | float]:
    """The likely text of the next few blocks on either side: how much, and which share of all text there."""
    found: list[NDArray[np.generic] | float] = []
    here, after = sums.take(rows, axis=1), sums.take(rows + 1, axis=1)
    for reach in _REACHES:
        content, tokens = here - sums.take(np.maximum(rows - reach, 0), axis=1)
        found += [np.log1p(np.maximum(content, 0)), content / np.maximum(tokens, 1)]
        content, tokens = sums.take(np.minimum(rows + 1 + reach, sums.shape[1] - 1), axis=1) - after
        found += [np.log1p(np.maximum(content, 0)), content / np.maximum(tokens, 1)]
    return found


def _next(main: Floats, rows: NDArray[np.int64]) -> list[NDArray[np.generic] | float]:
    """How far the next likely blocks are, before and after."""
    found: list[NDArray[np.generic] | float] = []
    for least in _LIKELY:
        likely = np.concatenate(([-_FAR], np.flatnonzero(main > least), [len(main) + _FAR]))
        before = likely[np.searchsorted(likely, rows, "left") - 1]
        after = likely[np.searchsorted(likely, rows, "right")]
        found += [np.log1p(np.minimum(rows - before, _FAR)), np.log1p(np.minimum(after - rows, _FAR))]
    return found


def _heart(page: PageFeatures, sums: NDArray[np.float64], rows: NDArray[np.int64]) -> list[NDArray[np.generic] | float]:
    """Where the block stands to the container that alone would make the best text; and how good those around it are."""
    starts, ends = page.spans.T
    content, tokens = sums.take(ends, axis=1) - sums.take(starts, axis=1)
    wanted = max(1.0, float(sums[0, -1]))
    good = 2 * content / (tokens + wanted)
    best = int(np.argmax(good))
    start, end = int(starts[best]), int(ends[best])
    outside = np.minimum(rows - start, 0) + np.maximum(rows - end + 1, 0)
    above = page.ancestors[rows].T
    return [
        outside == 0,
        np.sign(outside) * np.log1p(np.abs(outside)),
        float(good[best]),
        float(content[best]) / wanted,
        (rows - start) / max(1, end - start),
        *(content[above] / wanted),
        *good[above],
    ]
