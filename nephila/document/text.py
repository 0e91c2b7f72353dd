"""The text of a page by plain rules, for where the trained extraction is not wanted. Knows a tree, and no model.

Straight from the nodes, in one walk: blocks and containers, which a model judges, would cost three times as much.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from nephila.document.anchors import SIGNS
from nephila.document.document import Document
from nephila.document.native import plain_runs
from nephila.document.selector import select
from nephila.document.tags import FURNITURE, HEADING_BITS, HEADING_SHIFT, ROLE_FLAGS, TAGS, Flag, Kind, Tag, tag_named

_MOSTLY_LINKS = 0.5
_MAIN_SHARE = 0.5
"""<main> or <article> is believed to be all of the content when it holds this share of the text outside furniture."""

_HEADER, _HIDDEN, _CODE, _NOSCRIPT = int(Flag.HEADER), int(Flag.HIDDEN), int(Flag.CODE), int(Flag.NOSCRIPT)
_INSIDE = int(Flag.MAIN | Flag.ARTICLE)
_FURNITURE = FURNITURE & ~_HEADER
_LINE_MARK = "\v"
"""A line break inside a block; white space as it is, no text is lost by it."""

_TELLING = '[role],[hidden],[aria-hidden="true"],[style*="none" i],[style*="hidden" i]'

# What an element is to the walk, in the same integer as its flags.
_LINKED = 1 << 40
_BLOCK = 1 << 41
"""It ends the run before it and after it."""
_LINE = 1 << 42
_DROPPED = 1 << 43
"""Not looked into: it is no text."""
_KEPT = _LINKED | HEADING_BITS | _CODE | _NOSCRIPT | _INSIDE
"""What the runs inside an element are told of it."""


def _part(tag: Tag) -> int:
    return (
        tag.flags
        | (_LINKED if tag.kind is Kind.LINK else 0)
        | (_BLOCK if tag.kind in (Kind.BLOCK, Kind.RULE, Kind.TITLE) else 0)
        | (_LINE if tag.kind in (Kind.BREAK, Kind.OPTION) else 0)
        | (_DROPPED if tag.kind in (Kind.SKIP, Kind.TITLE, Kind.HEAD) else 0)
    )


def _parts() -> dict[int, int]:
    tree = LexborHTMLParser("")
    return {tree.create_node(name).tag_id: _part(tag) for name, tag in TAGS.items()}


_TEXT, _COMMENT = 2, 4
_PARTS = _parts() | {_COMMENT: 0}
"""By the parser's number of the tag."""


_Run = tuple[str, int, int]
"""A block of text: the text itself, its flags, and the innermost <main> or <article> around it (0: none)."""


def plain_text(document: Document) -> str:
    """Visible text outside navigation, headers, footers, asides and forms, without blocks that are mostly links."""
    runs, around = _native_runs(document) or _runs(document)
    runs = _main_region(_without_pleas(runs), around)
    return "\n".join([text for text, _, _ in _without_trailing_headings(runs)])


def _native_runs(document: Document) -> tuple[list[_Run], list[int]] | None:
    found = None if document.tags is None else plain_runs(document.tags, document.limits.max_blocks)
    if found is None:
        return None
    texts, flags = found.texts, found.flags
    runs = list(zip(texts, flags, found.regions, strict=True))
    if any(flag & _CODE for flag in flags):
        read = zip(runs, found.linked, strict=True)
        runs = [
            (text, flag, region)
            for (source, flag, region), linked in read
            if (text := _lines(source) if flag & _CODE else source) and linked <= _MOSTLY_LINKS * len(text)
        ]
    return runs, found.around


def _lines(source: str) -> str:
    """Program text, with its white space but for that at the ends of lines."""
    return "\n".join([line.rstrip() for line in source.split("\n")]).strip("\n")


