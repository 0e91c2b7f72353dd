"""Which element of a page holds which, from its tags alone, for all of them at once. Knows markup only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nephila.document.markup import NAMED, Markup, Places
from nephila.document.tags import Kind

_VOID = frozenset({Kind.BREAK, Kind.RULE, Kind.IMAGE, Kind.HEAD, Kind.VOID, Kind.REFERENCE})
_CHILDLESS = np.array([tag.kind in _VOID for tag in NAMED])
Bits = NDArray[np.bool_]
_DECLARATION = 2
"""In `NAMED`: comments and declarations."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """The elements of a page in document order; entry i of each list is about element i."""

    tag: list[int]
    """Its start tag's place in the markup's arrays."""
    start: list[int]
    tag_stop: list[int]
    """Behind its start tag."""
    stop: list[int]
    """Behind its end tag."""
    parent: list[int]
    """-1: none."""
    depth: list[int]
    after: list[int]
    """The first element behind it that is not inside it."""


def nesting_of(markup: Markup) -> Nesting:
    real = markup.tag != _DECLARATION
    childless = _CHILDLESS[markup.tag]
    opens = real & ~markup.closing & ~childless
    closes = real & markup.closing
    level = np.cumsum(opens.astype(np.int64) - closes)
    tag = np.flatnonzero(real & ~markup.closing)
    if len(level) and int(level.min()) < 0:
        stop, parent, depth = _one_by_one(markup)
    else:
        stop, parent, depth = _at_once(markup, tag, opens, closes, level)
    start = markup.start[tag]
    return Nesting(
        tag.tolist(),
        start.tolist(),
        markup.stop[tag].tolist(),
        stop.tolist(),
        parent.tolist(),
        depth.tolist(),
        np.searchsorted(start, stop).tolist(),
    )


_Found = tuple[Places, Places, Places]
"""Stop, parent and depth of each element."""


def _at_once(markup: Markup, tag: Places, opens: Bits, closes: Bits, level: Places) -> _Found:
    """Of one depth, elements open and close by turns: the n-th to open is the n-th to close."""
    depth = level[tag] - opens[tag]
    opening, closing = np.flatnonzero(opens), np.flatnonzero(closes)
    if not len(opening):
        return markup.stop[tag], np.full(len(tag), -1), depth
    left = np.arange(level[-1])  # open to the end, one of each depth
    by_depth = _in_order(level[opening])
    by_level = _in_order(np.concatenate((level[closing], left)))
    ends = np.concatenate((markup.stop[closing], np.full(len(left), len(markup.html))))
    stops = markup.stop.astype(np.int64)
    stops[opening[by_depth]] = ends[by_level]
    # The element around another is the last before it to open at the depth above.
    ordered, many = opening[by_depth], len(markup.tag) + 1
    keys = (level[ordered] - 1) * many + ordered
    around = ordered[np.searchsorted(keys, (depth - 1) * many + tag) - 1]
    return stops[tag], np.where(depth > 0, np.searchsorted(tag, around), -1), depth


def _in_order(levels: Places) -> Places:
    """What sorts them; numbers as small as these are sorted without a comparison."""
    small = len(levels) < 2**15
    return np.argsort(levels.astype(np.int16) if small else levels, kind="stable")


def _one_by_one(markup: Markup) -> _Found:
    """The same for markup that closes more than it opens."""
    stops: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    above: list[int] = []
    rows = zip(markup.stop.tolist(), markup.tag.tolist(), markup.closing.tolist(), strict=True)
    for stop, tag, closes in rows:
        if tag == _DECLARATION:
            continue
        if closes:
            if above:
                stops[above.pop()] = stop
            continue
        parents.append(above[-1] if above else -1)
        depths.append(len(above))
        stops.append(stop)
        if not _CHILDLESS[tag]:
            above.append(len(stops) - 1)
    for number in above:
        stops[number] = len(markup.html)
    return np.array(stops, dtype=np.int64), np.array(parents, dtype=np.int64), np.array(depths, dtype=np.int64)
