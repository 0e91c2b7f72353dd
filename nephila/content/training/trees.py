"""Boosted trees as the arrays that are run: symmetric ones (CatBoost) and ordinary ones (LightGBM). Knows numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.content.trees import forest, symmetric

DEPTH = 6
"""Of ordinary trees."""
SETTINGS: dict[str, Any] = {
    "loss_function": "CrossEntropy",
    "bootstrap_type": "Bernoulli",
    "subsample": 0.7,
    "thread_count": 1,
    "allow_writing_files": False,
    "verbose": False,
}
"""Of all symmetric trees; one thread, so that the same seed gives the same trees."""


def fit_trees(
    prefix: str, inputs: Floats, labels: Floats, weights: Floats, settings: Mapping[str, Any]
) -> dict[str, NDArray[np.generic]]:
    """Symmetric trees for labels between 0 and 1, as the weights that begin with the prefix."""
    import catboost

    booster = catboost.CatBoost(dict(settings))
    booster.fit(catboost.Pool(inputs, np.clip(labels, 0, 1), weight=weights))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trees.json"
        booster.save_model(str(path), format="json")
        arrays = arrays_of(json.loads(path.read_text()))
    return {f"{prefix}.{name}": array for name, array in arrays.items()}


def arrays_of(model: Mapping[str, Any]) -> dict[str, NDArray[np.generic]]:
    """CatBoost's description of its trees -> arrays. A tree that asks less is filled with questions nobody meets."""
    trees = model["oblivious_trees"]
    depth = max(len(tree["splits"] or ()) for tree in trees)
    features = np.zeros((len(trees), depth), dtype=np.int16)
    thresholds = np.full((len(trees), depth), np.inf, dtype=np.float32)
    values = np.zeros((len(trees), 2**depth), dtype=np.float32)
    for index, tree in enumerate(trees):
        for place, split in enumerate(tree["splits"] or ()):
            features[index, place] = split["float_feature_index"]
            thresholds[index, place] = split["border"]
        values[index, : len(tree["leaf_values"])] = tree["leaf_values"]
    scale, bias = model["scale_and_bias"]
    return {
        symmetric.FEATURE: features,
        symmetric.THRESHOLD: thresholds,
        symmetric.VALUE: (values * scale).astype(np.float32),
        symmetric.BIAS: np.array(bias, dtype=np.float32),
    }


def flattened(trees: Sequence[Mapping[str, Any]]) -> dict[str, NDArray[np.generic]]:
    """Trees as nested dictionaries -> complete trees in arrays."""
    features = np.zeros((len(trees), 2**DEPTH - 1), dtype=np.int16)
    thresholds = np.full((len(trees), 2**DEPTH - 1), np.inf, dtype=np.float32)
    values = np.zeros((len(trees), 2**DEPTH), dtype=np.float32)
    for index, tree in enumerate(trees):
        _place(tree["tree_structure"], 0, 0, features[index], thresholds[index], values[index])
    return {forest.FEATURE: features, forest.THRESHOLD: thresholds, forest.VALUE: values}


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
