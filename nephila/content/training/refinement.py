"""Trains the trees of the second look, on judgements of pages that the network had not seen. Knows examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.content.judgement import Judgement
from nephila.content.model import TREES
from nephila.content.training.batches import page_weight
from nephila.content.training.examples import Example
from nephila.content.training.trees import SETTINGS, fit_trees
from nephila.content.trees.refine import candidates, refinement_inputs

# Sets that tell only segments know a handful of blocks of a page, and those are not drawn evenly.
SEGMENTS_WEIGHT = 0.1
_SETTINGS: dict[str, Any] = {
    "iterations": 300,
    "learning_rate": 0.07,
    "depth": 6,
    "l2_leaf_reg": 10,
    "rsm": 0.4,
    "border_count": 96,
}


def fit_refinement(
    examples: Sequence[Example], judgements: Mapping[tuple[str, str], Judgement], seed: int
) -> dict[str, NDArray[np.generic]]:
    """The trees as the arrays that `symmetric` reads."""
    rows = [_rows(example, judgements[example.key]) for example in examples]
    inputs = np.concatenate([part[0] for part in rows], axis=1).T
    labels, weights = (np.concatenate([part[place] for part in rows]) for place in (1, 2))
    return fit_trees(TREES, inputs, labels, weights / weights.mean(), SETTINGS | _SETTINGS | {"random_seed": seed})


def _rows(example: Example, judgement: Judgement) -> tuple[Floats, Floats, Floats]:
    """Inputs, labels and weights of the candidates of one page; all pages count alike, longer blocks more."""
    places = candidates(judgement.main)
    places = places[example.labels.main[places] >= 0]
    inputs = refinement_inputs(example.features, judgement.main, judgement.comment, judgement.kinds, places)
    weights = np.sqrt(example.features.weights[places])
    weight = page_weight(example) * (1.0 if example.labels.gold_tokens else SEGMENTS_WEIGHT)
    share = weights / max(1.0, float(weights.sum())) * weight
    return inputs, example.labels.main[places], share.astype(np.float32)
