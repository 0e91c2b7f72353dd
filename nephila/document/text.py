"""The text of a page by plain rules, for where no trained extraction is at hand. Knows a Document, and no model."""

from __future__ import annotations

from collections.abc import Iterable

from nephila.document.blocks import Block, Container
from nephila.document.document import Document
from nephila.document.tags import FURNITURE, HEADING_BITS, Flag

_MOSTLY_LINKS = 0.5
_MAIN_SHARE = 0.5
"""<main> or <article> is believed to be all of the content when it holds this share of the text outside furniture."""

_HEADER = int(Flag.HEADER)
_INSIDE = int(Flag.MAIN | Flag.ARTICLE)
_REGIONS = ("main", "article")


def plain_text(document: Document) -> str:
    """Visible text outside navigation, headers, footers, asides and forms, without blocks that are mostly links."""
    kept = [block for block in document.blocks if _is_content(block)]
    region = _main_region(document.containers, kept)
    if region is not None:
        kept = kept[region]
    return "\n".join(block.text for block in _without_trailing_headings(kept))


def _is_content(block: Block) -> bool:
    flags = block.container.flags
    # The header of an article holds its title and its lead, that of the page its logo and menu.
    furniture = FURNITURE & ~_HEADER if flags & _INSIDE else FURNITURE
    return not flags & furniture and block.link_length <= _MOSTLY_LINKS * len(block.text)


def _main_region(containers: Iterable[Container], kept: list[Block]) -> slice | None:
    """The largest <main> or <article>, as a slice of the blocks that were kept, if it holds most of their text."""
    total = sum(len(block.text) for block in kept)
    best: tuple[int, slice] = (0, slice(0))
    for container in containers:
        if container.tag not in _REGIONS and container.role not in _REGIONS:
            continue
        inside = [place for place, block in enumerate(kept) if container.start <= block.index < container.end]
        length = sum(len(kept[place].text) for place in inside)
        if length > best[0]:
            best = length, slice(inside[0], inside[-1] + 1)
    return best[1] if best[0] and best[0] >= _MAIN_SHARE * total else None


def _without_trailing_headings(blocks: list[Block]) -> list[Block]:
    """A heading with nothing under it announced something that was left out."""
    return [
        block
        for block, following in zip(blocks, [*blocks[1:], None], strict=False)
        if not block.container.flags & HEADING_BITS
        or (following is not None and following.container.flags & HEADING_BITS == 0)
        or block.heading == 1
        or (following is not None and following.heading > block.heading)
    ]
