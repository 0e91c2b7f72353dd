"""A site's own model, learned from its rendered pages alone: cluster, label, fit. Knows pages and models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nephila.content.visual.labelling import Bools, label_by_vote
from nephila.content.visual.model import GeneralModel, SiteModel, shipped
from nephila.content.visual.page import VisualPage
from nephila.content.visual.svm import fit_svm
from nephila.content.visual.vocabulary import all_names, rows_of

LEAST_PAGES = 5
"""With fewer pages than this, what they have in common is chance."""
SITE_COST = 1.0
LEAST_COVERED = 0.5
"""A model that finds content on fewer of its own pages has learned something else than the content."""


@dataclass(frozen=True, slots=True)
class SiteLesson:
    model: SiteModel
    labels: Bools
    """Of all blocks of all pages, in their order."""


def learn_site(
    pages: Sequence[VisualPage], judge: GeneralModel | None = None, least_pages: int = LEAST_PAGES
) -> SiteLesson | None:
    """None where the pages teach nothing: too few, no clusters, or none that speaks of what the descriptions say."""
    pages = [page for page in pages if page.blocks]
    if len(pages) < least_pages:
        return None
    judge = judge or shipped()
    labels = label_by_vote(pages, np.concatenate([judge.scores(page) for page in pages]))
    if not labels.any() or labels.all():
        return None
    owner = np.repeat(np.arange(len(pages)), [len(page.blocks) for page in pages])
    covered = len(np.unique(owner[labels])) / len(pages)
    if covered < LEAST_COVERED:
        return None
    rows, names = rows_of([block for page in pages for block in page.blocks], all_names)
    plane = fit_svm(rows, labels, SITE_COST)
    return SiteLesson(SiteModel.of(list(names), plane.weights, plane.bias, len(pages), round(covered, 4)), labels)
