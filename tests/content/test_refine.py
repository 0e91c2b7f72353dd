"""What the second look is shown."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content.features import page_features
from nephila.content.refine import candidates, refinement_inputs
from nephila.document import parse


def test_the_second_look_sees_candidates_only_and_knows_the_ends() -> None:
    page = page_features(parse("<p>a</p><div><p>b b b</p><p>c</p></div><p>d</p>"))
    main = np.array([0.001, 0.9, 0.5, 0.3], np.float32)
    rows = candidates(main)
    assert rows.tolist() == [1, 2, 3]
    inputs = refinement_inputs(page, main, np.full(4, 0.1, np.float32), np.array([0.7, 0.3], np.float32), rows)
    assert inputs.shape[1] == 3
    assert np.isfinite(inputs).all()
    before, after = inputs[2], inputs[3]
    assert before[1] == pytest.approx(np.log(9), abs=1e-4)
    assert after[2] == -7
