"""Lists of other pages behind an article, which a page gives no name: told by their shape. Knows numbers only.

Below many articles stand the beginnings of others, each under a linked title: sentences like the article's own, which
the model takes for text. What tells them is how they come: several in places of the same looks, nearly each with a
title that is a link, and nothing else of the text behind them. docs/extraction-tried.md tells what that is worth.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import AGAIN, LINKED, Floats, PageFeatures
from nephila.content.judgement import KINDS, Judgement

_ARTICLE, _LIKELY = KINDS.index("article"), 0.5
_LEAST = 5
"""Entries of a list."""
_LEAST_WORDS, _TITLE_WORDS = 4, 3
_TITLE, _TITLED = 0.8, 0.8
"""The share of a title that is its link; and of entries that have one, or are one."""
_OFTEN = 1.0
"""The logarithm of how often a text is on the page: three times."""
_BACK = 2
"""Blocks before an entry among which its title is."""
_OWN_TEXT, _OWN_PROSE, _OWN_SHARE = 60.0, 50.0, 0.12
"""Likely tokens before the list, of these outside of links, and as a share of what the list holds."""
_BEHIND = 0.1
"""Of them, how many may stand amid the list or behind it and be neither its entries nor titles."""
_NO_TEXT, _PROSE = np.float32(0.02), 0.3
_LEVELS = 2


def without_teasers(judgement: Judgement, page: PageFeatures, kept: NDArray[np.bool_]) -> Judgement:
    """The judgement of an article, with such lists told not to be its text; the same where there are none."""
    places = kept.nonzero()[0]
    if len(places) < _LEAST or judgement.kinds[_ARTICLE] < _LIKELY:
        return judgement
    linked = page.dense[:, LINKED]
    # What comes again and again ("Enlarge") is a button, no title.
    titles = (linked >= _TITLE) & (page.weights >= _TITLE_WORDS) & (page.dense[:, AGAIN] < _OFTEN)
    if titles[places[0] : places[-1] + 1].sum() < _LEAST - 1:
        return judgement
    lists = _lists(judgement.main * page.weights, page, kept, titles, linked < _PROSE)
    if not lists:
        return judgement
    gone = np.zeros(len(kept), dtype=bool)
    for entries in lists:
        gone[entries] = True
        for back in range(1, _BACK + 1):
            before = np.maximum(entries - back, 0)
            gone[before[titles[before]]] = True
    return Judgement(
        np.where(gone, np.minimum(judgement.main, _NO_TEXT), judgement.main), judgement.comment, judgement.kinds
    )


def _lists(
    likely: Floats, page: PageFeatures, kept: NDArray[np.bool_], titles: NDArray[np.bool_], prose: NDArray[np.bool_]
) -> list[NDArray[np.intp]]:
    """The entries of each list. Sums of all blocks up to one are made once: each group costs what it holds."""
    titled = titles.copy()
    for back in range(1, _BACK + 1):
        titled[back:] |= titles[:-back]
    total, text, other = (_sums(each) for each in (likely, likely * prose, likely * ~titles))
    found = []
    for level in range(_LEVELS):
        for entries in _alike(page.places[level], page.weights):
            start, stop = int(entries[0]), int(entries[-1]) + 1
            own = total[start]
            behind = other[-1] - other[start] - float(likely[entries][~titles[entries]].sum())
            if (
                own >= max(_OWN_TEXT, _OWN_SHARE * (total[stop] - own))
                and text[start] >= _OWN_PROSE
                and behind <= _BEHIND * own
                and titled[entries].mean() >= _TITLED
                and kept[entries].any()
            ):
                found.append(entries)
    return found


def _sums(values: NDArray[np.generic]) -> NDArray[np.float64]:
    sums = np.zeros(len(values) + 1)
    np.cumsum(values, out=sums[1:])
    return sums


def _alike(places: NDArray[np.uint64], weights: Floats) -> list[NDArray[np.intp]]:
    """Blocks of some words in places of the same looks, group by group, where they are enough."""
    some = np.flatnonzero(weights >= _LEAST_WORDS)
    order = some[np.argsort(places[some], kind="stable")]
    sorted_places = places[order]
    bounds: list[int] = ((sorted_places[1:] != sorted_places[:-1]).nonzero()[0] + 1).tolist()
    return [order[start:stop] for start, stop in pairwise((0, *bounds, len(order))) if stop - start >= _LEAST]
