"""The text of a page by plain rules, for where no trained extraction is at hand. Knows a Document, and no model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.document.document import Document
from nephila.document.layout import Layout
from nephila.document.tags import FURNITURE, HEADING_BITS, HEADING_SHIFT, Flag

_MOSTLY_LINKS = 0.5
_MAIN_SHARE = 0.5
"""<main> or <article> is believed to be all of the content when it holds this share of the text outside furniture."""

_HEADER = int(Flag.HEADER)
_INSIDE = int(Flag.MAIN | Flag.ARTICLE)


def plain_text(document: Document) -> str:
    """Visible text outside navigation, headers, footers, asides and forms, without blocks that are mostly links."""
    layout = document.layout
    flags = [layout.flags[container] for container in layout.container]
    kept = [
        index
        for index, (text, linked, of) in enumerate(zip(layout.texts, layout.link_lengths, flags, strict=True))
        # The header of an article holds its title and its lead, that of the page its logo and menu.
        if not of & (FURNITURE & ~_HEADER if of & _INSIDE else FURNITURE) and linked <= _MOSTLY_LINKS * len(text)
    ]
    kept = _main_region(layout, kept)
    return "\n".join([layout.texts[index] for index in _without_trailing_headings(kept, flags)])


def _main_region(layout: Layout, kept: list[int]) -> list[int]:
    """The blocks of the largest <main> or <article>, if they hold most of the text; else all of them."""
    regions = [number for number, own in enumerate(layout.own) if own & _INSIDE]
    if not regions or not kept:
        return kept
    containers = np.array([layout.container[index] for index in kept])
    lengths = np.array([len(layout.texts[index]) for index in kept])
    before = np.concatenate(([0], np.cumsum(np.bincount(containers, lengths, len(layout.own)))))
    # Containers are numbered in document order: those inside one follow it, up to the next that is no deeper.
    ends = [_end_of(layout.depth, region) for region in regions]
    inside = before[ends] - before[regions]
    best = int(inside.argmax())
    if not inside[best] or inside[best] < _MAIN_SHARE * before[-1]:
        return kept
    within = np.flatnonzero((containers >= regions[best]) & (containers < ends[best]))
    return kept[int(within[0]) : int(within[-1]) + 1]


def _end_of(depth: NDArray[np.int64], container: int) -> int:
    no_deeper = depth[container + 1 :] <= depth[container]
    first = int(no_deeper.argmax()) if len(no_deeper) else 0
    return container + 1 + first if len(no_deeper) and no_deeper[first] else len(depth)


def _without_trailing_headings(kept: list[int], flags: list[int]) -> list[int]:
    """A heading with nothing under it announced something that was left out."""
    levels = [(flags[index] & HEADING_BITS) >> HEADING_SHIFT for index in kept]
    return [
        index
        for index, level, following in zip(kept, levels, [*levels[1:], 1], strict=False)
        if level < 2 or not following or following > level
    ]
