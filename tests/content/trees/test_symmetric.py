"""The symmetric trees in arrays answer as the trees that were trained."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content.trees import symmetric
from nephila.content.trees.symmetric import SymmetricTrees
from nephila.native import load


def test_a_tree_by_hand() -> None:
    features = np.array([[0, 1]])
    thresholds = np.array([[0.5, 2.0]], np.float32)
    values = np.array([[-1.0, 1.0, 3.0, 5.0]], np.float32)  # neither, the first, the second, both
    rows = np.array([[0.5, 2.0], [0.6, 0.0], [0.0, 2.5], [1.0, 3.0]], np.float32)
    likely = SymmetricTrees(features, thresholds, values, 0.5).probabilities(rows.T)
    assert likely == pytest.approx(1 / (1 + np.exp(-np.array([-0.5, 1.5, 3.5, 5.5]))))


def test_no_rows_no_answers() -> None:
    trees = SymmetricTrees(np.array([[0]]), np.zeros((1, 1), np.float32), np.ones((1, 2), np.float32), 0.0)
    assert trees.probabilities(np.zeros((3, 0), np.float32)).shape == (0,)


@pytest.mark.skipif(load() is None, reason="no native library: there was no C compiler at installation")
@pytest.mark.parametrize("columns", [0, 1, 63, 64, 65, 300])
def test_the_native_library_answers_alike(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(columns)
    features, thresholds = rng.integers(0, 9, (40, 6)), rng.normal(size=(40, 6)).astype(np.float32)
    values, inputs = rng.normal(size=(40, 64)).astype(np.float32), rng.normal(size=(9, 400)).astype(np.float32)
    some = inputs[:, 7 : 7 + columns]  # rows that do not follow each other
    picked = inputs[:, rng.permutation(400) < columns]  # columns that do
    trees = SymmetricTrees(features, thresholds, values, 0.5)
    natively = trees.logits(some), trees.logits(picked)
    monkeypatch.setattr(symmetric, "_library", lambda: None)
    by_numpy = SymmetricTrees(features, thresholds, values, 0.5)
    monkeypatch.setattr(SymmetricTrees, "_natively", None)
    for mine, other in zip(natively, (some, picked), strict=True):
        # Of a single column numpy adds the leaves in another order.
        assert mine == pytest.approx(by_numpy.logits(other), abs=1e-5 if columns == 1 else 0, rel=0)


@pytest.mark.skipif(load() is None, reason="no native library: there was no C compiler at installation")
def test_columns_that_were_picked_are_answered_by_the_library_too(monkeypatch: pytest.MonkeyPatch) -> None:
    trees = SymmetricTrees(np.array([[0]]), np.zeros((1, 1), np.float32), np.ones((1, 2), np.float32), 0.0)
    asked: list[tuple[int, ...]] = []
    monkeypatch.setattr(trees, "_natively", lambda _, inputs: asked.append(inputs.shape))
    inputs = np.zeros((3, 50), np.float32)
    trees.logits(inputs[:, np.arange(50) % 2 == 0])
    assert asked == [(3, 25)]


def test_weights_without_trees_give_none() -> None:
    assert SymmetricTrees.from_weights({"other": np.zeros(1)}, "x") is None


def test_the_arrays_answer_as_the_booster() -> None:
    catboost = pytest.importorskip("catboost")
    from nephila.content.training.trees import fit_trees

    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(3000, 6)).round(2).astype(np.float32)
    labels = ((inputs[:, 0] > 0.2) ^ (inputs[:, 3] * inputs[:, 1] > 0)).astype(np.float32)
    settings = {
        "loss_function": "CrossEntropy",
        "iterations": 30,
        "depth": 4,
        "random_seed": 1,
        "thread_count": 1,
        "allow_writing_files": False,
        "verbose": False,
    }
    trees = SymmetricTrees.from_weights(fit_trees("x", inputs, labels, np.ones_like(labels), settings), "x")
    assert trees is not None
    booster = catboost.CatBoost(settings).fit(inputs, labels)
    expected = booster.predict(inputs, prediction_type="Probability")[:, 1]
    assert trees.probabilities(np.ascontiguousarray(inputs.T)) == pytest.approx(expected, abs=1e-5)
