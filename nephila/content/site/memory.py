"""What repeats across the pages of a site: learned while crawling, used on every next page. Knows blocks and numbers.

Two tables of a site, hashes and counts only. *Texts*: on how many pages a block that begins with the same words, or has
the same text, stood in the same kind of place; what repeats is furniture ("Tags: ...", "Last changed on ..."). *Places*
(tags and classes of three containers, the closest, and one and two above): how likely the model found the blocks there
on average; a site puts its text in the same places on all pages, so what the model doubts on one page is told by the
others. `look` weighs both.

Memories of several workers are merged by adding; counts are halved as they grow, so that a redesign is forgotten.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh64_intdigest

from nephila.content.features.page import Floats, PageFeatures
from nephila.content.native.starts import native_starts
from nephila.content.site.tally import Keys, Rows, Tally

MOST_TEXTS = 30_000
MOST_PLACES = 6_000
HALVED_AT = 400
"""Pages after which all counts are halved: the memory is of the last few hundred pages."""
_START = 16
"""Bytes of a text that count, digits left out: on sites never seen this told more than the whole text (docs)."""
_WHOLE = 400
"""Characters of a text that count for the whole."""
_DIGITS = b"0123456789"
_FORMAT = 3
UNSEEN = -9.0
"""In the place of a logit: no page had this place."""
_SEEN = 0.5
_TEXT = np.dtype([("key", "<u8"), ("count", "<f4")])
_PLACE = np.dtype([("key", "<u8"), ("entry", "<f4", 3)])


@dataclass(slots=True)
class SiteMemory:
    """The learned tables of one site."""

    pages: float = 0.0
    texts: Tally = field(default_factory=lambda: Tally.empty(1))
    """Hash of place and text -> pages that had it."""
    places: Tally = field(default_factory=lambda: Tally.empty(3))
    """Hash of a place -> tokens seen there, of these the expected content, pages that had it."""

    def learn(self, view: PageView, probabilities: Floats) -> None:
        """Adds one page, each once."""
        self.pages += 1
        texts = np.concatenate((_keys(view.starts), _keys(view.wholes)))
        self.texts.add_page(texts, np.empty((len(texts), 0)))
        tokens = np.stack((view.weights, view.weights * probabilities), axis=1, dtype=np.float64)
        for level in view.places:
            self.places.add_page(level, tokens)
        self._bound()

    def merge(self, other: SiteMemory) -> None:
        """Adds what another worker learned of the same site."""
        self.pages += other.pages
        self.texts.add(*other.texts.arrays())
        self.places.add(*other.places.arrays())
        self._bound()

    def signals(self, view: PageView, own: Floats | None = None) -> Floats:
        """A column for each block: the pages seen, what they tell of its text (2 rows for its start, 2 for the whole)
        and of each of its places (4 rows each).

        `own` takes this page's own share out of the tables, when the page is among those learned (its probabilities).
        """
        less = 0.0 if own is None else 1.0
        pages = max(self.pages - less, 0.0)
        each = 1 / pages if pages else 0.0
        rows = [np.full(len(view.weights), np.log1p(pages))]
        for hashes in (view.starts, view.wholes):
            counts = np.maximum(self.texts.rows_of(_keys(hashes))[:, 0] - less, 0)
            rows += [np.log1p(counts), np.minimum(counts * each, 1.0)]
        for places in view.places:
            tokens, likely, at_pages = self.places.rows_of(places).T
            if own is not None:
                own_tokens, own_likely = _own_sums(places, view.weights, own)
                tokens, likely, at_pages = tokens - own_tokens, likely - own_likely, at_pages - 1
            at_pages = np.maximum(at_pages, 0)
            seen = (at_pages > _SEEN) & (tokens > _SEEN)
            share = np.clip((likely + 0.5) / np.maximum(tokens + 1.0, 0.5), 0.005, 0.995)
            rows += [
                np.where(seen, np.log(share / (1 - share)), UNSEEN),
                np.log1p(at_pages),
                np.minimum(at_pages * each, 1.0),
                np.where(seen, np.log1p(np.maximum(tokens, 0) / np.maximum(at_pages, 1)), 0.0),
            ]
        return np.stack(rows).astype(np.float32)

    def _bound(self) -> None:
        if self.pages >= HALVED_AT:
            self.pages /= 2
            texts, counts = self.texts.arrays()
            again = counts[:, 0] > 1
            self.texts = Tally(texts[again], counts[again] / 2)
            places, entries = self.places.arrays()
            self.places = Tally(places, entries / 2)
        if len(self.texts) > MOST_TEXTS:
            self.texts = _most_seen(*self.texts.arrays(), MOST_TEXTS // 2)
        if len(self.places) > MOST_PLACES:
            self.places = _most_seen(*self.places.arrays(), MOST_PLACES // 2)

    def to_bytes(self) -> bytes:
        """A compact form for the shared memory: texts that were seen once only are left out beyond a bound."""
        head = struct.pack("<BfII", _FORMAT, self.pages, len(self.texts), len(self.places))
        texts, places = np.empty(len(self.texts), _TEXT), np.empty(len(self.places), _PLACE)
        keys, counts = self.texts.arrays()
        texts["key"], texts["count"] = keys, counts[:, 0]
        places["key"], places["entry"] = self.places.arrays()
        return head + texts.tobytes() + places.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> SiteMemory:
        """Reads what `to_bytes` wrote; an empty memory when it was written by another version."""
        head = struct.calcsize("<BfII")
        if len(data) < head or data[0] != _FORMAT:
            return cls()
        _, pages, texts, places = struct.unpack_from("<BfII", data)
        if len(data) != head + texts * _TEXT.itemsize + places * _PLACE.itemsize:
            return cls()
        known = np.frombuffer(data, _TEXT, texts, head)
        placed = np.frombuffer(data, _PLACE, places, head + texts * _TEXT.itemsize)
        return cls(pages, Tally(known["key"], known["count"][:, None]), Tally(placed["key"], placed["entry"]))


def _most_seen(keys: Keys, rows: Rows, most: int) -> Tally:
    """The keys that most pages had, which the last number of their rows tells; of equals, those that came first."""
    best = np.argsort(-rows[:, -1], kind="stable")[:most]
    return Tally(keys[best], rows[best])


@dataclass(slots=True)
class PageView:
    """A page as the memory sees it."""

    starts: Sequence[int] | Keys
    """Hashes of the first words of each block, where it stands."""
    wholes: Sequence[int] | Keys
    """The same of its whole text."""
    places: NDArray[np.uint64]
    """A row for each level."""
    weights: Floats


def view_of(texts: Sequence[str], page: PageFeatures) -> PageView:
    """The hashes of a page's blocks."""
    found = native_starts(texts, page.places[0]) or _by_python(texts, page.places[0])
    return PageView(*found, page.places, page.weights)


def _by_python(texts: Sequence[str], places: Keys) -> tuple[Keys, Keys]:
    seeds = [place & 0xFFFFFFFF for place in places.tolist()]
    bare = [text[:_WHOLE].encode("utf-8", "replace").translate(None, _DIGITS) for text in texts]
    starts = [xxh64_intdigest(text[:_START], seed) for text, seed in zip(bare, seeds, strict=True)]
    wholes = [xxh64_intdigest(text, seed + 1) for text, seed in zip(bare, seeds, strict=True)]
    return _keys(starts), _keys(wholes)


def _keys(hashes: Sequence[int] | Keys) -> Keys:
    return np.asarray(hashes, dtype=np.uint64)


def _own_sums(level: NDArray[np.uint64], weights: Floats, own: Floats) -> NDArray[np.float64]:
    """The same of each block's place."""
    places, of_block = np.unique(level, return_inverse=True)
    sums = np.stack((np.bincount(of_block, weights, len(places)), np.bincount(of_block, weights * own, len(places))))
    return np.asarray(sums[:, of_block])


__all__ = ["PageView", "SiteMemory", "view_of"]
