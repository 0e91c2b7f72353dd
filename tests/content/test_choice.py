"""The chosen set has the highest expected F1 of all sets."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.content.choice import LEAST, choose

blocks = st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 50)), min_size=1, max_size=6)


@given(blocks)
def test_no_other_set_is_expected_to_score_higher(pairs: list[tuple[float, int]]) -> None:
    likely = np.array([p for p, _ in pairs], np.float32)
    weights = np.array([w for _, w in pairs], np.float32)
    kept, expected = choose(likely, weights)
    if likely.max() < LEAST:
        assert not kept.any()
        return
    wanted = (likely * weights).sum()
    best = max(
        2 * (likely * weights)[list(mask)].sum() / (weights[list(mask)].sum() + wanted)
        for mask in (np.array(bits, bool) for bits in product((0, 1), repeat=len(pairs)))
        if mask.any()
    )
    assert expected == pytest.approx(best)
    assert expected == pytest.approx(2 * (likely * weights)[kept].sum() / (weights[kept].sum() + wanted))


def test_an_empty_page_keeps_nothing() -> None:
    kept, expected = choose(np.zeros(0, np.float32), np.zeros(0, np.float32))
    assert len(kept) == 0
    assert expected == 0
