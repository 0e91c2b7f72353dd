"""Labels that nobody wrote: which cluster of a site's blocks is its content (the paper's algorithm 1).

On a single page a comment may be closer to the description than the text is; over all pages of the site it never is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nephila.content.visual.clustering import NOISE, Ints, clusters_of
from nephila.content.visual.page import VisualPage
from nephila.content.visual.relevance import relevance
from nephila.content.visual.vocabulary import Floats

Bools = NDArray[np.bool_]

_MOST_TEMPLATES = 8
_LONGEST_GOLD = 100_000
_LOUDEST = 2.0
"""No single block decides a vote."""
_DOUBTFUL = -0.5


def hints_of(page: VisualPage) -> list[str]:
    """The page's descriptions; of a page that has none, its titles."""
    return page.descriptions or page.titles


def site_relevance(pages: Sequence[VisualPage]) -> Ints:
    """Of every block of the site, how much of its page's description it holds."""
    scores = [relevance([block.text for block in page.blocks], hints_of(page)) for page in pages]
    return np.array([score for page in scores for score in page], dtype=np.int64)


def content_cluster(clusters: Ints, scores: Ints) -> int | None:
    """Algorithm 1: the cluster with the highest sum of relevance over the whole site."""
    eligible = clusters != NOISE
    if not eligible.any():
        return None
    totals = np.bincount(clusters[eligible], weights=scores[eligible])
    best = int(np.argmax(totals))
    return best if totals[best] > 0 else None


def label_site(pages: Sequence[VisualPage], *, templates: bool = False) -> Bools:
    """True for the blocks of the content's cluster, false for all others: the paper's labels.

    With `templates`, the pages on which that cluster does not occur are another template, and get a cluster of their
    own, chosen in the same way among themselves.
    """
    clusters, scores = clusters_of(pages), site_relevance(pages)
    owner = np.repeat(np.arange(len(pages)), [len(page.blocks) for page in pages])
    labels = np.zeros(len(clusters), dtype=bool)
    left = np.ones(len(clusters), dtype=bool)
    for _ in range(_MOST_TEMPLATES if templates else 1):
        best = content_cluster(np.where(left, clusters, NOISE), scores)
        if best is None:
            break
        labels |= clusters == best
        left = ~np.isin(owner, owner[labels])
    return labels


def label_by_vote(pages: Sequence[VisualPage], heights: Floats) -> Bools:
    """Labels for use, not for the paper's tables: a cluster is content when its blocks are, by a general judge.

    Algorithm 1 finds one cluster; an article has several (headings, lists, quotations), and where descriptions are
    poor it finds a wrong one. So each cluster of the site votes as a whole, every block by the length of its text and
    its height above the judge's plane; the cluster of algorithm 1 is believed unless the vote is clearly against it.
    """
    clusters = clusters_of(pages)
    sizes = np.array([len(block.text) for page in pages for block in page.blocks], dtype=np.float64)
    labels = heights > 0
    if not (clusters != NOISE).any():
        return labels
    known = clusters != NOISE
    votes = np.bincount(clusters[known], weights=(np.clip(heights, -_LOUDEST, _LOUDEST) * sizes)[known])
    weight = np.maximum(1.0, np.bincount(clusters[known], weights=sizes[known]))
    means = votes / weight
    best = content_cluster(clusters, site_relevance(pages))
    if best is not None and means[best] > _DOUBTFUL:
        means[best] = 1.0
    labels[known] = means[clusters[known]] > 0
    return labels


def label_by_text(page: VisualPage, text: str) -> Bools:
    """Of one page whose text is known: the blocks of the cluster that has most of it in common with that text.

    This is how the paper labels its mixed set; there, and only there, the noise counts as one cluster.
    """
    clusters = clusters_of([page])
    joined = ["".join(page.blocks[index].text for index in np.flatnonzero(clusters == one)) for one in set(clusters)]
    scores = relevance(joined, [text], _LONGEST_GOLD)
    if not scores:
        return np.zeros(0, dtype=bool)
    return np.asarray(clusters == list(set(clusters))[int(np.argmax(scores))])
