"""Trains the trees of the second look, on judgements of pages that the network had not seen. Knows examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.features import Floats
from nephila.content.forest import FEATURE, THRESHOLD, VALUE
from nephila.content.model import Judgement
from nephila.content.refine import candidates, refinement_inputs
from nephila.content.training.batches import page_weight
from nephila.content.training.examples import Example

DEPTH = 6
TREES = 160
# Sets that tell only segments know a handful of blocks of a page, and those are not drawn evenly.
SEGMENTS_WEIGHT = 0.1
_SETTINGS: dict[str, Any] = {
    "objective": "cross_entropy",
    "learning_rate": 0.07,
    "num_leaves": 31,
    "max_depth": DEPTH,
    "min_data_in_leaf": 200,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
}


def fit_refinement(
    examples: Sequence[Example], judgements: Mapping[tuple[str, str], Judgement], seed: int
) -> dict[str, NDArray[np.generic]]:
    """The trees as the arrays that `forest` reads."""
    import lightgbm

    rows = [_rows(example, judgements[example.key]) for example in examples]
    inputs, labels, weights = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    data = lightgbm.Dataset(inputs, labels, weight=weights / weights.mean())
    booster = lightgbm.train(_SETTINGS | {"seed": seed}, data, TREES)
    return flattened(booster.dump_model()["tree_info"])


def _rows(example: Example, judgement: Judgement) -> tuple[Floats, Floats, Floats]:
    """Inputs, labels and weights of the candidates of one page; all pages count alike, longer blocks more."""
    places = candidates(judgement.main)
    places = places[example.labels.main[places] >= 0]
    inputs = refinement_inputs(example.features, judgement.main, judgement.comment, judgement.kinds, places)
    weights = np.sqrt(example.features.weights[places])
    weight = page_weight(example) * (1.0 if example.labels.gold_tokens else SEGMENTS_WEIGHT)
    share = weights / max(1.0, float(weights.sum())) * weight
    return inputs, example.labels.main[places], share.astype(np.float32)


def flattened(trees: Sequence[Mapping[str, Any]]) -> dict[str, NDArray[np.generic]]:
    """Trees as nested dictionaries -> complete trees in arrays."""
    features = np.zeros((len(trees), 2**DEPTH - 1), dtype=np.int16)
    thresholds = np.full((len(trees), 2**DEPTH - 1), np.inf, dtype=np.float32)
    values = np.zeros((len(trees), 2**DEPTH), dtype=np.float32)
    for index, tree in enumerate(trees):
        _place(tree["tree_structure"], 0, 0, features[index], thresholds[index], values[index])
    return {FEATURE: features, THRESHOLD: thresholds, VALUE: values}


def _place(node: Mapping[str, Any], place: int, depth: int, features: Any, thresholds: Any, values: Any) -> None:
    if "leaf_value" in node:
        # All leaves below this place are this one.
        start = (place + 1) * 2 ** (DEPTH - depth) - 2**DEPTH
        values[start : start + 2 ** (DEPTH - depth)] = node["leaf_value"]
        return
    features[place] = node["split_feature"]
    thresholds[place] = _rounded_down(node["threshold"])
    _place(node["left_child"], 2 * place + 1, depth + 1, features, thresholds, values)
    _place(node["right_child"], 2 * place + 2, depth + 1, features, thresholds, values)


def _rounded_down(threshold: float) -> np.float32:
    """The largest single that is not above: `x <= threshold` stays true for the same singles."""
    rounded = np.float32(threshold)
    return np.nextafter(rounded, np.float32(-np.inf)) if rounded > threshold else rounded
