"""From probabilities to the blocks that are kept: the choice, and what the blocks' own texts tell. Knows features.

Five things that a choice by probabilities alone cannot see. The options of a <select> are no text, however many they
are. A page may say a long text twice (a summary and the tab that opens it, a version for small screens): its main text
says it once. In a thread the second time is a quotation, and stays; so does a refrain. A listing of a program between
two kept texts belongs to them, however little it looks like prose. A page's text begins with its headline: a few words
above it are breadcrumbs, the picture's credit, or what the site says everywhere. And an article ends with the container
that holds most of it: a few long blocks behind that must be told by more than looking like text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nephila.content.choice import LEAST, choose
from nephila.content.features.page import AGAIN, DIGITS, HEADINGS_FROM, OF_TITLE, TITLES, Floats, PageFeatures
from nephila.content.judgement import KINDS, Judgement
from nephila.content.native.keeping import Kept, native_keeping

_CODE, _CONTROL = 35, 41
"""Columns of the dense features: in <pre> or the like; in <select> or <textarea>, which is like <pre> as well."""
_ARTICLE, _THREAD = KINDS.index("article"), KINDS.index("forum")
_LIKELY = 0.5
_PARENT = 1
"""The level of the container around a block's own."""
_LONG = 10
"""Tokens of a text that is not repeated by chance."""
_POSSIBLE, _REACH = 0.05, 20
"""Of a listing: how likely it must be at least, and how many blocks away the kept texts may be."""
_TITLES, _OF_TITLE = 0.6, 0.4
"""Of a headline: the share of its words that <title> has, and of the words of <title> that it has."""
_ABOVE = 0.2
"""The most of a text that may stand above its headline and not be it, as a share of its tokens."""
_DIGITS, _DATE = 0.1, 8
"""Of a date: the share of its characters that are digits at least, and its tokens at most."""
_SURELY, _MOST = 0.8, 2 / 3
"""How likely a page must be an article, and how much of its likely text the container of it must hold at least."""
_SURE, _FEW, _MUCH = 0.75, 8, 0.1
"""How likely a block behind that container must be; of the others, how many are no list or table of the article's own,
and the share of the text that is worth a doubt."""


def keep(
    judgement: Judgement, page: PageFeatures, texts: Sequence[str], main: Floats | None = None
) -> tuple[NDArray[np.bool_], float]:
    """The blocks to keep, and the expected F1. `main` stands for the judgement's own, where a site has a say."""
    likely = judgement.main if main is None else main
    kept, expected, again = native_keeping(likely, page, LEAST) or _by_numpy(likely, page)
    if again and judgement.kinds[_THREAD] < _LIKELY:
        _drop_repeated(kept, again, page, texts)
    _drop_above_headline(kept, page)
    if judgement.kinds[_ARTICLE] >= _SURELY:
        _drop_behind_article(kept, likely, page)
    return kept, expected


def _by_numpy(main: Floats, page: PageFeatures) -> Kept:
    likely = _without_options(main, page)
    kept, expected = choose(likely, page.weights)
    _add_listings(kept, likely, page)
    again = np.flatnonzero(kept & (page.dense[:, AGAIN] > 0) & (page.weights >= _LONG)).tolist()
    return Kept(kept, expected, again)


def _without_options(likely: Floats, page: PageFeatures) -> Floats:
    control = page.dense[:, _CONTROL]
    if not control.any():
        return likely
    return np.where((control > 0) & (page.dense[:, _CODE] == 0), np.float32(0), likely)


def _add_listings(kept: NDArray[np.bool_], likely: Floats, page: PageFeatures) -> None:
    code = page.dense[:, _CODE]
    if not code.any():
        return
    listings = np.flatnonzero((code > 0) & ~kept & (likely > _POSSIBLE))
    if not len(listings):
        return
    known = np.concatenate(([-len(kept)], np.flatnonzero(kept), [2 * len(kept)]))
    after = np.searchsorted(known, listings)
    far = np.maximum(listings - known[after - 1], known[after] - listings)
    kept[listings[far <= min(_REACH, len(kept) - 1)]] = True


def _drop_repeated(kept: NDArray[np.bool_], again: list[int], page: PageFeatures, texts: Sequence[str]) -> None:
    """What a page says again elsewhere; a refrain, in the same container, stays."""
    within = page.ancestors[:, _PARENT]
    said: dict[str, int] = {}
    for place in again:
        first = said.setdefault(texts[place], place)
        kept[place] = first == place or within[first] == within[place]


def _drop_above_headline(kept: NDArray[np.bool_], page: PageFeatures) -> None:
    """What stands above the headline is of the site, if it is a small part of the text; a date may stand there."""
    dense, weights = page.dense, page.weights
    above = kept[: _headline(dense)].nonzero()[0]
    if not len(above) or weights[above].sum() > _ABOVE * weights[kept].sum():
        return
    dates = (dense[above, DIGITS] >= _DIGITS) & (weights[above] <= _DATE)
    kept[above[~dates]] = False


def _headline(dense: Floats) -> int:
    """The first <h1> that says what <title> says; 0, above which nothing stands, without one."""
    for place in dense[:, HEADINGS_FROM].nonzero()[0].tolist():
        if dense[place, TITLES] >= _TITLES and dense[place, OF_TITLE] >= _OF_TITLE:
            return int(place)
    return 0


def _drop_behind_article(kept: NDArray[np.bool_], likely: Floats, page: PageFeatures) -> None:
    """What stands behind the innermost container of most of the text is other things' text, unless it is sure, or many
    blocks: ingredients of a recipe, answers to questions."""
    doubtful = (kept & (likely < _SURE)).nonzero()[0]
    much = _MUCH * (page.weights @ kept)
    if page.weights[doubtful].sum() < much or not len(doubtful):
        return
    sums = np.zeros(len(kept) + 1)
    np.cumsum(kept * likely * page.weights, out=sums[1:])
    most = _MOST * sums[-1]
    if sums[doubtful[-1]] < most:
        return
    starts, ends = page.spans.T
    around = (sums[ends] - sums[starts] >= most).nonzero()[0]
    # More than half of a whole is in one container only, and in those around it, which begin before it.
    behind = doubtful[doubtful >= ends[around[-1]]]
    if len(behind) <= _FEW and page.weights[behind].sum() >= much:
        kept[behind] = False
