"""A linear support vector machine with class weights, in numpy alone. Knows rows and labels only.

The primal problem with squared hinge loss, min ½|w|² + Σ cᵢ max(0, 1 - yᵢ(w·xᵢ + b))², is smooth and convex: Newton's
steps, each solved by conjugate gradients, reach the one minimum in a dozen rounds. A site's model is thus learned
within a crawl, where no training library is installed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nephila.content.visual.vocabulary import Floats, Rows

_ROUNDS = 60
_GRADIENT_ROUNDS = 80
_DONE = 1e-3
"""The gradient beside the first one; a Newton step is followed as far as `_NEAR`."""
_NEAR = 1e-3


@dataclass(frozen=True, slots=True)
class Plane:
    """What separates the classes: positive above it."""

    weights: Floats
    bias: float

    def heights(self, rows: Rows) -> Floats:
        return rows.dot(self.weights) + self.bias


def fit_svm(rows: Rows, labels: NDArray[np.bool_], cost: float, positive_weight: float | None = None) -> Plane:
    """`positive_weight` None: so much that both classes weigh the same, which is the paper's choice."""
    if positive_weight is None:
        positive_weight = float((~labels).sum()) / max(1.0, float(labels.sum()))
    signs = np.where(labels, 1.0, -1.0)
    costs = np.where(labels, cost * positive_weight, cost)
    place = np.zeros(rows.width + 1)  # the bias is the last, and is not shrunk
    margins = 1.0 - signs * _heights(rows, place)
    value = _value(place, margins, costs)
    first = 0.0
    for _ in range(_ROUNDS):
        active = margins > 0
        pull = np.where(active, -2.0 * costs * signs * margins, 0.0)
        gradient = _regular(place) + _back(rows, pull)
        size = float(np.linalg.norm(gradient))
        first = first or size
        if size <= _DONE * first:
            break
        # Only rows on the wrong side of their margin bend the function, and soon these are few.
        step = _newton_step(rows.take(active), gradient, 2.0 * costs[active])
        place, margins, value, moved = _line_search(rows, place, step, signs, costs, value, gradient)
        if not moved:
            break
    return Plane(place[:-1], float(place[-1]))


def _heights(rows: Rows, place: Floats) -> Floats:
    return rows.dot(place[:-1]) + float(place[-1])


def _back(rows: Rows, pull: Floats) -> Floats:
    return np.append(rows.dot_transposed(pull), pull.sum())


def _regular(place: Floats) -> Floats:
    shrunk = place.copy()
    shrunk[-1] = 0.0
    return shrunk


def _value(place: Floats, margins: Floats, costs: Floats) -> float:
    return float(0.5 * place[:-1] @ place[:-1] + costs @ np.square(np.maximum(margins, 0)))


def _newton_step(rows: Rows, gradient: Floats, curvature: Floats) -> Floats:
    """Conjugate gradients on the Hessian, which is never written down but for its diagonal, the preconditioner."""
    diagonal = np.append(1.0 + rows.squares(curvature), curvature.sum() + 1e-9)
    step = np.zeros_like(gradient)
    residual = -gradient
    eased = residual / diagonal
    direction = eased.copy()
    size = float(residual @ eased)
    enough = size * _NEAR
    for _ in range(_GRADIENT_ROUNDS):
        image = _regular(direction) + _back(rows, curvature * _heights(rows, direction))
        bend = float(direction @ image)
        if bend <= 0:
            break
        step += (length := size / bend) * direction
        residual -= length * image
        eased = residual / diagonal
        before, size = size, float(residual @ eased)
        if size <= enough:
            break
        direction = eased + size / before * direction
    return step


def _line_search(
    rows: Rows, place: Floats, step: Floats, signs: Floats, costs: Floats, value: float, gradient: Floats
) -> tuple[Floats, Floats, float, bool]:
    slope = float(gradient @ step)
    length = 1.0
    for _ in range(30):
        tried = place + length * step
        margins = 1.0 - signs * _heights(rows, tried)
        reached = _value(tried, margins, costs)
        if reached <= value + 1e-4 * length * slope:
            return tried, margins, reached, True
        length /= 2
    return place, 1.0 - signs * _heights(rows, place), value, False
