"""What the model says of a page's blocks, weighed against what the site's other pages say. Knows numbers.

Boosted trees see both: how sure the model is, how often the text was seen, what the model thought on other pages of
the places around it, and the same of the neighbours. docs/extraction.md has what it is worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.features import Floats
from nephila.content.judgement import Judgement
from nephila.content.symmetric import SymmetricTrees

_SHARE, _PLACE = 1, 3
"""Rows of the signals: the share of pages that had the text, and the logit of the closest place."""
_LEAST, _LEAST_PLACE = -6.8, -4.0
"""Blocks that both the model and the place rule out are not looked at."""


def site_inputs(judgement: Judgement, weights: Floats, signals: Floats) -> Floats:
    """What the trees see: a column for each block."""
    logits = _logits(judgement.main)
    rows = [
        logits,
        _logits(judgement.comment),
        np.log1p(weights),
        *signals,
        *_beside(signals[_PLACE]),
        *_beside(signals[_SHARE]),
        *_beside(logits),
    ]
    known = len(rows)
    inputs = np.empty((known + len(judgement.kinds), len(logits)), dtype=np.float32)
    for place, row in enumerate(rows):
        inputs[place] = row
    inputs[known:] = judgement.kinds[:, None]
    return inputs


def in_question(inputs: Floats) -> NDArray[np.bool_]:
    """The blocks that the model or the place does not rule out."""
    return np.asarray((inputs[0] > _LEAST) | (inputs[3 + _PLACE] > _LEAST_PLACE))


def with_site(trees: SymmetricTrees | None, judgement: Judgement, weights: Floats, signals: Floats) -> Floats:
    """The probabilities in the light of the site."""
    if trees is None:
        return judgement.main
    inputs = site_inputs(judgement, weights, signals)
    rows = in_question(inputs)
    main = judgement.main.copy()
    main[rows] = trees.probabilities(inputs[:, rows])
    return main


def _logits(probabilities: Floats) -> Floats:
    likely = np.clip(probabilities, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(likely / (1 - likely)), dtype=np.float32)


def _beside(values: Floats) -> tuple[Floats, Floats]:
    """The values of the blocks before and after; at the ends, its own."""
    return np.concatenate((values[:1], values[:-1])), np.concatenate((values[1:], values[-1:]))
