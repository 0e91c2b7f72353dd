"""What a reader of posts saw on a thread, weighed with what the model thinks of its blocks. Knows numbers only.

The model judges block by block: in a thread of short answers a signature, a rank or "joined 2009" looks much like them.
What reads posts sees them whole, by the template that made them, and tells what in each is written and what stands
beside it. Neither is always right, so its word is added to the model's odds. Of quotations it says nothing: whether
they are text is a matter of taste, on which the sets of gold differ, and the model's own.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.content.judgement import KINDS, Judgement
from nephila.document import Document


class Mark(IntEnum):
    """What a block of a thread is."""

    OUTSIDE = 0
    BESIDE = 1
    """In a post, but not of its text: who wrote it, when, what can be done with it."""
    QUOTED = 2
    WRITTEN = 3


Marks = NDArray[np.uint8]
"""Of each block of a page, its `Mark`."""
PostsOf = Callable[[Document], Marks | None]
"""Reads the posts of a page; None where there are none to be seen, or hardly anything is in them."""

_THREAD = KINDS.index("forum")
_LIKELY = 0.5
_IN_DOUBT = 0.92
"""The expected F1 from which on a text is left as it is: to read posts takes five times as long as all the rest."""
_ODDS = np.array([-4.0, -2.0, 0.0, 2.0], dtype=np.float32)
"""By mark, what is added to the logit that a block is text: docs/extraction-tried.md has the figures."""
_MOST_OUTSIDE = 0.3
"""Of the likely text: more is posts that were not seen, the first one as a rule, or an article above its comments."""
_LEAST = np.float32(1e-4)


def posts_wanted(judgement: Judgement, expected: float) -> bool:
    """Whether a page is a thread, and what the model would keep, with this expected F1, is not sure to be its text."""
    return bool(judgement.kinds[_THREAD] >= _LIKELY) and expected < _IN_DOUBT


def with_posts(judgement: Judgement, marks: Marks, weights: Floats) -> Judgement:
    """The judgement of a thread, with what its posts tell; `weights` are the tokens of its blocks."""
    likely = judgement.main * weights
    if likely[marks == Mark.OUTSIDE].sum() > _MOST_OUTSIDE * likely.sum():
        return judgement
    return Judgement(_weighed(judgement.main, marks), judgement.comment, judgement.kinds)


def _weighed(main: Floats, marks: Marks) -> Floats:
    likely = np.clip(main, _LEAST, 1 - _LEAST)
    logits = np.log(likely / (1 - likely)) + _ODDS[marks]
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)
