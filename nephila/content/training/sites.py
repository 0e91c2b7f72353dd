"""Trains the trees that weigh the model's word against the site's, on sites with several pages. Knows examples.

The judgements must be of pages that the model had not seen; a page is shown with the memory of the others. So that the
trees know what a young memory is worth, each site is shown again with memories of few pages.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.content.model import SITE_TREES
from nephila.content.site.look import FALLING, RISING, in_question, site_inputs
from nephila.content.site.memory import SiteMemory
from nephila.content.training.examples import Example
from nephila.content.training.trees import SETTINGS, fit_trees
from nephila.content.training.validation import Judgements

_LEAST_SITE_PAGES = 5
_YOUNG = (1, 3, 8)
"""Pages of the memories of few pages."""
_SETTINGS: dict[str, Any] = {
    "iterations": 150,
    "learning_rate": 0.08,
    "depth": 5,
    "l2_leaf_reg": 20,
    "rsm": 0.5,
    "border_count": 64,
}


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


def fit_site(examples: Sequence[Example], judgements: Judgements, seed: int) -> dict[str, NDArray[np.generic]]:
    """The trees as weights; none when no site has several pages."""
    rows = [row for pages in by_site(examples).values() for row in _site_rows(pages, judgements, seed)]
    if not rows:
        return {}
    inputs = np.concatenate([part[0] for part in rows], axis=1).T
    labels, weights = (np.concatenate([part[place] for part in rows]) for place in (1, 2))
    # Where the gold of one site keeps what repeats on each page, others must not learn that repetition is good.
    steps = [int(row in RISING) - int(row in FALLING) for row in range(inputs.shape[1])]
    settings = SETTINGS | _SETTINGS | {"random_seed": seed, "monotone_constraints": steps}
    return fit_trees(SITE_TREES, inputs, labels, weights / weights.mean(), settings)


def _site_rows(pages: Sequence[Example], judgements: Judgements, seed: int) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Inputs, labels and weights of the blocks of one site; a site counts for more pages, not for each of a hundred."""
    share = 1 / np.sqrt(len(pages))
    whole = remember(pages, judgements)
    for page in pages:
        yield from _rows(page, judgements, whole.signals(page.view, judgements[page.key].main), share)
    for seen in _YOUNG:
        if seen < len(pages):
            first = random.Random(seed + seen).sample(range(len(pages)), seen)
            young = remember([pages[place] for place in first], judgements)
            for place, page in enumerate(pages):
                if place not in first:
                    yield from _rows(page, judgements, young.signals(page.view), share / len(_YOUNG))


def _rows(
    page: Example, judgements: Judgements, signals: Floats, share: float
) -> Iterator[tuple[Floats, Floats, Floats]]:
    if page.sample.segments_only:
        return
    inputs = site_inputs(judgements[page.key], page.features.weights, signals)
    known = in_question(inputs) & (page.labels.main >= 0)
    weights = np.sqrt(page.features.weights)
    weights *= share / max(1.0, float(weights.sum()))
    yield inputs[:, known], page.labels.main[known], weights[known].astype(np.float32)
