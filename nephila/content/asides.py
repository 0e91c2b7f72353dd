"""What stands beside the main text and belongs to it: captions of its pictures, links to related pages.

Knows documents, features, and which blocks were kept. Only what the markup itself calls so: a <figcaption>, an element
whose class says caption; links in a part that is named for what is related. Absent is None, never a guess.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.families import place_of
from nephila.content.features.page import BLOCK_COLUMNS, FLAGS_FROM, LINKED, PageFeatures
from nephila.document import Document
from nephila.document.markup import attributes_of
from nephila.document.outline import Ints
from nephila.document.tags import Flag

_CAPTION_FLAG = FLAGS_FROM + int(Flag.CAPTION).bit_length() - 1
_TABLE_FLAG = FLAGS_FROM + int(Flag.TABLE).bit_length() - 1
_CAPTION_FAMILY, _RELATED_FAMILY = (BLOCK_COLUMNS + place_of(name) for name in ("caption", "related"))
_BESIDE = 3
"""Blocks before the first and behind the last of the text among which its pictures are."""
_LONGEST, _MOST = 400, 50
_LINKED = 0.8
_REMEMBERED, _LONGEST_TAG = 4000, 500
"""Start tags, and the bytes of one."""


class _Names:
    """Whether the class or the id of a start tag has such words. The tags of a site's template come on each page."""

    def __init__(self, pattern: bytes, words: tuple[bytes, ...]) -> None:
        """`words`: one of them is in all that the pattern finds, and a look for it takes a third of the time."""
        self._pattern = re.compile(rb'\b(?:class|id)="(?:[^"]*[^a-zA-Z"])?(?:%s)' % pattern, re.IGNORECASE)
        self._words = words
        self._remembered = lru_cache(_REMEMBERED)(self._look)

    def tell(self, tag: bytes) -> bool:
        return self._remembered(tag) if len(tag) <= _LONGEST_TAG else self._look(tag)

    def _look(self, tag: bytes) -> bool:
        return any(map(tag.lower().__contains__, self._words)) and self._pattern.search(tag) is not None


_CAPTION = _Names(b"caption|figcaption", (b"caption",))
_RELATED = _Names(
    rb"relat(?:ed|ion)|recommend|similar|see-?_?also|read-?_?next|further-?_?reading"
    rb"|more-?_?(?:from|on|stories|articles|posts)|you-?_?may",
    (b"relat", b"recommend", b"similar", b"also", b"next", b"reading", b"more", b"you"),
)


def captions_of(document: Document, page: PageFeatures, kept: NDArray[np.bool_]) -> list[str] | None:
    """What is said below the pictures in the text or right beside it, whether the text says it too or not."""
    places = kept.nonzero()[0]
    if not len(places):
        return None
    start, end = max(0, int(places[0]) - _BESIDE), int(places[-1]) + 1 + _BESIDE
    dense = page.dense[start:end]
    marked = (dense[:, _CAPTION_FLAG] > 0) & (dense[:, _TABLE_FLAG] == 0)
    likely = (marked | (dense[:, _CAPTION_FAMILY] > 0)).nonzero()[0][:_MOST]
    if not len(likely):
        return None
    containers, texts = document.blocks.containers, document.layout.texts
    sure, around = marked[likely].tolist(), page.ancestors[likely + start, :2].tolist()
    found = [
        texts[place]
        for place, surely, above in zip((likely + start).tolist(), sure, around, strict=True)
        if len(texts[place]) <= _LONGEST and (surely or any(_CAPTION.tell(containers.source(each)) for each in above))
    ]
    return list(dict.fromkeys(found)) or None


def related_of(document: Document, page: PageFeatures, kept: NDArray[np.bool_]) -> list[dict[str, str]] | None:
    """Pages that this one calls related: `title` and `url` of each."""
    dense = page.dense
    likely = ((dense[:, _RELATED_FAMILY] > 0) & (dense[:, LINKED] >= _LINKED) & ~kept).nonzero()[0]
    if not len(likely):
        return None
    boxes = _Boxes(document, page.spans, kept)
    holders = page.ancestors[likely, 0].tolist()
    named = {place for place, holder in zip(likely.tolist(), holders, strict=True) if boxes.hold(holder)}
    layout = document.layout
    found: dict[str, dict[str, str]] = {}
    for number, place in layout.link_blocks.items() if named else ():
        if place in named and len(found) < _MOST:
            source = layout.markup.source(int(layout.link_tags[number]))
            url = document.join(attributes_of(source).get("href") or "")
            if url is not None:
                found.setdefault(url, {"title": layout.texts[place], "url": url})
    return list(found.values()) or None


class _Boxes:
    """Whether a container, or one around it, is called related and holds no main text; answered once for each."""

    def __init__(self, document: Document, spans: Ints, kept: NDArray[np.bool_]) -> None:
        self._containers = document.blocks.containers
        self._parents: list[int] = document.outline.parents.tolist()
        before = np.zeros(len(kept) + 1, dtype=np.int64)
        kept.cumsum(out=before[1:])
        self._holding: list[bool] = (before[spans[:, 0]] != before[spans[:, 1]]).tolist()
        self._known: dict[int, bool] = {}

    def hold(self, container: int) -> bool:
        path: list[int] = []
        answer = False
        while container not in self._known:
            path.append(container)
            if self._holding[container] or (answer := _RELATED.tell(self._containers.source(container))):
                break
            if self._parents[container] == container:
                break
            container = self._parents[container]
        else:
            answer = self._known[container]
        self._known.update(dict.fromkeys(path, answer))
        return answer
