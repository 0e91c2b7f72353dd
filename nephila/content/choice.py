"""Which blocks to keep, given how likely each one is content. Knows numbers only.

A fixed threshold is right for no page: where little is certain, a lower one finds more than it spoils. So the set is
chosen whose expected F1, over tokens, is the highest; it always is a set of the most probable blocks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.content.native.choice import native_choice

LEAST = 0.1
"""A page on which no block is as likely as this has no main text."""


def choose(probabilities: Floats, weights: Floats) -> tuple[NDArray[np.bool_], float]:
    """The blocks to keep, and the expected F1 of that choice."""
    return native_choice(probabilities, weights, LEAST) or _by_numpy(probabilities, weights)


def _by_numpy(probabilities: Floats, weights: Floats) -> tuple[NDArray[np.bool_], float]:
    kept = np.zeros(len(probabilities), dtype=bool)
    if not len(probabilities) or float(probabilities.max()) < LEAST:
        return kept, 0.0
    order = np.argsort(-probabilities, kind="stable")
    likely = (probabilities * weights)[order]
    found, right = np.cumsum(weights[order]), np.cumsum(likely)
    expected = 2 * right / (found + right[-1])
    best = int(np.argmax(expected))
    kept[order[: best + 1]] = True
    return kept, float(expected[best])
