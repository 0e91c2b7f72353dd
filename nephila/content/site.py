"""What repeats across the pages of a site: learned while crawling, used on every next page. Knows blocks and numbers.

Two tables of a site, hashes and counts only. *Texts*: on how many pages a block that begins with the same words stood
in the same kind of place; what repeats is furniture ("Tags: ...", "Last changed on ..."). *Places* (tags and classes of
the three closest containers): how likely the model found the blocks there on average; a site puts its text in the same
places on all pages, so what the model doubts on one page is told by the others. A small logistic model weighs both; its
weights are trained with the rest.

Memories of several workers are merged by adding; counts are halved as they grow, so that a redesign is forgotten.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np
from xxhash import xxh3_64_intdigest

from nephila.content.features import Floats, PageFeatures
from nephila.document import Document

MOST_TEXTS = 20_000
MOST_PLACES = 2_000
HALVED_AT = 400
"""Pages after which all counts are halved: the memory is of the last few hundred pages."""
_START = 16
"""Bytes of a text that count, digits left out: on sites never seen this told more than the whole text (docs)."""
_DIGITS = b"0123456789"
_NOWHERE = (0.0, 0.0, 0.0)
_FORMAT = 1
_TEXT = np.dtype([("key", "<u8"), ("count", "<f4")])
_PLACE = np.dtype([("key", "<u8"), ("entry", "<f4", 3)])


@dataclass(slots=True)
class SiteMemory:
    """The learned tables of one site."""

    pages: float = 0.0
    texts: dict[int, float] = field(default_factory=dict)
    """Hash of place and text -> pages that had it."""
    places: dict[int, list[float]] = field(default_factory=dict)
    """Hash of a place -> [tokens seen there, of these the expected content, pages that had it]."""

    def learn(self, view: PageView, probabilities: Floats) -> None:
        """Adds one page, each once."""
        self.pages += 1
        texts, places = self.texts, self.places
        for text in set(view.texts):
            texts[text] = texts.get(text, 0.0) + 1
        for place, tokens, likely in zip(*_sums_by_place(view, probabilities), strict=True):
            entry = places.get(place)
            if entry is None:
                places[place] = [tokens, likely, 1.0]
            else:
                entry[0] += tokens
                entry[1] += likely
                entry[2] += 1
        self._bound()

    def merge(self, other: SiteMemory) -> None:
        """Adds what another worker learned of the same site."""
        self.pages += other.pages
        for text, count in other.texts.items():
            self.texts[text] = self.texts.get(text, 0.0) + count
        for place, entry in other.places.items():
            mine = self.places.setdefault(place, [0.0, 0.0, 0.0])
            for index, value in enumerate(entry):
                mine[index] += value
        self._bound()

    def signals(self, view: PageView, own: Floats | None = None) -> Floats:
        """Of each block: how often its text was seen, the mean of its place, how well the place is known.

        `own` takes this page's own share out of the tables, when the page is among those learned (its probabilities).
        """
        less = 0.0 if own is None else 1.0
        pages = max(self.pages - less, 0.0)
        known_texts, known_places = self.texts, self.places
        counts = np.array([known_texts.get(text, 0.0) for text in view.texts], dtype=np.float64)
        entries = np.array([known_places.get(place, _NOWHERE) for place in view.places], dtype=np.float64)
        tokens, likely, at_pages = entries.T
        if own is not None:
            counts = np.maximum(counts - 1, 0)
            mine = {place: sums for place, *sums in zip(*_sums_by_place(view, own), strict=True)}
            own_tokens, own_likely = np.array([mine[place] for place in view.places]).T
            tokens, likely, at_pages = tokens - own_tokens, likely - own_likely, at_pages - 1
        known = (at_pages > 0.5) & (tokens > 0.5)
        share = np.clip((likely + 0.5) / np.maximum(tokens + 1.0, 0.5), 0.005, 0.995)
        columns = (
            np.log1p(counts),
            counts / pages if pages else np.zeros(len(counts)),
            np.where(known, np.log(share / (1 - share)), 0.0),
            np.where(known, np.log1p(np.maximum(at_pages, 0.0)), 0.0),
        )
        return np.stack(columns, axis=1).astype(np.float32)

    def _bound(self) -> None:
        if self.pages >= HALVED_AT:
            self.pages /= 2
            self.texts = {text: count / 2 for text, count in self.texts.items() if count > 1}
            self.places = {place: [value / 2 for value in entry] for place, entry in self.places.items()}
        if len(self.texts) > MOST_TEXTS:
            kept = sorted(self.texts.items(), key=lambda item: -item[1])[: MOST_TEXTS // 2]
            self.texts = dict(kept)
        if len(self.places) > MOST_PLACES:
            best = sorted(self.places.items(), key=lambda item: -item[1][2])[: MOST_PLACES // 2]
            self.places = dict(best)

    def to_bytes(self) -> bytes:
        """A compact form for the shared memory: texts that were seen once only are left out beyond a bound."""
        head = struct.pack("<BfII", _FORMAT, self.pages, len(self.texts), len(self.places))
        texts, places = np.empty(len(self.texts), _TEXT), np.empty(len(self.places), _PLACE)
        texts["key"], texts["count"] = list(self.texts), list(self.texts.values())
        places["key"] = list(self.places)
        places["entry"] = np.array(list(self.places.values()), np.float32).reshape(-1, 3)
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
        return cls(
            pages,
            dict(zip(known["key"].tolist(), known["count"].tolist(), strict=True)),
            dict(zip(placed["key"].tolist(), placed["entry"].tolist(), strict=True)),
        )


@dataclass(slots=True)
class PageView:
    """A page as the memory sees it."""

    texts: list[int]
    places: list[int]
    weights: Floats


def view_of(document: Document, page: PageFeatures) -> PageView:
    """The hashes of a page's blocks."""
    places = page.places.tolist()
    texts = [
        xxh3_64_intdigest(text[:64].encode("utf-8", "replace").translate(None, _DIGITS)[:_START], place & 0xFFFFFFFF)
        for text, place in zip(document.layout.texts, places, strict=True)
    ]
    return PageView(texts, places, page.weights)


def _sums_by_place(view: PageView, probabilities: Floats) -> tuple[list[int], list[float], list[float]]:
    """The places of a page, the tokens in each, and how many of these are expected to be content."""
    places, of_block = np.unique(np.array(view.places, dtype=np.uint64), return_inverse=True)
    tokens = np.bincount(of_block, view.weights, len(places))
    likely = np.bincount(of_block, view.weights * probabilities, len(places))
    return places.tolist(), tokens.tolist(), likely.tolist()


def combine(weights: Floats, probabilities: Floats, signals: Floats) -> Floats:
    """Weighs what the model says of each block against what the site says of it."""
    likely = np.clip(probabilities, 1e-4, 1 - 1e-4)
    return np.asarray(1 / (1 + np.exp(-(site_inputs(np.log(likely / (1 - likely)), signals) @ weights))), np.float32)


def site_inputs(logits: Floats, signals: Floats) -> Floats:
    """What the logistic model sees. Its place's mean counts the more, the more pages had the place."""
    count, share, place, known = signals.T
    trust = known / (known + 1)
    return np.stack(
        (
            np.ones_like(logits),
            logits,
            logits * trust,
            place * trust,
            trust,
            np.minimum(count, 3.0),
            share,
            share * logits,
        ),
        axis=1,
    ).astype(np.float32)


__all__ = ["PageView", "SiteMemory", "combine", "site_inputs", "view_of"]
