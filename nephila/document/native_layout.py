"""The layout of a page by the native library: the same as `Layout`, in a fifth of the time. Knows its arrays."""

from __future__ import annotations

import numpy as np

from nephila.document.layout import Layout, Numbers, numbered
from nephila.document.limits import Limits
from nephila.document.markup import read_markup
from nephila.document.native import LaidOut, Tags, lay_out


class NativeLayout(Layout):
    """What the library laid out."""

    def __init__(self, tags: Tags, laid: LaidOut, limits: Limits) -> None:
        found = laid.arrays
        self.markup = tags.markup
        self.truncated = laid.truncated
        self.deepest = limits.max_depth
        self.tag_of, self.end_tags, self.depth = found["tag_of"], found["end_tag"], found["depth"]
        self.parent, self.own, self.flags = (found[name].tolist() for name in ("parent", "own", "flags"))
        self.at_tag = found["at_tag"]
        self.link_tags, self.link_ends = found["link_tag"], found["link_end"]
        texts = laid.texts
        code = np.flatnonzero(found["in_code"]).tolist()
        for number in code:
            texts[number] = self._code(int(found["first"][number]), int(found["last"][number]))
        if "" in texts:
            kept = [number for number, text in enumerate(texts) if text]
            found["link_block"] = np.append(numbered(kept, len(texts)), -1)[found["link_block"]]
            texts = [texts[number] for number in kept]
        else:
            kept = None
        block = {name: found[name] if kept is None else found[name][kept] for name in _OF_BLOCKS}
        self.texts = texts
        self.container, self.pieces = block["container"].tolist(), block["pieces"].tolist()
        self.first_tags, self.begin, self.end = block["first"], block["begin"], block["end"]
        images = np.diff(block["images"], prepend=0)
        lengths = block["link_length"]
        if code:
            lengths = np.minimum(lengths, np.fromiter(map(len, texts), np.int64, len(texts)))
        self.images, self.link_counts, self.link_lengths = images.tolist(), block["link_count"].tolist(), lengths.tolist()
        self.numbers = Numbers(
            *(block["container"], block["pieces"], images, block["link_count"], lengths),
            *(found["flags"], found["parent"]),
        )
        blocks = found["link_block"]
        linked = np.flatnonzero(blocks >= 0)
        self.link_blocks = dict(zip(linked.tolist(), blocks[linked].tolist(), strict=True))


_OF_BLOCKS = ("container", "first", "pieces", "begin", "end", "images", "link_length", "link_count")


def layout_of(html: bytes, tags: Tags | None, limits: Limits) -> Layout:
    """The layout of what lexbor wrote; `tags`: the same, read by the library where it can."""
    laid = None if tags is None else lay_out(tags, limits.max_depth, limits.max_blocks, limits.max_links)
    if tags is None or laid is None:
        return Layout(read_markup(html), limits)
    return NativeLayout(tags, laid, limits)
