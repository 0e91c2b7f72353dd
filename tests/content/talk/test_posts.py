"""What posts say of blocks, weighed with what the model thinks of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.judgement import KINDS, Judgement
from nephila.content.talk.posts import Mark, posts_wanted, with_posts

EVERY = np.array(list(Mark), dtype=np.uint8)
EVEN = np.ones(len(EVERY), np.float32)


def judged(main: NDArray[np.float32], thread: float) -> Judgement:
    kinds = np.zeros(len(KINDS), np.float32)
    kinds[KINDS.index("forum")] = thread
    return Judgement(main, np.zeros_like(main), kinds)


def test_what_is_written_in_a_post_is_likelier_text_and_what_stands_around_it_less() -> None:
    half = np.full(len(EVERY), 0.5, np.float32)
    main = with_posts(judged(half, 0.9), EVERY, EVEN).main
    assert main[Mark.OUTSIDE] < main[Mark.BESIDE] < 0.5 < main[Mark.WRITTEN]
    assert main[Mark.QUOTED] == np.float32(0.5)


def test_a_model_that_is_sure_is_not_overruled() -> None:
    sure = np.array([0.0, 1.0], np.float32)
    marks = np.array([Mark.WRITTEN, Mark.BESIDE], np.uint8)
    main = with_posts(judged(sure, 0.9), marks, EVEN[:2]).main
    assert main[0] < 0.01
    assert main[1] > 0.99
    assert np.isfinite(main).all()


def test_posts_without_much_of_the_likely_text_are_not_heard() -> None:
    judgement = judged(np.full(len(EVERY), 0.5, np.float32), 0.9)
    long_outside = np.array([40, 10, 10, 10], np.float32)
    assert with_posts(judgement, EVERY, long_outside) is judgement
    assert with_posts(judgement, EVERY, long_outside[::-1]) is not judgement


def test_posts_are_asked_of_threads_in_doubt() -> None:
    half = np.full(4, 0.5, np.float32)
    assert posts_wanted(judged(half, 0.9), 0.8)
    assert not posts_wanted(judged(half, 0.9), 0.97)
    assert not posts_wanted(judged(half, 0.4), 0.8)
