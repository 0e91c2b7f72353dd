"""What the network said of the blocks in places of the same looks, wherever on the page. Knows features and judgements.

The posts of a thread, the entries of a listing and the paragraphs of an article stand in elements of the same tags and
classes: what is doubtful in one of them is told by the others. A place is the closest container with its tags and
classes, or the one above it, or two above (`PageFeatures.places`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import LINKED, PLACES_EACH, Floats, PageFeatures

_WORDS = 1
"""The column of the dense features with the logarithm of a block's words."""
_ALONE = -7.0
"""The logit of the others, where there are none."""
EACH = 10


def alike_inputs(
    page: PageFeatures, main: Floats, comment: Floats, logits: Floats, rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """EACH rows for each level of places; a column for each of the blocks `rows`."""
    weights = page.weights
    count = len(main)
    _, group = np.unique(page.places, return_inverse=True)
    group = group.ravel()
    each = np.bincount(group)

    def total(values: Floats) -> NDArray[np.float64]:
        return np.asarray(np.bincount(group, np.tile(values, PLACES_EACH), len(each)), dtype=np.float64)

    at = np.tile(np.arange(count), PLACES_EACH)
    first, last = np.empty_like(each), np.empty_like(each)
    # Of several values for one place the last one stays.
    last[group] = at
    first[group[::-1]] = at[::-1]
    likely = main * weights
    tokens, content, logit = total(weights), total(likely), total(logits)
    some = np.maximum(tokens, 1)
    of_group = np.stack(
        (
            content / some,
            logit / each,
            total(comment * weights) / some,
            np.log1p(each),
            tokens / max(1.0, float(weights.sum())),
            content / max(1.0, float(likely.sum())),
            total(page.dense[:, LINKED]) / each,
            total(page.dense[:, _WORDS]) / each,
        )
    )
    own = group.reshape(PLACES_EACH, count).take(rows, axis=1)
    others = each[own] - 1
    found = np.empty((EACH, *own.shape))
    found[:-2] = of_group.take(own, axis=1)
    found[-2] = np.where(others > 0, (logit[own] - logits[rows]) / np.maximum(others, 1), _ALONE)
    found[-1] = (rows - first[own]) / np.maximum(last - first, 1)[own]
    return found.reshape(EACH * PLACES_EACH, len(rows))
