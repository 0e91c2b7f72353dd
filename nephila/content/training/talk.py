"""Trains the trees that tell readers' comments, on judgements of pages that the network had not seen. Knows examples.

Few sets have comments apart. Of the others, what is text of a page that is no thread is known to be none; that keeps
the trees from seeing comments in manuals and shops, of which the few sets have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.content.gold.labels import UNKNOWN
from nephila.content.judgement import Judgement
from nephila.content.talk.whole import TALK_TREES, talk_asked, talk_inputs
from nephila.content.training.examples import Example
from nephila.content.training.trees import SETTINGS, fit_trees
from nephila.content.trees.refine import candidates, refinement_inputs

_MOSTLY = 0.5
"""The share of a block that must be in the gold for a block of text, or of comments."""
_NO_COMMENTS_WEIGHT = 0.3
"""A page that tells only what no comment is."""
_GENEROUS = frozenset(("cleaneval",))
"""Sets whose gold counts comments among the text."""
_SETTINGS: dict[str, Any] = {
    "iterations": 200,
    "learning_rate": 0.07,
    "depth": 6,
    "l2_leaf_reg": 10,
    "rsm": 0.4,
    "border_count": 96,
}


def fit_talk(
    examples: Sequence[Example], judgements: Mapping[tuple[str, str], Judgement], seed: int
) -> dict[str, NDArray[np.generic]]:
    """The trees as weights; none when no page has comments apart."""
    rows = [row for example in examples for row in _rows(example, judgements[example.key])]
    if not any((labels > _MOSTLY).any() for _, labels, _ in rows):
        return {}
    inputs = np.concatenate([part[0] for part in rows], axis=1).T
    labels, weights = (np.concatenate([part[place] for part in rows]) for place in (1, 2))
    return fit_trees(TALK_TREES, inputs, labels, weights / weights.mean(), SETTINGS | _SETTINGS | {"random_seed": seed})


def _rows(example: Example, judgement: Judgement) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Inputs, labels and weights of the candidates of one page, where anything speaks for comments."""
    if not talk_asked(example.features, judgement):
        return
    places = candidates(judgement.main)
    labels, share = _labels(example)
    places = places[labels[places] >= 0]
    if not len(places):
        return
    seen = refinement_inputs(example.features, judgement.main, judgement.comment, judgement.kinds, places)
    weights = np.sqrt(example.features.weights[places])
    weights *= share / max(1.0, float(weights.sum()))
    yield np.concatenate((seen, talk_inputs(example.features, places))), labels[places], weights.astype(np.float32)


def _labels(example: Example) -> tuple[Floats, float]:
    """Of each block whether it is a comment, -1 where that is not known; and how much the page counts."""
    labels, sample = example.labels, example.sample
    if (labels.comments >= 0).any():
        return labels.comments, 1.0
    unknown = np.full(example.blocks, UNKNOWN, np.float32)
    if sample.set in _GENEROUS or sample.segments_only or sample.posts or sample.kind == "forum":
        return unknown, 0.0
    return np.where(labels.main >= _MOSTLY, np.float32(0), unknown), _NO_COMMENTS_WEIGHT
