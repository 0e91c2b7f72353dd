"""The layout of a page by the native library: the same as `Layout`, in a fifth of the time. Knows its arrays."""

from __future__ import annotations

import numpy as np

from nephila.document.layout import Layout, Numbers, numbered
from nephila.document.limits import Limits
from nephila.document.markup import Places, read_markup
from nephila.document.native import LaidOut, Tags, lay_out


class NativeLayout(Layout):
    """What the library laid out. Lists are made of its arrays when they are asked for: most never are."""

    def __init__(self, tags: Tags, laid: LaidOut, limits: Limits) -> None:
        self.markup = tags.markup
        self.truncated = laid.truncated
        self.deepest = limits.max_depth
        self.tag_of, self.end_tags, self.depth = laid["tag_of"], laid["end_tag"], laid["depth"]
        self.at_tag, self._own, self._link_blocks = laid["at_tag"], laid["own"], laid["link_block"]
        self.link_tags, self.link_ends = laid["link_tag"], laid["link_end"]
        flags, parent, texts = laid["flags"], laid["parent"], laid.texts
        blocks = [laid[name] for name in _OF_BLOCKS]
        code = laid["in_code"].nonzero()[0].tolist()
        if code:
            self.flags = flags.tolist()
            first, last = laid["first"], laid["last"]
            for number in code:
                texts[number] = self._code(int(first[number]), int(last[number]))
        if "" in texts:
            kept = [number for number, text in enumerate(texts) if text]
            self._link_blocks = np.append(numbered(kept, len(texts)), -1)[self._link_blocks]
            texts = [texts[number] for number in kept]
            blocks = [each[kept] for each in blocks]
        container, self.first_tags, pieces, self.begin, self.end, seen, lengths, counts = blocks
        images = seen.copy()  # up to each block: those since the block before
        images[1:] -= seen[:-1]
        if code:
            lengths = np.minimum(lengths, np.fromiter(map(len, texts), np.int64, len(texts)))
        self.texts = texts
        self.numbers = Numbers(container, pieces, images, counts, lengths, flags, parent)

    def __getattr__(self, name: str) -> object:
        """A list that was not asked for yet."""
        made: object
        if name in Numbers._fields:
            made = getattr(self.numbers, name).tolist()
        elif name == "own":
            made = self._own.tolist()
        elif name == "link_blocks":
            made = _blocks_of_links(self._link_blocks)
        else:
            raise AttributeError(name)
        setattr(self, name, made)
        return made


_OF_BLOCKS = ("container", "first", "pieces", "begin", "end", "images", "link_length", "link_count")


def _blocks_of_links(blocks: Places) -> dict[int, int]:
    linked = np.flatnonzero(blocks >= 0)
    return dict(zip(linked.tolist(), blocks[linked].tolist(), strict=True))


def layout_of(html: bytes, tags: Tags | None, limits: Limits) -> Layout:
    """The layout of what lexbor wrote; `tags`: the same, read by the library where it can."""
    laid = None if tags is None else lay_out(tags, limits.max_depth, limits.max_blocks, limits.max_links)
    if tags is None or laid is None:
        return Layout(read_markup(html), limits)
    return NativeLayout(tags, laid, limits)
