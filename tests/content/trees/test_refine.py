"""What the second look is shown."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content.features.page import Floats, PageFeatures, page_features
from nephila.content.trees.alike import EACH, alike_inputs
from nephila.content.trees.refine import candidates, refinement_inputs
from nephila.content.trees.stretches import stretch_inputs
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


def _inputs_of(html: str, main: list[float]) -> tuple[PageFeatures, Floats, Floats]:
    page = page_features(parse(html))
    likely = np.array(main, np.float32)
    return page, likely, np.log(likely / (1 - likely))


def test_places_of_the_same_looks_tell_of_each_other_wherever_they_stand() -> None:
    post = "<div class=post><p>{}</p></div>"
    html = post.format("a b") + "<ul><li>c</li></ul>" + post.format("d e") + "<div class=ad><p>f</p></div>"
    page, main, logits = _inputs_of(html, [0.9, 0.2, 0.5, 0.1])
    found = alike_inputs(page, main, np.zeros(4, np.float32), logits, np.arange(4)).reshape(EACH, -1, 4)
    content, count, others, standing = found[0], found[3], found[-2], found[-1]
    assert content[1].tolist() == pytest.approx([0.7, 0.2, 0.7, 0.1], abs=1e-6)
    assert np.expm1(count[1]).tolist() == pytest.approx([2, 1, 2, 1])
    assert others[1].tolist() == pytest.approx([0, -7, np.log(9), -7], abs=1e-5)
    assert standing[1].tolist() == [0, 0, 1, 0]


def test_a_block_knows_the_text_close_to_it_and_the_container_that_holds_most() -> None:
    html = "<p>menu</p><div><p>a a a a</p><p>b b b b</p></div><p>foot</p>"
    page, main, _ = _inputs_of(html, [0.01, 0.99, 0.99, 0.01])
    found = stretch_inputs(page, main, np.arange(4))
    before, after = np.expm1(found[0]), np.expm1(found[2])
    assert before == pytest.approx([0, 0.01, 3.97, 7.93], abs=1e-5)
    assert after == pytest.approx([7.93, 3.97, 0.01, 0], abs=1e-5)
    assert np.expm1(found[8]) == pytest.approx([200, 200, 1, 1])
    inside, outside = found[12], found[13]
    assert np.asarray(inside).tolist() == [False, True, True, False]
    assert np.sign(outside).tolist() == [-1, 0, 0, 1]
