"""Scores each page by a model that never saw its site, and learns from these scores. Knows examples and models.

What is learned here must come from pages that the model had not seen: what an expected F1 is worth (confidence).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nephila.content.features.page import Floats
from nephila.content.gold.datasets import FOLDS
from nephila.content.judgement import Judgement
from nephila.content.keeping import keep
from nephila.content.model import BlockModel
from nephila.content.score import Score, bag_score, mean, segment_f1, segment_score
from nephila.content.training.examples import Example

Judgements = dict[tuple[str, str], Judgement]

_CONFIDENCE_POINTS = 21


def judge_folds(
    examples: Sequence[Example],
    train: Callable[[Sequence[Example], int], BlockModel],
    folds: Sequence[int] = range(FOLDS),
) -> Judgements:
    """The judgement of each page by a model trained on the other folds."""
    found: Judgements = {}
    for fold in folds:
        model = train([example for example in examples if example.sample.fold != fold], fold)
        for example in examples:
            if example.sample.fold == fold:
                found[example.key] = model.judge(example.features)
    return found


def kept_text(example: Example, judgement: Judgement, main: Floats | None = None) -> str:
    kept, _ = keep(judgement, example.features, example.texts, main)
    return "\n".join(text for text, keep in zip(example.texts, kept.tolist(), strict=True) if keep)


def groups_of(example: Example) -> list[str]:
    """The rows of the table that a page counts for: its set, and its kind, language or site within it."""
    sample = example.sample
    within = {"wcxb_dev": sample.kind, "waddle_daniel": sample.lang, "cn_wwwxmu": sample.site}.get(sample.set)
    return [sample.set] if within is None else [sample.set, f"{sample.set} {within}"]


def score_table(examples: Sequence[Example], judgements: Mapping[tuple[str, str], Judgement]) -> dict[str, Score]:
    """The score of each group: the page mean of token bags, or pooled segments where a set has only these."""
    bags: dict[str, list[Score]] = defaultdict(list)
    segments: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for example in examples:
        text, sample = kept_text(example, judgements[example.key]), example.sample
        for group in groups_of(example):
            if sample.segments_only:
                segments[group].append(segment_score(text, sample.wanted, sample.unwanted))
            else:
                bags[group].append(bag_score(text, sample.gold))
    table = {group: mean(scores) for group, scores in bags.items()}
    return dict(sorted((table | {group: segment_f1(counts) for group, counts in segments.items()}).items()))


def fit_confidence(examples: Sequence[Example], judgements: Judgements) -> tuple[Floats, Floats]:
    """Expected F1 -> the mean F1 that it came to: a rising line through bins of equally many pages."""
    expected, real = [], []
    for example in examples:
        if example.sample.segments_only:
            continue
        judgement = judgements[example.key]
        expected.append(keep(judgement, example.features, example.texts)[1])
        real.append(bag_score(kept_text(example, judgement), example.sample.gold).f1)
    order = np.argsort(expected)
    bins = [part for part in np.array_split(order, _CONFIDENCE_POINTS) if len(part)]
    x = np.array([np.mean([expected[index] for index in part]) for part in bins])
    y = np.maximum.accumulate([np.mean([real[index] for index in part]) for part in bins])
    return x.astype(np.float32), y.astype(np.float32)
