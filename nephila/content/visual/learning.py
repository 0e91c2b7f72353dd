"""A site's own model, learned from its rendered pages alone: cluster, label, fit. Knows pages and models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nephila.content.visual.labelling import Bools, label_by_vote
from nephila.content.visual.model import GeneralModel, SiteModel, shipped
from nephila.content.visual.page import VisualPage
from nephila.content.visual.relevance import squeezed
from nephila.content.visual.svm import fit_svm
from nephila.content.visual.vocabulary import Floats, all_names, rows_of

LEAST_PAGES = 5
"""With fewer pages than this, what they have in common is chance."""
SITE_COST = 1.0
LEAST_COVERED = 0.5
"""A model that finds content on fewer of its own pages has learned something else than the content."""


READER_VOTE = 1.0
"""Of another reader of the same page, who goes by markup: as loud as a clear look."""


@dataclass(frozen=True, slots=True)
class SiteLesson:
    model: SiteModel
    labels: Bools
    """Of all blocks of all pages, in their order."""


def learn_site(
    pages: Sequence[VisualPage],
    judge: GeneralModel | None = None,
    least_pages: int = LEAST_PAGES,
    readings: Sequence[str | None] | None = None,
) -> SiteLesson | None:
    """None where the pages teach nothing: too few, no clusters, or none that speaks of what the descriptions say.

    `readings` are the pages' texts as another reader found them, page by page; where there is one, it has a vote.
    """
    readings = readings if readings is not None else [None] * len(pages)
    read = [(page, text) for page, text in zip(pages, readings, strict=True) if page.blocks]
    pages = [page for page, _ in read]
    if len(pages) < least_pages:
        return None
    judge = judge or shipped()
    heights = [judge.scores(page) + reader_votes(page, text) for page, text in read]
    labels = label_by_vote(pages, np.concatenate(heights))
    if not labels.any() or labels.all():
        return None
    owner = np.repeat(np.arange(len(pages)), [len(page.blocks) for page in pages])
    covered = len(np.unique(owner[labels])) / len(pages)
    if covered < LEAST_COVERED:
        return None
    rows, names = rows_of([block for page in pages for block in page.blocks], all_names)
    plane = fit_svm(rows, labels, SITE_COST)
    return SiteLesson(SiteModel.of(list(names), plane.weights, plane.bias, len(pages), round(covered, 4)), labels)


def reader_votes(page: VisualPage, text: str | None) -> Floats:
    """For each block whether the other reader has it in the page's text."""
    if not text:
        return np.zeros(len(page.blocks))
    whole = squeezed((text,))
    return np.array([READER_VOTE if squeezed((block.text,)) in whole else -READER_VOTE for block in page.blocks])
