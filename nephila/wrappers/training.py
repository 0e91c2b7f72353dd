"""Trains the naming model from sites whose fields are known. Needs the extra `train`; knows candidates and scores.

The model is about channels, so sites of any vertical teach it. Each site is looked at with priors of different sizes,
none included, for a crawl begins with none. The second look learns from first looks by models that had not seen the
vertical.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.training.trees import flattened
from nephila.wrappers.comparison import Floats
from nephila.wrappers.naming import Candidates, Scorer, second_rows

_TREES = 200
_SETTINGS: dict[str, Any] = {
    "objective": "binary",
    "num_leaves": 8,
    "max_depth": 6,
    "learning_rate": 0.04,
    "min_data_in_leaf": 20,
    "min_sum_hessian_in_leaf": 0.05,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "seed": 1,
}
_EASY, _HARD = 60, 30
"""Of the slots of a site that are not the field: so many at random, and so many that look most like it."""
_SIMILARITIES = 10


@dataclass(slots=True)
class Lesson:
    """One site seen with one prior."""

    vertical: str
    candidates: Candidates
    rows: Mapping[str, Floats]
    """Field -> features of each slot."""
    right: Mapping[str, Floats]
    """Field -> 1 for the slots that hold it."""


def fit(lessons: Sequence[Lesson]) -> dict[str, NDArray[np.generic]]:
    """The weights of both looks."""
    first = _fit(lessons, "first")
    verticals = sorted({lesson.vertical for lesson in lessons})
    company: list[Lesson] = []
    for vertical in verticals:
        others = [lesson for lesson in lessons if lesson.vertical != vertical]
        scorer = Scorer(_fit(others, "first") if others else first, "first")
        for lesson in (each for each in lessons if each.vertical == vertical):
            seen = second_rows(lesson.candidates, {name: scorer(rows) for name, rows in lesson.rows.items()})
            rows = {name: np.hstack([lesson.rows[name], seen[name]]) for name in seen}
            company.append(Lesson(vertical, lesson.candidates, rows, lesson.right))
    return first | _fit(company, "second")


def _fit(lessons: Sequence[Lesson], prefix: str) -> dict[str, NDArray[np.generic]]:
    import lightgbm
    from sklearn.linear_model import LogisticRegression

    inputs, labels, weights = _gathered(lessons)
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0) + 1e-9
    linear = LogisticRegression(max_iter=100, tol=1e-3, C=0.3).fit((inputs - mean) / scale, labels, weights)
    booster = lightgbm.train(_SETTINGS, lightgbm.Dataset(inputs, labels, weight=weights), _TREES)
    trees = flattened(booster.dump_model()["tree_info"])
    return {
        f"{prefix}.mean": mean,
        f"{prefix}.scale": scale,
        f"{prefix}.linear": np.concatenate([linear.intercept_, linear.coef_[0]]),
        **{f"{prefix}.{name}": array for name, array in trees.items()},
    }


def _gathered(lessons: Sequence[Lesson]) -> tuple[Floats, Floats, Floats]:
    """Each field of each site counts alike, however many slots the site has."""
    random = np.random.default_rng(0)
    parts: list[tuple[Floats, Floats, Floats]] = []
    for lesson in lessons:
        for name, rows in lesson.rows.items():
            right = lesson.right[name]
            if not len(right):
                continue
            kept = (right > 0) | (random.random(len(right)) < _EASY / len(right))
            kept[np.argsort(-rows[:, :_SIMILARITIES].sum(axis=1))[:_HARD]] = True
            places = np.flatnonzero(kept)
            weights = np.where(right[places] > 0, 1 / max(1.0, right.sum()), 4 / len(places))
            parts.append((rows[places], right[places], weights))
    inputs, labels, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    return inputs, labels, weights
