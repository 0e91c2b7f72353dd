"""From probabilities to the blocks that are kept: the choice, and what the blocks' own texts tell. Knows features.

Three things that a choice by probabilities alone cannot see. The options of a <select> are no text, however many they
are. A page may say a long text twice (a summary and the tab that opens it, a version for small screens): its main text
says it once. In a thread the second time is a quotation, and stays; so does a refrain. And a listing of a program
between two kept texts belongs to them, however little it looks like prose.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nephila.content.choice import LEAST, choose
from nephila.content.features import AGAIN, Floats, PageFeatures
from nephila.content.judgement import Judgement
from nephila.content.labels import KINDS
from nephila.content.native_keeping import Kept, native_keeping

_CODE, _CONTROL = 35, 41
"""Columns of the dense features: in <pre> or the like; in <select> or <textarea>, which is like <pre> as well."""
_THREAD = KINDS.index("forum")
_LIKELY = 0.5
_PARENT = 1
"""The level of the container around a block's own."""
_LONG = 10
"""Tokens of a text that is not repeated by chance."""
_POSSIBLE, _REACH = 0.05, 20
"""Of a listing: how likely it must be at least, and how many blocks away the kept texts may be."""


def keep(
    judgement: Judgement, page: PageFeatures, texts: Sequence[str], main: Floats | None = None
) -> tuple[NDArray[np.bool_], float]:
    """The blocks to keep, and the expected F1. `main` stands for the judgement's own, where a site has a say."""
    likely = judgement.main if main is None else main
    kept, expected, again = native_keeping(likely, page, LEAST) or _by_numpy(likely, page)
    if again and judgement.kinds[_THREAD] < _LIKELY:
        _drop_repeated(kept, again, page, texts)
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
