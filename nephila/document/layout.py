"""From tags to blocks: which elements hold which, what is inherited, and where runs of text begin and end.

A run of text lies between two block-level tags, so a block is a slice of the markup, and everything asked of many tags
(the closest element around a text, images between two texts, the link around a text) is asked for all at once, in
numpy. Python's loops run over containers and blocks alone. Objects for them are made by `Document` when somebody asks.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.document.limits import Limits
from nephila.document.markup import FLAGS, Markup, Places, read_markup, table_of, unescape
from nephila.document.places import last_opened, numbered, solid, steps
from nephila.document.tags import HEADING_BITS, ROLE_FLAGS, Flag, Kind

_STRUCTURAL = table_of(Kind.BLOCK, Kind.SKIP, Kind.TITLE)
_SKIPPING = table_of(Kind.SKIP, Kind.TITLE)
_RULES = table_of(Kind.RULE)
_IMAGES = table_of(Kind.IMAGE)
_LINKS = table_of(Kind.LINK)
_BREAKS = table_of(Kind.BREAK)
_OPTIONS = table_of(Kind.OPTION)
_CHILDLESS = table_of(Kind.RULE, Kind.IMAGE, Kind.BREAK, Kind.HEAD, Kind.VOID, Kind.REFERENCE, Kind.SKIP, Kind.TITLE)
"""Elements without text of their own: whether they are hidden makes no difference."""

_SKIPPED = 1 << 40
"""Beside the `Flag`s: what looks like text in here is none."""
_CODE, _HIDDEN, _NOSCRIPT, _BUTTON = int(Flag.CODE), int(Flag.HIDDEN), int(Flag.NOSCRIPT), int(Flag.BUTTON)
_BODY_DEPTH = 1

_ROLE = re.compile(rb' role="([^"]*)"')
_STYLE = re.compile(rb' style="([^"]*)"')
_STYLE_WORD, _HIDDEN_WORD, _ARIA_WORD, _CLICK_WORD, _ROLE_WORD = (
    np.uint64(int.from_bytes(start, "little"))
    for start in (b' style="', b" hidden=", b" aria-hi", b" onclick", b' role="')
)
_SEVEN_BYTES = np.uint64((1 << 56) - 1)


def hides(tag: bytes) -> bool:
    """Whether a start tag hides its element, by attribute or inline style; style sheets are not read."""
    if b' hidden="' in tag and b' hidden="until-found"' not in tag:
        return True
    style = _STYLE.search(tag)
    if style is None:
        return False
    rules = style[1].replace(b" ", b"").lower()
    return b"display:none" in rules or b"visibility:hidden" in rules


_EMPTY = read_markup(b"<html></html>")


class Numbers(NamedTuple):
    """What the layout counted, as arrays."""

    container: Places
    pieces: Places
    images: Places
    link_counts: Places
    link_lengths: Places
    flags: Places
    """Of containers, as `parent`; the others are of blocks."""
    parent: Places


class Layout:
    """Containers and runs of text of one page, as lists and arrays; index i of each is about container or block i."""

    def __init__(self, markup: Markup, limits: Limits) -> None:
        self.markup = markup
        self.truncated = False
        if len(markup.start) > limits.max_nodes:
            self.truncated = True
            self.markup = markup = markup.first(limits.max_nodes)
        if not bool((_STRUCTURAL[markup.tag] & ~markup.closing).any()):
            self.markup = _EMPTY  # not even <html>: the limits left nothing of it
        own, structural = self._told()
        self._nest(own, structural, limits)
        self._run(structural, limits)
        self._measure_links(limits)
        lists = (self.container, self.pieces, self.images, self.link_counts, self.link_lengths, self.flags, self.parent)
        self.numbers = Numbers(*[np.array(each, dtype=np.int64) for each in lists])
        self.lengths: Places = np.fromiter(map(len, self.texts), np.int64, len(self.texts))
        """Characters of each text."""

    # -- elements --------------------------------------------------------------------------------------------------

    def _told(self) -> tuple[dict[int, int], NDArray[np.bool_]]:
        """What attributes say of some tags (role, hidden): flags by tag; and which tags begin or end a container."""
        markup = self.markup
        structural = _STRUCTURAL[markup.tag]
        own: dict[int, int] = {}
        hidden_parts: list[int] = []
        self._pressed: set[int] = set()
        for index in self._with_telling_attributes():
            source = markup.source(index)
            role = _ROLE.search(source)
            hidden = hides(source)
            flags = ROLE_FLAGS.get(role[1].decode("utf-8", "replace"), 0) if role is not None else 0
            if hidden or b' aria-hidden="true"' in source:
                flags |= _HIDDEN
            if flags:
                own[index] = flags
            if b' onclick="' in source:
                self._pressed.add(index)
            if hidden and not structural[index]:
                hidden_parts.append(index)
        # A hidden part of a line is a block of its own, so that a reader can leave it out.
        structural[self._with_ends(hidden_parts)] = True
        return own, structural

    def _with_telling_attributes(self) -> list[int]:
        """The start tags that have a role, style, hidden or onclick attribute, found by their first eight bytes."""
        markup = self.markup
        octets = np.frombuffer(markup.html, dtype=np.uint8)
        spaces = np.flatnonzero(octets[:-8] == ord(" "))
        words = np.ndarray((max(0, len(markup.html) - 7),), dtype="<u8", buffer=markup.html, strides=(1,))[spaces]
        found = (words == _STYLE_WORD) | (words == _HIDDEN_WORD) | (words == _ARIA_WORD) | (words == _CLICK_WORD)
        places = spaces[found | (words & _SEVEN_BYTES == _ROLE_WORD)]
        tags = np.searchsorted(markup.start, places, "right") - 1
        inside = (tags >= 0) & (places < markup.stop[tags]) & ~_CHILDLESS[markup.tag[tags]]
        return sorted(set(tags[inside].tolist()))

    def _with_ends(self, parts: list[int]) -> list[int]:
        """The start tags of inline elements that have an end tag, and these."""
        if not parts:
            return []
        markup = self.markup
        asked, found = set(parts), []
        open_tags: dict[int, list[int]] = {name: [] for name in set(markup.tag[parts].tolist())}
        same = np.flatnonzero(np.isin(markup.tag, list(open_tags)))
        for index, name, closing in zip(
            same.tolist(), markup.tag[same].tolist(), markup.closing[same].tolist(), strict=True
        ):
            if not closing:
                open_tags[name].append(index)
            elif open_tags[name] and (begun := open_tags[name].pop()) in asked:
                found += [begun, index]
        return found

    def _nest(self, own: dict[int, int], structural: NDArray[np.bool_], limits: Limits) -> None:
        markup = self.markup
        tags = np.flatnonzero(structural)
        opens = ~markup.closing[tags]
        level = np.cumsum(np.where(opens, 1, -1))
        order = np.arange(len(tags))
        span = len(tags) + 1
        # The closest open container after a tag is the last one that opened at the level that the tag leaves us at.
        opened = np.flatnonzero(opens)
        keys = level[opened] * span + opened
        by_level = np.argsort(keys, kind="stable")
        keys = keys[by_level]
        current = last_opened(keys, by_level, level, order, span)
        self.end_tags: Places = self._ends(tags, level, opens, opened[by_level])
        """The end tag of each container."""
        self.deepest = limits.max_depth
        """Containers below share the one at this depth."""
        parent = last_opened(keys, by_level, level[opened] - 1, opened, span)
        self.tag_of = tags[opened]
        """The start tag of each container."""
        self.depth = level[opened] - 1
        self.parent: list[int] = parent.tolist()
        self.flags = self._inherited(own)
        at_tag = np.maximum(np.append(current, 0)[np.cumsum(structural) - 1], 0)
        if len(self.depth) and int(self.depth.max()) > limits.max_depth:
            at_tag = np.array(self._shared_below(limits.max_depth))[at_tag]
        self.at_tag: Places = at_tag
        """The closest container around the text behind each tag."""

    def _ends(self, tags: Places, level: Places, opens: NDArray[np.bool_], opened: Places) -> Places:
        """Of each container its end tag: at each level they open and close by turns. `opened` is sorted by level."""
        closed = np.flatnonzero(~opens)
        closed = closed[np.argsort(level[closed], kind="stable")]
        ends = np.full(len(tags), len(self.markup.tag), dtype=np.int64)
        if len(closed) == len(opened):
            ends[opened] = tags[closed]
        else:  # the page was cut off
            by_level = {int(at): closed[level[closed] == at] for at in np.unique(level[closed])}
            for at, places in by_level.items():
                begun = opened[level[opened] == at + 1]
                ends[begun[: len(places)]] = tags[places[: len(begun)]]
        return ends[opens]

    def _shared_below(self, deepest: int) -> list[int]:
        """The container that stands for each: itself, or its ancestor at the deepest depth."""
        stands = list(range(len(self.parent)))
        for number, depth in enumerate(self.depth.tolist()):
            if depth > deepest and not self.flags[number] & _SKIPPED:
                stands[number] = stands[self.parent[number]]
        return stands

    def _inherited(self, own: dict[int, int]) -> list[int]:
        """The flags of each container and of all above it, parents first; a heading within a heading is its own."""
        markup = self.markup
        tags = markup.tag[self.tag_of]
        flags = FLAGS[tags] | np.where(_SKIPPING[tags], _SKIPPED, 0)
        if own:
            told = np.fromiter(own, np.int64, len(own))
            place = np.searchsorted(self.tag_of, told)
            place = np.where(place < len(flags), place, 0)
            matched = self.tag_of[place] == told
            flags[place[matched]] |= np.fromiter(own.values(), np.int64, len(own))[matched]
        self.own: list[int] = flags.tolist()
        """As `flags`, of the element alone."""
        found: list[int] = []
        for of, parent in zip(self.own, self.parent, strict=True):
            above = found[parent] if parent >= 0 else 0
            found.append(of | above & ~HEADING_BITS if of & HEADING_BITS else of | above)
        if self._pressed:
            self._press(found)
        return found

    def _press(self, flags: list[int]) -> None:
        """Text that stands in a pressed element itself, not further down in it: what it says is on a button."""
        for place, (tag, depth) in enumerate(zip(self.tag_of.tolist(), self.depth.tolist(), strict=True)):
            if tag in self._pressed and depth > _BODY_DEPTH and not self.own[place] & HEADING_BITS:
                flags[place] |= _BUTTON

    # -- runs of text ----------------------------------------------------------------------------------------------

    def _run(self, structural: NDArray[np.bool_], limits: Limits) -> None:
        """Pieces of text between tags, joined to blocks: a block ends at a block-level tag, or at a second <br>."""
        markup = self.markup
        piece = self._pieces()
        boundary = (structural & ~_SKIPPING[markup.tag]) | _RULES[markup.tag]
        run = np.cumsum(boundary, dtype=np.int64)
        self._edge = boundary | _BREAKS[markup.tag]
        self._breaks = (_BREAKS[markup.tag] | _OPTIONS[markup.tag]) & ~markup.closing
        breaks = np.cumsum(self._breaks, dtype=np.int64)[piece]
        double = steps(breaks) > 1
        double &= ~self._in_code[piece] & ~_OPTIONS[markup.tag[piece]]
        first = np.flatnonzero((steps(run[piece], -1) != 0) | double)
        if len(first) > limits.max_blocks:
            self.truncated = True
            piece = piece[: first[limits.max_blocks]]
            first, breaks = first[: limits.max_blocks], breaks[: len(piece)]
        self._join(piece, first, breaks)

    def _pieces(self) -> Places:
        """The tags that a text follows which is shown and not blank."""
        markup = self.markup
        flags = np.array(self.flags, dtype=np.int64)[self.at_tag]
        self._in_code = flags & _CODE != 0
        self._shown = flags & _SKIPPED == 0
        self._after = np.append(markup.start[1:], len(markup.html)) if len(markup.start) else markup.stop
        filled = solid(markup.html, markup.stop, self._after) & self._shown
        inside = filled & (flags & _NOSCRIPT != 0)
        if inside.any():
            # What is shown when scripts do not run counts when it is more than all the rest, else it doubles or pleads.
            length = self._after - markup.stop
            outside = filled & ~inside
            filled = filled if length[inside].sum() > length[outside].sum() else outside
        self._blank = np.cumsum(np.where(filled | ~self._shown, 0, self._after - markup.stop))
        return np.flatnonzero(filled)

    def _join(self, piece: Places, first: Places, breaks: Places) -> None:
        """All pieces in one text, with marks where blocks begin and lines break: few operations on much text."""
        markup = self.markup
        html = markup.html
        marks = np.where(steps(breaks) > 0, _LINE, (steps(self._blank[piece]) > 0) * _BLANK)
        marks[first] = _NEW
        spans = list(zip(marks.tolist(), markup.stop[piece].tolist(), self._after[piece].tolist(), strict=True))
        joined = b"".join([_MARKS[mark] + html[begin:end] for mark, begin, end in spans]).decode("utf-8", "replace")
        if joined.count("<") != len(first):  # raw text in a drawing, and the like
            escaped = [_MARKS[mark] + html[begin:end].translate(None, b"<>") for mark, begin, end in spans]
            joined = b"".join(escaped).decode("utf-8", "replace")
        sources = joined.split("<")[1:]
        if "&" in joined or ">" in joined:
            texts = [
                _fold_lines(source) if "&" in source or ">" in source else " ".join(source.split())
                for source in sources
            ]
        else:
            texts = [" ".join(source.split()) for source in sources]
        containers = self.at_tag[piece[first]].tolist()
        last = np.append(first[1:], len(piece)) - 1
        if bool(self._in_code[piece[first]].any()):
            for number in np.flatnonzero(self._in_code[piece[first]]).tolist():
                texts[number] = self._code(int(piece[first[number]]), int(piece[last[number]]))
        kept = [number for number, text in enumerate(texts) if text]
        self.texts = texts if len(kept) == len(texts) else [texts[number] for number in kept]
        self.container: list[int] = containers if len(kept) == len(texts) else [containers[number] for number in kept]
        self.pieces: list[int] = (last - first + 1)[kept].tolist()
        self._piece = piece
        self._block_of_piece = np.repeat(numbered(kept, len(texts)), last - first + 1)
        self.first_tags: Places = piece[first[kept]]
        """The tag that each block's text follows."""
        self._place(self.first_tags, piece[last[kept]])

    def _code(self, first: int, last: int) -> str:
        """The text of a run with its white space, line by line."""
        markup, span = self.markup, slice(first, last + 1)
        html, tags = markup.html, markup.tag[span]
        ends = [*markup.start[first + 1 : last + 2].tolist(), len(html)][: last + 1 - first]
        breaks = (_BREAKS[tags] | _OPTIONS[tags]) & ~markup.closing[span]
        breaks[0] = False
        shown = [not self.flags[container] & _SKIPPED for container in self.at_tag[span].tolist()]
        parts = [
            (b"\n" if break_before else b"") + (html[low:high] if seen else b"")
            for low, high, break_before, seen in zip(
                markup.stop[span].tolist(), ends, breaks.tolist(), shown, strict=True
            )
        ]
        lines = unescape(b"".join(parts).decode("utf-8", "replace")).replace("\r\n", "\n").split("\n")
        text = "\n".join([line.rstrip() for line in lines]).strip("\n")
        return text if text.strip() else ""

    def _place(self, first: Places, last: Places) -> None:
        """Where the markup of each block begins and ends, inline tags around its text included."""
        markup = self.markup
        edges = np.flatnonzero(self._edge)
        before = edges[np.maximum(np.searchsorted(edges, first, "right") - 1, 0)]
        ends = np.append(markup.start[edges], len(markup.html))
        self.begin: Places = markup.stop[before]
        self.end: Places = ends[np.searchsorted(edges, last, "right")]
        self.edges: tuple[list[int], list[int]] = self.begin.tolist(), self.end.tolist()
        """`begin` and `end`, for those who look at one block after the other."""
        self._count_images()

    def _measure_links(self, limits: Limits) -> None:
        """The links (start tags of <a href>) with their ends, and how much of each block's text is in links."""
        markup = self.markup
        anchors = _LINKS[markup.tag]
        opens = np.flatnonzero(anchors & ~markup.closing)
        linked = [
            markup.html.find(b' href="', low, high) >= 0
            for low, high in zip(markup.start[opens].tolist(), markup.stop[opens].tolist(), strict=True)
        ]
        opens = opens[linked] if not all(linked) else opens
        if len(opens) > limits.max_links:
            self.truncated = True
            opens = opens[: limits.max_links]
        closes = np.append(np.flatnonzero(anchors & markup.closing), len(markup.tag))
        self.link_tags: Places = opens
        self.link_ends: Places = closes[np.searchsorted(closes, opens)]
        """Links do not nest, so a link ends at the next end tag."""
        piece = self._piece
        link = np.searchsorted(opens, piece, "right") - 1
        inside = np.flatnonzero((link >= 0) & (self._block_of_piece >= 0))
        inside = inside[self.link_ends[link[inside]] > piece[inside]] if len(inside) else inside
        lengths, counts = [0] * len(self.texts), [0] * len(self.texts)
        blocks: dict[int, int] = {}
        html, last, texts, pieces = markup.html, (-1, -1), self.texts, self.pieces
        for block, of, begin, end, in_code in zip(
            self._block_of_piece[inside].tolist(), link[inside].tolist(), markup.stop[piece[inside]].tolist(),
            self._after[piece[inside]].tolist(), self._in_code[piece[inside]].tolist(), strict=True,
        ):  # fmt: skip
            if pieces[block] == 1 and not in_code:  # an entry of a menu, as a rule: the link is all of it
                lengths[block] = len(texts[block])
            else:
                text = html[begin:end].decode("utf-8", "replace")
                lengths[block] += len(" ".join((unescape(text) if "&" in text else text).split()))
            if (block, of) != last:
                last = (block, of)
                counts[block] += 1
                blocks.setdefault(of, block)
        self.link_lengths = [min(length, len(text)) for length, text in zip(lengths, texts, strict=True)]
        self.link_counts = counts
        self.link_blocks = blocks
        """Link -> the block where its text begins."""

    def link_source(self, number: int) -> bytes:
        """The markup inside a link."""
        markup = self.markup
        end = int(self.link_ends[number])
        stop = int(markup.start[end]) if end < len(markup.start) else len(markup.html)
        return markup.html[int(markup.stop[self.link_tags[number]]) : stop]

    def _count_images(self) -> None:
        places = self.markup.start[_IMAGES[self.markup.tag]]
        before = np.searchsorted(places, self.end)
        self.images: list[int] = steps(before).tolist()


_BLANK, _LINE, _NEW = 1, 2, 3
_MARKS = (b"", b" ", b">", b"<")
"""Before a piece of text: nothing, white space, a line break, a new block. Neither bracket is in escaped text."""


def _fold(text: str) -> str:
    return " ".join((unescape(text) if "&" in text else text).split())


def _fold_lines(text: str) -> str:
    return "\n".join([line for piece in text.split(">") if (line := _fold(piece))])
