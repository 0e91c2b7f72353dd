"""Step 4: topical or not, by a table. Knows levels only.

Six features of three levels are 729 possible lines, so every classifier, trained, is a table of 729 answers. That is
how it is kept: exact, tiny, and without scikit-learn at run time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LEVELS = 3
FEATURES = 6
_PLACES = LEVELS ** np.arange(FEATURES)

Table = NDArray[np.bool_]


def cell(levels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The row of the table that each line belongs to."""
    return np.asarray(levels @ _PLACES)


def all_cells() -> NDArray[np.int64]:
    """The levels of each of the table's rows, in order."""
    numbers = np.arange(LEVELS**FEATURES)
    return (numbers[:, None] // _PLACES[None, :]) % LEVELS


def classify(levels: NDArray[np.int64], table: Table) -> NDArray[np.bool_]:
    """Which lines are topical."""
    return np.asarray(table[cell(levels)])
