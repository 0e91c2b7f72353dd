"""What the model says of a page's blocks, weighed against what the site's other pages say. Knows numbers.

Boosted trees see both: how sure the model is, how often the text was seen, what the model thought on other pages of
the places around it, and the same of the neighbours. They may take away only what repeats or stands in a bad place, and
do not count for all: for less than the model's own word on pages of kinds that they did not learn from.
docs/extraction-figures.md has what it is worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.content.judgement import KINDS, Judgement
from nephila.content.trees.symmetric import SymmetricTrees

_SHARE, _PLACE = 2, 5
"""Rows of the signals: the share of pages that had a text that began so, and the logit of the closest place."""
_PAGES, _WHOLE_SHARE = 0, 4
_EVERYWHERE, _ENOUGH, _FURNITURE = 0.8, np.log1p(5), 0.1
_HALF = 0.5
_SENTENCE = 6
"""Tokens of a text that says something; shorter ones that the model keeps ("Note", "Parameters") may well repeat."""
_REPEATS, _NOT_HERE = 0.05, -1.0
"""What repeats on a larger share of the pages, or stands where the model found no text, may be taken away."""
_KNOWN_KINDS = [KINDS.index("article"), KINDS.index("forum")]
"""The trees learned from sites of these: pages of other kinds go by the model's own word."""
_HEARD_FROM = np.float32(np.log1p(20))
"""The logarithm of the pages that a memory needs: a younger one costs more than it tells."""
_TRUST = 0.7
"""How much the trees count for beside the model's own word, on pages of known kinds: they learned from few sites."""
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


RISING = (0, 8, 12, 16)
FALLING = (4, 5, 6, 7)
"""Rows that speak for content the more (the model's own logit, those of the places), and against it (repetition)."""


def in_question(inputs: Floats) -> NDArray[np.bool_]:
    """The blocks that the model or the place does not rule out."""
    return np.asarray((inputs[0] > _LEAST) | (inputs[3 + _PLACE] > _LEAST_PLACE))


def with_site(trees: SymmetricTrees | None, judgement: Judgement, weights: Floats, signals: Floats) -> Floats:
    """The probabilities in the light of the site."""
    if trees is None:
        return judgement.main
    alone = judgement.main
    trust = _TRUST * float(judgement.kinds[_KNOWN_KINDS].sum()) if signals[_PAGES, 0] >= _HEARD_FROM else 0.0
    own = _logits(alone)
    # Of a site that is hardly known, as all are at first, the trees are not asked: nobody would hear them.
    main = _likely(trust * _logits(_told(trees, judgement, weights, signals)) + (1 - trust) * own if trust else own)
    # What stands on nearly all pages, word for word, is no page's own text, however much it looks like one.
    furniture = (signals[_WHOLE_SHARE] >= _EVERYWHERE) & (signals[_PAGES] >= _ENOUGH)
    furniture &= (weights >= _SENTENCE) | (alone < _HALF)
    main[furniture] = np.minimum(main[furniture], _FURNITURE)
    return main


def _told(trees: SymmetricTrees, judgement: Judgement, weights: Floats, signals: Floats) -> Floats:
    """What the trees say, as far as they may."""
    inputs = site_inputs(judgement, weights, signals)
    rows = in_question(inputs)
    alone = judgement.main
    told = alone.copy()
    told[rows] = trees.probabilities(inputs[:, rows])
    repeats = np.maximum(signals[_SHARE], signals[_WHOLE_SHARE]) >= _REPEATS
    unfounded = (told < alone) & ~repeats & (signals[_PLACE] > _NOT_HERE)
    told[unfounded] = alone[unfounded]
    return told


def _likely(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)


def _logits(probabilities: Floats) -> Floats:
    likely = np.clip(probabilities, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(likely / (1 - likely)), dtype=np.float32)


def _beside(values: Floats) -> tuple[Floats, Floats]:
    """The values of the blocks before and after; at the ends, its own."""
    return np.concatenate((values[:1], values[:-1])), np.concatenate((values[1:], values[-1:]))
