"""The text of a page by plain rules, for where the trained extraction is not wanted. Knows a tree, and no model.

Straight from the nodes, in one walk: blocks and containers, which a model judges, would cost three times as much.
"""

from __future__ import annotations

from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from nephila.document.document import Document
from nephila.document.selector import select
from nephila.document.tags import FURNITURE, HEADING_BITS, HEADING_SHIFT, ROLE_FLAGS, TAGS, Flag, Kind, Tag, tag_named

_MOSTLY_LINKS = 0.5
_MAIN_SHARE = 0.5
"""<main> or <article> is believed to be all of the content when it holds this share of the text outside furniture."""

_HEADER, _HIDDEN, _CODE, _NOSCRIPT = int(Flag.HEADER), int(Flag.HIDDEN), int(Flag.CODE), int(Flag.NOSCRIPT)
_INSIDE = int(Flag.MAIN | Flag.ARTICLE)
_FURNITURE = FURNITURE & ~_HEADER
_LINKED = 1 << 40
_LINE = "\v"
"""Marks a line break inside a block; white space as it is, no text is lost by it."""

_TELLING = '[role],[hidden],[aria-hidden="true"],[style*="none" i],[style*="hidden" i]'


class _Part(NamedTuple):
    """What an element is to the walk."""

    dropped: bool
    """Not looked into: it is no text."""
    flags: int
    block: bool
    """It ends the run before it and after it."""
    line: bool


def _part(tag: Tag) -> _Part:
    return _Part(
        dropped=tag.kind in (Kind.SKIP, Kind.TITLE, Kind.HEAD),
        flags=tag.flags | (_LINKED if tag.kind is Kind.LINK else 0),
        block=tag.kind in (Kind.BLOCK, Kind.RULE, Kind.TITLE),
        line=tag.kind in (Kind.BREAK, Kind.OPTION),
    )


def _parts() -> dict[int, _Part]:
    tree = LexborHTMLParser("")
    return {tree.create_node(name).tag_id: _part(tag) for name, tag in TAGS.items()}


_TEXT = 2
_PARTS = _parts()
"""By the parser's number of the tag."""


class _Run:
    """A block of text."""

    __slots__ = ("flags", "linked", "pieces", "regions", "text")

    def __init__(self, flags: int, regions: tuple[int, ...]) -> None:
        self.flags = flags
        self.regions = regions
        """The <main> and <article> elements around it."""
        self.pieces: list[str] = []
        self.linked = 0
        self.text = ""

    def close(self) -> None:
        text = "".join(self.pieces)
        if self.flags & _CODE:
            lines = [line.rstrip() for line in text.replace(_LINE, "\n").split("\n")]
            self.text = "\n".join(lines).strip("\n")
        elif _LINE in text:
            self.text = "\n".join([folded for line in text.split(_LINE) if (folded := " ".join(line.split()))])
        else:
            # Most texts are folded as they are; a printable one has no blank but spaces.
            self.text = text.strip() if text.isprintable() and "  " not in text else " ".join(text.split())


def plain_text(document: Document) -> str:
    """Visible text outside navigation, headers, footers, asides and forms, without blocks that are mostly links."""
    runs = _runs(document)
    runs = [run for run in runs if run.text and run.linked <= _MOSTLY_LINKS * len(run.text)]
    return "\n".join([run.text for run in _without_trailing_headings(_main_region(_without_pleas(runs)))])


def _runs(document: Document) -> list[_Run]:  # noqa: C901 - one loop: a call for each node would double its cost
    """The blocks of the page outside furniture, in document order."""
    told, most = _told(document), document.limits.max_blocks
    found: list[_Run] = []
    stack: list[tuple[LexborNode, int, tuple[int, ...], bool]] = []
    run, flags = _Run(0, ()), 0
    regions: tuple[int, ...] = ()
    fresh, breaks = True, 0  # whether the next text begins a run; line breaks since the last text
    root = document.tree.body or document.tree.root
    node = root and root.child
    while node is not None:
        tag = node.tag_id
        if tag == _TEXT:
            text = node.text_content or ""
            if not text.isspace():
                if fresh or breaks > 1:
                    run, fresh = _Run(flags, regions), False
                    found.append(run)
                    if len(found) == most:
                        break
                breaks = 0
                if flags & _LINKED:
                    run.linked += len(text.strip())
            run.pieces.append(text)
        else:
            dropped, own, block, line = _PARTS.get(tag) or _part(tag_named(node.tag))
            if told:
                own |= told.get(node.mem_id, 0)
            if line:
                breaks += 1
                run.pieces.append(_LINE)
            fresh |= block
            # The header of an article holds its title and its lead, that of the page its logo and menu.
            if own & FURNITURE and (own & _FURNITURE or not flags & _INSIDE):
                fresh = True
            elif not dropped and (child := node.child) is not None:
                stack.append((node, flags, regions, block))
                if own:
                    flags = (flags & ~HEADING_BITS if own & HEADING_BITS else flags) | own
                    if own & _INSIDE:
                        regions = (*regions, node.mem_id)
                node = child
                continue
        node = node.next
        while node is None and stack:
            node, flags, regions, block = stack.pop()
            fresh |= block
            node = node.next
    for run in found:
        run.close()
    return found


def _told(document: Document) -> dict[int, int]:
    """What elements say of themselves by attributes: their role, and that they are hidden."""
    found: dict[int, int] = {}
    for node in select(document.tree, _TELLING):
        attributes = node.attributes
        flags = ROLE_FLAGS.get(attributes.get("role") or "", 0)
        style = (attributes.get("style") or "").replace(" ", "").lower()
        hidden = attributes.get("hidden", "until-found") != "until-found" or attributes.get("aria-hidden") == "true"
        if hidden or "display:none" in style or "visibility:hidden" in style:
            flags |= _HIDDEN
        if flags:
            found[node.mem_id] = flags
    return found


def _without_pleas(runs: list[_Run]) -> list[_Run]:
    """What is shown when scripts do not run counts when it is more than all the rest, else it doubles or pleads."""
    if not any(run.flags & _NOSCRIPT for run in runs):
        return runs
    outside = [run for run in runs if not run.flags & _NOSCRIPT]
    length = sum(len(run.text) for run in outside)
    return runs if sum(len(run.text) for run in runs) > 2 * length else outside


def _main_region(runs: list[_Run]) -> list[_Run]:
    """The blocks of the largest <main> or <article>, if they hold most of the text; else all of them."""
    inside: dict[int, int] = {}
    for run in runs:
        for region in run.regions:
            inside[region] = inside.get(region, 0) + len(run.text)
    if not inside:
        return runs
    best = max(inside, key=inside.__getitem__)
    if inside[best] < _MAIN_SHARE * sum(len(run.text) for run in runs):
        return runs
    return [run for run in runs if best in run.regions]


def _without_trailing_headings(runs: list[_Run]) -> list[_Run]:
    """A heading with nothing under it announced something that was left out."""
    levels = [(run.flags & HEADING_BITS) >> HEADING_SHIFT for run in runs]
    return [
        run
        for run, level, following in zip(runs, levels, [*levels[1:], 1], strict=False)
        if level < 2 or not following or following > level
    ]
