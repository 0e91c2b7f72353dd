"""The trees in arrays answer as the trees that were trained."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content.trees.forest import Forest


def test_a_tree_by_hand() -> None:
    features = np.array([[0, 1, 0]])
    thresholds = np.array([[0.5, 2.0, np.inf]], np.float32)
    values = np.array([[-1.0, 1.0, 3.0, 3.0]], np.float32)
    likely = Forest(features, thresholds, values).probabilities(
        np.array([[0.5, 2.0], [0.0, 2.5], [0.6, 0.0]], np.float32)
    )
    assert likely == pytest.approx([1 / (1 + np.e), 1 / (1 + np.exp(-1)), 1 / (1 + np.exp(-3))])


def test_weights_without_trees_give_none() -> None:
    assert Forest.from_weights({"other": np.zeros(1)}) is None


def test_the_arrays_answer_as_the_booster() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    from nephila.content.training.trees import DEPTH, flattened

    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(4000, 6)).round(2).astype(np.float32)
    labels = ((inputs[:, 0] > 0.2) ^ (inputs[:, 3] * inputs[:, 1] > 0)).astype(float)
    settings = {"objective": "binary", "max_depth": DEPTH, "min_data_in_leaf": 20, "num_threads": 1, "verbose": -1}
    booster = lightgbm.train(settings, lightgbm.Dataset(inputs, labels), 30)
    forest = Forest.from_weights(flattened(booster.dump_model()["tree_info"]))
    assert forest is not None
    assert forest.probabilities(inputs) == pytest.approx(booster.predict(inputs), abs=1e-5)
