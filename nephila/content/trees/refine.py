"""The second look: what the network said of a block, of those around it and of the page, for the boosted trees.

The network is sure of itself on pages unlike those it learned from. The trees learn from its judgements of pages it had
not seen how far it may be believed, on which kind of page; on sites never seen that is worth more than any change of
the network was. Only blocks that the network does not rule out are looked at again. Knows features and judgements.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p

import numpy as np
from numpy.typing import NDArray

from nephila.content.choice import choose
from nephila.content.features.page import Floats, PageFeatures
from nephila.content.native.refine import native_inputs
from nephila.content.trees.alike import alike_inputs
from nephila.content.trees.stretches import stretch_inputs

RULED_OUT = 0.002
_NEIGHBOURS = np.array((-1, 1, -2, 2, -3, 3))[:, None]
_TALK_NEIGHBOURS = np.array((-1, 1))[:, None]
_COMMENT = 0.5
_BEYOND = -7.0
"""The logit of a neighbour that is not there."""


def candidates(main: Floats) -> NDArray[np.int64]:
    """The blocks that are worth a second look."""
    return np.flatnonzero(main > RULED_OUT)


def refinement_inputs(
    page: PageFeatures, main: Floats, comment: Floats, kinds: Floats, rows: NDArray[np.int64]
) -> Floats:
    """One column for each of the candidate blocks `rows`, as the trees take them: a row of memory for each number."""
    found = native_inputs(page, main, comment, kinds, rows)
    return _by_numpy(page, main, comment, kinds, rows) if found is None else found


def _by_numpy(page: PageFeatures, main: Floats, comment: Floats, kinds: Floats, rows: NDArray[np.int64]) -> Floats:
    logits, talk = _logits(np.stack((main, comment)))
    parts: tuple[NDArray[np.generic] | Sequence[NDArray[np.generic] | float], ...] = (
        [logits[rows], talk[rows]],
        _neighbours(logits, rows, _NEIGHBOURS),
        _neighbours(talk, rows, _TALK_NEIGHBOURS),
        *_containers(page, main, comment, logits, rows),
        _standing(page, main, rows),
        _talk(page, main, comment, rows),
        kinds[:, None],
        page.dense.take(rows, axis=0).T,
        alike_inputs(page, main, comment, logits, rows),
        stretch_inputs(page, main, rows),
    )
    inputs = np.empty((sum(map(len, parts)), len(rows)), dtype=np.float32)
    place = 0
    for part in parts:
        if isinstance(part, np.ndarray):
            inputs[place : place + len(part)] = part
        else:
            for row, column in enumerate(part, place):
                inputs[row] = column
        place += len(part)
    return inputs


def _logits(probabilities: Floats) -> Floats:
    likely = np.clip(probabilities, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(likely / (1 - likely)), dtype=np.float32)


def _neighbours(logits: Floats, rows: NDArray[np.int64], steps: NDArray[np.int64]) -> Floats:
    reach = int(steps[-1, 0])
    padded = np.full(len(logits) + 2 * reach, _BEYOND, dtype=np.float32)
    padded[reach:-reach] = logits
    return padded.take(steps + (rows + reach))


def _containers(
    page: PageFeatures, main: Floats, comment: Floats, logits: Floats, rows: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Of each container above: the shares of its tokens that are likely content and comments, and the mean logit."""
    weights = page.weights
    sums = np.zeros((len(main) + 1, 4), dtype=np.float64)
    np.cumsum(np.stack((main * weights, comment * weights, logits, weights), axis=1), axis=0, out=sums[1:])
    starts, ends = page.spans[page.ancestors[rows].T].transpose(2, 0, 1)
    content, talk, logit, tokens = (sums.take(ends, axis=0) - sums.take(starts, axis=0)).transpose(2, 0, 1)
    np.maximum(tokens, 1, out=tokens)
    return content / tokens, talk / tokens, logit / np.maximum(ends - starts, 1)


def _standing(page: PageFeatures, main: Floats, rows: NDArray[np.int64]) -> list[Floats | float]:
    """Where the block stands among the page's blocks by probability, and to the first and last that would be kept."""
    weights = page.weights
    kept, expected = choose(main, weights)
    places = np.flatnonzero(kept)
    first, last = (int(places[0]), int(places[-1])) if len(places) else (0, 0)
    order = np.argsort(-main, kind="stable")
    likely = main * weights
    total, wanted = max(1.0, float(weights.sum())), float(likely.sum())
    sums = np.empty((2, len(main)), np.float32)
    sums[:, order] = np.cumsum(np.stack((weights, likely)).take(order, axis=1), axis=1)
    tokens, content = sums.take(rows, axis=1)
    return [
        tokens / total,
        content / max(1.0, wanted),
        expected,
        log1p(wanted),
        wanted / total,
        _signed_log(rows - first),
        _signed_log(rows - last),
    ]


def _talk(page: PageFeatures, main: Floats, comment: Floats, rows: NDArray[np.int64]) -> list[Floats | float]:
    """How much of the page is likely text, how much readers' comments, where these begin: article or thread?"""
    weights = page.weights
    body = np.zeros(len(main) + 1, dtype=np.float64)
    np.cumsum(main * (1 - comment) * weights, out=body[1:])
    talk, total = float((main * comment * weights).sum()), max(1.0, float(weights.sum()))
    begins = np.flatnonzero(comment > _COMMENT)
    first = int(begins[0]) if len(begins) else len(main)
    return [
        np.log1p(body[rows]).astype(np.float32),
        np.log1p(np.maximum(body[-1] - body[rows + 1], 0)).astype(np.float32),
        log1p(float(body[-1])),
        log1p(talk),
        talk / max(1.0, talk + float(body[-1])),
        float((comment * weights).sum()) / total,
        _signed_log(rows - first),
        log1p(float(body[first])),
    ]


def _signed_log(distance: NDArray[np.int64]) -> Floats:
    return np.asarray(np.sign(distance) * np.log1p(np.abs(distance)), dtype=np.float32)
