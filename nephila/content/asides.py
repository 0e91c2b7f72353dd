"""What stands beside the main text and belongs to it: captions of its pictures, links to related pages.

Knows documents, features, and which blocks were kept. Only what the markup itself calls so: a <figcaption>, an element
whose class says caption; links in a part that is named for what is related. Absent is None, never a guess.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from nephila.content.families import place_of
from nephila.content.features import BLOCK_COLUMNS, FLAGS_FROM, LINKED, PageFeatures
from nephila.document import Block, Document
from nephila.document.blocks import Container
from nephila.document.markup import attributes_of
from nephila.document.tags import Flag

_CAPTION_FLAG = FLAGS_FROM + int(Flag.CAPTION).bit_length() - 1
_TABLE_FLAG = FLAGS_FROM + int(Flag.TABLE).bit_length() - 1
_CAPTION_FAMILY, _RELATED_FAMILY = (BLOCK_COLUMNS + place_of(name) for name in ("caption", "related"))
_CAPTION = re.compile(r"(?<![a-z])caption|figcaption", re.IGNORECASE)
_RELATED = re.compile(
    r"(?<![a-z])(?:relat(?:ed|ion)|recommend|similar|see-?_?also|read-?_?next|further-?_?reading"
    r"|more-?_?(?:from|on|stories|articles|posts)|you-?_?may)",
    re.IGNORECASE,
)
_BESIDE = 3
"""Blocks before the first and behind the last of the text among which its pictures are."""
_LONGEST, _MOST = 400, 50
_LINKED = 0.8


def captions_of(document: Document, page: PageFeatures, kept: NDArray[np.bool_]) -> list[str] | None:
    """What is said below the pictures in the text or right beside it, whether the text says it too or not."""
    places = np.flatnonzero(kept)
    if not len(places):
        return None
    start, end = max(0, int(places[0]) - _BESIDE), int(places[-1]) + 1 + _BESIDE
    dense = page.dense[start:end]
    marked = (dense[:, _CAPTION_FLAG] > 0) & (dense[:, _TABLE_FLAG] == 0)
    likely = marked | (dense[:, _CAPTION_FAMILY] > 0)
    found = []
    for place in (np.flatnonzero(likely) + start).tolist()[:_MOST]:
        block = document.blocks[place]
        if len(block.text) <= _LONGEST and (marked[place - start] or _is_captioned(block)):
            found.append(block.text)
    return list(dict.fromkeys(found)) or None


def _is_captioned(block: Block) -> bool:
    container = block.container
    return _is_named(container, _CAPTION) or (container.parent is not None and _is_named(container.parent, _CAPTION))


def related_of(document: Document, page: PageFeatures, kept: NDArray[np.bool_]) -> list[dict[str, str]] | None:
    """Pages that this one calls related: `title` and `url` of each."""
    dense = page.dense
    likely = np.flatnonzero((dense[:, _RELATED_FAMILY] > 0) & (dense[:, LINKED] >= _LINKED) & ~kept).tolist()
    if not likely:
        return None
    known: dict[int, bool] = {}
    named = {place for place in likely if _is_beside(document.blocks[place].container, kept, known)}
    layout = document.layout
    found: dict[str, dict[str, str]] = {}
    for number, place in layout.link_blocks.items() if named else ():
        if place in named and len(found) < _MOST:
            source = layout.markup.source(int(layout.link_tags[number]))
            url = document.join(attributes_of(source).get("href") or "")
            if url is not None:
                found.setdefault(url, {"title": layout.texts[place], "url": url})
    return list(found.values()) or None


def _is_beside(container: Container, kept: NDArray[np.bool_], known: dict[int, bool]) -> bool:
    """Whether it, or a container around it that holds no main text, is named for what is related."""
    path = []
    answer = False
    for one in container.ancestors():
        if one.index in known:
            answer = known[one.index]
            break
        path.append(one.index)
        if kept[one.start : one.end].any():
            break
        if answer := _is_named(one, _RELATED):
            break
    known.update(dict.fromkeys(path, answer))
    return answer


def _is_named(container: Container, words: re.Pattern[str]) -> bool:
    attributes = container.attributes
    return any(words.search(attributes.get(name, "")) for name in ("class", "id"))
