"""Scores each page by a model that never saw its site, and learns from these scores. Knows examples and models.

What is learned here must come from pages that the model had not seen: what an expected F1 is worth (confidence), and
how much the memory of a site may overrule the model.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from nephila.content.choice import choose
from nephila.content.datasets import FOLDS
from nephila.content.features import Floats
from nephila.content.model import BlockModel, Judgement
from nephila.content.score import Score, bag_score, mean, segment_f1, segment_score
from nephila.content.site import SiteMemory, site_inputs
from nephila.content.training.examples import Example

Judgements = dict[tuple[str, str], Judgement]

_LEAST_SITE_PAGES = 5
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


def kept_text(example: Example, probabilities: Floats) -> str:
    kept, _ = choose(probabilities, example.features.weights)
    return "\n".join(text for text, keep in zip(example.texts, kept.tolist(), strict=True) if keep)


def groups_of(example: Example) -> list[str]:
    """The rows of the table that a page counts for: its set, and its kind, language or site within it."""
    sample = example.sample
    within = {"wcxb_dev": sample.kind, "waddle_daniel": sample.lang, "cn_wwwxmu": sample.site}.get(sample.set)
    return [sample.set] if within is None else [sample.set, f"{sample.set} {within}"]


def score_table(examples: Sequence[Example], probabilities: Mapping[tuple[str, str], Floats]) -> dict[str, Score]:
    """The score of each group: the page mean of token bags, or pooled segments where a set has only these."""
    bags: dict[str, list[Score]] = defaultdict(list)
    segments: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for example in examples:
        text, sample = kept_text(example, probabilities[example.key]), example.sample
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
        probabilities = judgements[example.key].main
        expected.append(choose(probabilities, example.features.weights)[1])
        real.append(bag_score(kept_text(example, probabilities), example.sample.gold).f1)
    order = np.argsort(expected)
    bins = [part for part in np.array_split(order, _CONFIDENCE_POINTS) if len(part)]
    x = np.array([np.mean([expected[index] for index in part]) for part in bins])
    y = np.maximum.accumulate([np.mean([real[index] for index in part]) for part in bins])
    return x.astype(np.float32), y.astype(np.float32)


def by_site(examples: Sequence[Example], least: int = _LEAST_SITE_PAGES) -> dict[str, list[Example]]:
    """The pages of each site that has enough of them, in the order of the data."""
    sites: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        sites[example.sample.site].append(example)
    return {site: pages for site, pages in sites.items() if len(pages) >= least}


def remember(pages: Sequence[Example], judgements: Judgements) -> SiteMemory:
    memory = SiteMemory()
    for page in pages:
        memory.learn(page.view, judgements[page.key].main)
    return memory


def _site_rows(pages: Sequence[Example], judgements: Judgements) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Inputs, labels and weights of the blocks of one site, each page judged by the memory of the others."""
    memory = remember(pages, judgements)
    for page in pages:
        if page.sample.segments_only:
            continue
        likely = np.clip(judgements[page.key].main, 1e-4, 1 - 1e-4)
        inputs = site_inputs(np.log(likely / (1 - likely)), memory.signals(page.view, likely))
        weights = np.sqrt(page.features.weights)
        share = (weights / max(1.0, float(weights.sum()))).astype(np.float32)
        yield inputs, page.labels.main, share


def fit_site(examples: Sequence[Example], judgements: Judgements) -> Floats:
    """The weights of the logistic model that joins the model's word with the site's."""
    from sklearn.linear_model import LogisticRegression

    rows = [row for pages in by_site(examples).values() for row in _site_rows(pages, judgements)]
    inputs, labels, weights = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    known = labels >= 0
    model = LogisticRegression(fit_intercept=False, C=10.0, max_iter=500)
    model.fit(inputs[known], labels[known] >= 0.5, sample_weight=weights[known])
    return np.asarray(model.coef_[0], dtype=np.float32)
