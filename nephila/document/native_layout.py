"""The layout of a page by the native library: the same as `Layout`, in a fifth of the time. Knows its arrays."""

from __future__ import annotations

import numpy as np

from nephila.document.layout import Layout, Numbers
from nephila.document.limits import Limits
from nephila.document.markup import Places, read_markup
from nephila.document.native import LaidOut, Tags, lay_out
from nephila.document.places import numbered


class NativeLayout(Layout):
    """What the library laid out. Lists are made of its arrays when they are asked for: most never are."""

    def __init__(self, tags: Tags, laid: LaidOut, limits: Limits) -> None:
        self.markup = tags.markup
        self.truncated = laid.truncated
        self.deepest = limits.max_depth
        self.at_tag = laid.tags[0]
        self.tag_of, self.end_tags, parent, self.depth, self._own, flags = laid.containers
        self.link_tags, self.link_ends, self._link_blocks = laid.links
        blocks, self.texts = laid.blocks, laid.texts
        if laid.listings:
            self.flags = flags.tolist()
            blocks = self._with_code(blocks)
        container, self.first_tags, _, pieces, self.begin, self.end, images, lengths, counts, _, self.lengths = blocks
        self.numbers = Numbers(container, pieces, images, counts, lengths, flags, parent)

    def _with_code(self, blocks: Places) -> Places:
        """Writes the texts of listings; the numbers of the blocks that have a text."""
        texts = self.texts
        for number in blocks[_IN_CODE].nonzero()[0].tolist():
            texts[number] = self._code(int(blocks[_FIRST, number]), int(blocks[_LAST, number]))
        if "" in texts:
            kept = [number for number, text in enumerate(texts) if text]
            self._link_blocks = np.append(numbered(kept, len(texts)), -1)[self._link_blocks]
            self.texts = texts = [texts[number] for number in kept]
            images = np.cumsum(blocks[_IMAGES])[kept]
            blocks = np.ascontiguousarray(blocks[:, kept])
            blocks[_IMAGES] = np.diff(images, prepend=0)
        blocks[_CHARACTERS] = np.fromiter(map(len, texts), np.int64, len(texts))
        np.minimum(blocks[_LENGTHS], blocks[_CHARACTERS], out=blocks[_LENGTHS])
        return blocks

    def __getattr__(self, name: str) -> object:
        """A list that was not asked for yet."""
        made: object
        if name in Numbers._fields:
            made = getattr(self.numbers, name).tolist()
        elif name == "edges":
            made = self.begin.tolist(), self.end.tolist()
        elif name == "own":
            made = self._own.tolist()
        elif name == "link_blocks":
            made = _blocks_of_links(self._link_blocks)
        else:
            raise AttributeError(name)
        setattr(self, name, made)
        return made


_FIRST, _LAST, _IMAGES, _LENGTHS, _IN_CODE, _CHARACTERS = 1, 2, 6, 7, 9, 10
"""Rows of the numbers of blocks."""


def _blocks_of_links(blocks: Places) -> dict[int, int]:
    linked = np.flatnonzero(blocks >= 0)
    return dict(zip(linked.tolist(), blocks[linked].tolist(), strict=True))


def layout_of(html: bytes, tags: Tags | None, limits: Limits) -> Layout:
    """The layout of what lexbor wrote; `tags`: the same, read by the library where it can."""
    laid = None if tags is None else lay_out(tags, limits.max_depth, limits.max_blocks, limits.max_links)
    if tags is None or laid is None:
        return Layout(read_markup(html), limits)
    return NativeLayout(tags, laid, limits)
