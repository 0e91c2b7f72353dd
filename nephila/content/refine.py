"""The second look: what the network said of a block, of those around it and of the page, for the boosted trees.

The network is sure of itself on pages unlike those it learned from. The trees learn from its judgements of pages it had
not seen how far it may be believed, on which kind of page; on sites never seen that is worth more than any change of
the network was. Only blocks that the network does not rule out are looked at again. Knows features and judgements.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.choice import choose
from nephila.content.features import Floats, PageFeatures
from nephila.document.outline import LEVELS

RULED_OUT = 0.002
_NEIGHBOURS = (1, 2, 3)
_BEYOND = -7.0
"""The logit of a neighbour that is not there."""


def candidates(main: Floats) -> NDArray[np.int64]:
    """The blocks that are worth a second look."""
    return np.flatnonzero(main > RULED_OUT)


def refinement_inputs(
    page: PageFeatures, main: Floats, comment: Floats, kinds: Floats, rows: NDArray[np.int64]
) -> Floats:
    """One row for each of the candidate blocks `rows`."""
    logits = _logits(main)
    count = len(rows)
    columns = [
        logits[rows],
        _logits(comment[rows]),
        *_neighbours(logits, rows),
        *_containers(page, main, logits, rows),
        *_standing(page, main, rows),
    ]
    parts = (np.stack(columns, axis=1), np.broadcast_to(kinds, (count, len(kinds))), page.dense[rows])
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _logits(probabilities: Floats) -> Floats:
    likely = np.clip(probabilities, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(likely / (1 - likely)), dtype=np.float32)


def _neighbours(logits: Floats, rows: NDArray[np.int64]) -> list[Floats]:
    reach = max(_NEIGHBOURS)
    padded = np.full(len(logits) + 2 * reach, _BEYOND, dtype=np.float32)
    padded[reach:-reach] = logits
    return [padded[rows + reach + step] for distance in _NEIGHBOURS for step in (-distance, distance)]


def _containers(page: PageFeatures, main: Floats, logits: Floats, rows: NDArray[np.int64]) -> list[Floats]:
    """Of each container above: the share of its tokens that is expected to be content, and the mean logit."""
    sums = np.zeros((len(main) + 1, 3), dtype=np.float64)
    np.cumsum(np.stack((main * page.weights, page.weights, logits), axis=1), axis=0, out=sums[1:])
    columns = []
    for level in range(LEVELS):
        spans = page.spans[page.ancestors[rows, level]]
        inside = sums[spans[:, 1]] - sums[spans[:, 0]]
        columns.append((inside[:, 0] / np.maximum(inside[:, 1], 1)).astype(np.float32))
        columns.append((inside[:, 2] / np.maximum(spans[:, 1] - spans[:, 0], 1)).astype(np.float32))
    return columns


def _standing(page: PageFeatures, main: Floats, rows: NDArray[np.int64]) -> list[Floats]:
    """Where the block stands among the page's blocks by probability, and to the first and last that would be kept."""
    weights = page.weights
    kept, expected = choose(main, weights)
    places = np.flatnonzero(kept)
    first, last = (int(places[0]), int(places[-1])) if len(places) else (0, 0)
    order = np.argsort(-main, kind="stable")
    total, wanted = max(1.0, float(weights.sum())), float((main * weights).sum())
    tokens, content = np.empty(len(main), np.float32), np.empty(len(main), np.float32)
    tokens[order] = np.cumsum(weights[order]) / total
    content[order] = np.cumsum((main * weights)[order]) / max(1.0, wanted)
    count = len(rows)
    return [
        tokens[rows],
        content[rows],
        np.full(count, expected, np.float32),
        np.full(count, np.log1p(wanted), np.float32),
        np.full(count, wanted / total, np.float32),
        _signed_log(rows - first),
        _signed_log(rows - last),
    ]


def _signed_log(distance: NDArray[np.int64]) -> Floats:
    return np.asarray(np.sign(distance) * np.log1p(np.abs(distance)), dtype=np.float32)
