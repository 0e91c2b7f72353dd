"""The text of a page by plain rules, for where no trained extraction is at hand. Knows a Document, and no model."""

from __future__ import annotations

import numpy as np

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
    best, most = np.zeros(0, dtype=np.int64), 0
    for region in regions:
        # Containers are numbered in document order: those inside one follow it, up to the next that is no deeper.
        outside = np.flatnonzero(layout.depth[region + 1 :] <= layout.depth[region])
        end = region + 1 + int(outside[0]) if len(outside) else len(layout.depth)
        inside = np.flatnonzero((containers >= region) & (containers < end))
        length = int(lengths[inside].sum())
        if length > most:
            best, most = inside, length
    return kept[int(best[0]) : int(best[-1]) + 1] if most and most >= _MAIN_SHARE * int(lengths.sum()) else kept


def _without_trailing_headings(kept: list[int], flags: list[int]) -> list[int]:
    """A heading with nothing under it announced something that was left out."""
    levels = [(flags[index] & HEADING_BITS) >> HEADING_SHIFT for index in kept]
    return [
        index
        for index, level, following in zip(kept, levels, [*levels[1:], 1], strict=False)
        if level < 2 or not following or following > level
    ]
