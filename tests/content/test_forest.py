"""The trees in arrays answer as the trees that were trained."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content.features import page_features
from nephila.content.forest import Forest
from nephila.content.refine import candidates, refinement_inputs
from nephila.document import parse


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
    from nephila.content.training.refinement import _SETTINGS, flattened

    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(4000, 6)).round(2).astype(np.float32)
    labels = ((inputs[:, 0] > 0.2) ^ (inputs[:, 3] * inputs[:, 1] > 0)).astype(float)
    settings = _SETTINGS | {"min_data_in_leaf": 20}
    booster = lightgbm.train(settings, lightgbm.Dataset(inputs, labels), 30)
    forest = Forest.from_weights(flattened(booster.dump_model()["tree_info"]))
    assert forest is not None
    assert forest.probabilities(inputs) == pytest.approx(booster.predict(inputs), abs=1e-5)


def test_the_second_look_sees_candidates_only_and_knows_the_ends() -> None:
    page = page_features(parse("<p>a</p><div><p>b b b</p><p>c</p></div><p>d</p>"))
    main = np.array([0.001, 0.9, 0.5, 0.3], np.float32)
    rows = candidates(main)
    assert rows.tolist() == [1, 2, 3]
    inputs = refinement_inputs(page, main, np.full(4, 0.1, np.float32), np.array([0.7, 0.3], np.float32), rows)
    assert inputs.shape[0] == 3
    assert np.isfinite(inputs).all()
    before, after = inputs[:, 2], inputs[:, 3]
    assert before[1] == pytest.approx(np.log(9), abs=1e-4)
    assert after[2] == -7
