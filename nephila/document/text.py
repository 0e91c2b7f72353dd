"""The text of a page by plain rules, for where no trained extraction is at hand. Knows a Document, and no model."""

from __future__ import annotations

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
    regions: dict[int, list[int]] = {}
    known: dict[int, tuple[int, ...]] = {-1: ()}
    for index in kept:
        for region in _regions(layout, layout.container[index], known):
            regions.setdefault(region, []).append(index)
    lengths = {region: sum(len(layout.texts[index]) for index in inside) for region, inside in regions.items()}
    best = max(lengths, key=lengths.__getitem__, default=None)
    total = sum(len(layout.texts[index]) for index in kept)
    if best is None or not lengths[best] or lengths[best] < _MAIN_SHARE * total:
        return kept
    low, high = regions[best][0], regions[best][-1]
    return [index for index in kept if low <= index <= high]


def _regions(layout: Layout, container: int, known: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    """The elements among a container and those above it that begin a <main> or <article>, by tag or role."""
    climbed = []
    while container not in known:
        climbed.append(container)
        container = layout.parent[container]
    found = known[container]
    for container in reversed(climbed):
        if layout.own[container] & _INSIDE:
            found = (*found, container)
        known[container] = found
    return found


def _without_trailing_headings(kept: list[int], flags: list[int]) -> list[int]:
    """A heading with nothing under it announced something that was left out."""
    levels = [(flags[index] & HEADING_BITS) >> HEADING_SHIFT for index in kept]
    return [
        index
        for index, level, following in zip(kept, levels, [*levels[1:], 1], strict=False)
        if level < 2 or not following or following > level
    ]
