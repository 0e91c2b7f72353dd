from __future__ import annotations

import numpy as np
import pytest

from nephila.content.visual.svm import fit_svm
from nephila.content.visual.vocabulary import Rows, css_names, rows_of
from tests.content.visual.pages import block


def _rows(count: int, seed: int) -> tuple[Rows, np.ndarray]:
    chance = np.random.default_rng(seed)
    dense = chance.normal(size=(count, 4))
    owners = np.repeat(np.arange(count), 3)
    columns = chance.integers(0, 12, size=3 * count)
    keep = np.unique(owners * 100 + columns)
    rows = Rows(keep % 100, keep // 100, 12, dense, 0.5)
    labels = dense[:, 0] + 0.8 * dense[:, 1] + 0.3 * chance.normal(size=count) > 0.6
    return rows, labels


def test_it_is_the_plane_that_scikit_learn_finds() -> None:
    svm = pytest.importorskip("sklearn.svm")
    rows, labels = _rows(400, 1)
    full = np.zeros((400, 16))
    full[:, :4] = rows.dense
    full[rows.owners, 4 + rows.columns] = rows.scale
    peer = svm.LinearSVC(C=0.3, class_weight={1: 2.0}, dual=False, intercept_scaling=1000, tol=1e-8, max_iter=50_000)
    peer.fit(full, labels)
    plane = fit_svm(rows, labels, 0.3, 2.0)
    np.testing.assert_allclose(plane.heights(rows), peer.decision_function(full), atol=0.02)


def test_both_classes_weigh_the_same_unless_told_otherwise() -> None:
    rows, labels = _rows(400, 2)
    labels &= np.random.default_rng(3).random(400) < 0.2
    eager, strict = fit_svm(rows, labels, 1.0), fit_svm(rows, labels, 1.0, 1.0)
    assert (eager.heights(rows) > 0).sum() > (strict.heights(rows) > 0).sum()


def test_rows_of_unknown_names_are_left_out() -> None:
    known = {"color:red": 0}
    rows, names = rows_of([block("a", color="red", float="left"), block("b", color="blue")], css_names, known)
    assert names == known
    assert rows.dot(np.array([2.0])).tolist() == [2.0, 0.0]
    assert rows.take(np.array([False, True])).dot(np.array([2.0])).tolist() == [0.0]