def _runs(document: Document) -> tuple[list[_Run], list[int]]:  # noqa: C901 - see below
    """The blocks of the page outside furniture that are not mostly links, and the regions: around each, another (or 0).

    One loop without calls, which would double its cost; and most elements hold one text and nothing else, so that going
    down to it and up again is spared.
    """
    told, left = _told(document), document.limits.max_blocks
    marked = {tag for tag, _ in told}
    found: list[_Run] = []
    around = [0]
    stack: list[tuple[LexborNode, int, int, int]] = []
    pieces: list[str] = []
    linked = begun = inside = 0  # of the run that is being read
    flags = region = 0  # of the place in the tree
    fresh, breaks = True, 0  # whether the next text begins a run; line breaks since the last text
    known = _PARTS.get
    root = document.tree.body or document.tree.root
    node = root and root.child
    tag = node.tag_id if node is not None else 0
    while node is not None:
        ends = 0
        if tag == _TEXT:
            text, here, place = node.text_content or "", flags, region
        else:
            own = known(tag)
            if own is None:
                own = _part(tag_named(node.tag))
            if tag in marked:
                own |= told.get((tag, node.mem_id), 0)
            ends = own & _BLOCK
            if ends:
                fresh = True
            elif own & _LINE:
                breaks += 1
                pieces.append(_LINE_MARK)
            text, here, place = "", flags, region
            # The header of an article holds its title and its lead, that of the page its logo and menu.
            if own & FURNITURE and (own & _FURNITURE or not flags & _INSIDE):
                fresh = True
            elif not own & _DROPPED and (child := node.child) is not None:
                if own & _KEPT:
                    here = (flags & ~HEADING_BITS if own & HEADING_BITS else flags) | own
                    if own & _INSIDE:
                        around.append(region)
                        place = len(around) - 1
                tag = child.tag_id
                if tag != _TEXT or child.next is not None:
                    stack.append((node, flags, region, ends))
                    node, flags, region = child, here, place
                    continue
                text = child.text_content or ""
                if own & _LINKED and text in SIGNS and "#" in (node.attributes.get("href") or ""):
                    text = ""
        if text:
            if text.isspace():
                if not fresh:
                    pieces.append(text)
            else:
                if fresh or breaks > 1:
                    if pieces:
                        _close(found, pieces, linked, begun, inside)
                    left -= 1
                    if not left:
                        return found, around
                    pieces, linked, begun, inside, fresh = [text], 0, here, place, False
                else:
                    pieces.append(text)
                breaks = 0
                if here & _LINKED:
                    linked += len(text.strip())
            if ends:
                fresh = True
        node = node.next
        while node is None and stack:
            node, flags, region, ends = stack.pop()
            if ends:
                fresh = True
            node = node.next
        if node is not None:
            tag = node.tag_id
    if pieces:
        _close(found, pieces, linked, begun, inside)
    return found, around


def _close(found: list[_Run], pieces: list[str], linked: int, flags: int, region: int) -> None:
    """Adds a run, if it says something that is not mostly links."""
    text = pieces[0] if len(pieces) == 1 else "".join(pieces)
    if flags & _CODE:
        text = _lines(text.replace(_LINE_MARK, "\n"))
    elif text.isprintable() and "  " not in text:  # folded as it is: a printable text has no blank but spaces
        text = text.strip()
    elif _LINE_MARK in text:
        text = "\n".join([folded for line in text.split(_LINE_MARK) if (folded := " ".join(line.split()))])
    else:
        text = " ".join(text.split())
    if text and linked <= _MOSTLY_LINKS * len(text):
        found.append((text, flags, region))


def _told(document: Document) -> dict[tuple[int, int], int]:
    """What elements say of themselves by attributes: their role, and that they are hidden."""
    found: dict[tuple[int, int], int] = {}
    for node in select(document.tree, _TELLING):
        attributes = node.attributes
        flags = ROLE_FLAGS.get(attributes.get("role") or "", 0)
        style = (attributes.get("style") or "").replace(" ", "").lower()
        hidden = attributes.get("hidden", "until-found") != "until-found" or attributes.get("aria-hidden") == "true"
        if hidden or "display:none" in style or "visibility:hidden" in style:
            flags |= _HIDDEN
        if flags:
            found[node.tag_id, node.mem_id] = flags
    return found


def _without_pleas(runs: list[_Run]) -> list[_Run]:
    """What is shown when scripts do not run counts when it is more than all the rest, else it doubles or pleads."""
    pleas = sum([len(text) for text, flags, _ in runs if flags & _NOSCRIPT])
    if not pleas or 2 * pleas > sum([len(text) for text, _, _ in runs]):
        return runs
    return [run for run in runs if not run[1] & _NOSCRIPT]


def _main_region(runs: list[_Run], around: list[int]) -> list[_Run]:
    """The blocks of the largest <main> or <article>, if they hold most of the text; else all of them."""
    if len(around) == 1:
        return runs
    held = [0] * len(around)
    for text, _, region in runs:
        held[region] += len(text)
    length = sum(held)
    for region in range(len(around) - 1, 0, -1):  # each comes after those around it
        held[around[region]] += held[region]
    best = max(range(1, len(around)), key=held.__getitem__)
    if held[best] < _MAIN_SHARE * length:
        return runs
    within = [region == best for region in range(len(around))]
    for region in range(best + 1, len(around)):
        within[region] = within[around[region]]
    return [run for run in runs if within[run[2]]]


def _without_trailing_headings(runs: list[_Run]) -> list[_Run]:
    """A heading with nothing under it announced something that was left out."""
    levels = [(flags & HEADING_BITS) >> HEADING_SHIFT for _, flags, _ in runs]
    if not any(levels):
        return runs
    return [
        run
        for run, level, following in zip(runs, levels, [*levels[1:], 1], strict=False)
        if level < 2 or not following or following > level
    ]
