"""Document -> numbers: what the model sees of each block. Knows blocks and containers; no text of any one language.

Three kinds of features: dense numbers of the block and of its page; hashed names (tag, classes, id, role) of the
containers above it; hashes of its first words. The model looks the hashes up in small learned tables. What neighbours
and ancestors say is left to the model, which sees the whole sequence and the ranges of the containers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.characters import CJK, COLON, COMMA, DIGIT, OTHER, QUOTE, SIGN, STOP, UPPER, Characters
from nephila.content.features.families import columns as family_columns
from nephila.content.features.families import inherited
from nephila.content.features.first_words import FirstWords, words_of
from nephila.content.features.names import Looks, looks_of
from nephila.content.native.features import Known, native_numbers
from nephila.content.native.lines import native_lines
from nephila.content.talk.lines import talk_lines
from nephila.document.document import Document
from nephila.document.jsonld import items
from nephila.document.layout import Layout
from nephila.document.outline import Ints, Outline
from nephila.document.tags import HEADING_BITS, HEADING_SHIFT

Floats = NDArray[np.float32]

PLACES_EACH = 3
_FLAG_BITS = 19
DIGITS = 4
"""The column of the dense features that tells the share of a block's characters that are digits."""
LINKED = 21
"""The one that tells the share of a block that is links."""
FLAGS_FROM = 26
"""The first of the columns of the dense features that tell a block's flags, a column each."""
HEADINGS_FROM = 45
"""The first of those that tell a heading, from <h1> on."""
AGAIN = 53
"""The one that tells how often its text is on the page, as a logarithm."""
TITLES, OF_TITLE = 54, 55
"""Those that tell how much of the block is in <title>, and of <title> in the block."""
_KNOWN_START, _LEAST_INSIDE = 40, 20
BLOCK_COLUMNS = 73
"""Of the block itself and its page; behind them stand those of the families of names."""


@dataclass(slots=True)
class PageFeatures:
    """All that the model needs of one page: N blocks, C containers."""

    dense: Floats
    """N x DENSE."""
    words: Ints
    """N x WORDS_EACH buckets; 0 is none."""
    names: Ints
    """C x NAMES_EACH buckets; 0 is none."""
    ancestors: Ints
    """N x LEVELS: the containers of each block, its own first."""
    spans: Ints
    """C x 2: the first block of each container, and one past the last."""
    weights: Floats
    """N: tokens of each block, as the score counts them."""
    places: NDArray[np.uint64]
    """PLACES_EACH x N: hashes of tags and classes of three containers, the closest, and one and two above: the same on
    all pages of a template."""
    talk: NDArray[np.uint8]
    """N: whether a line speaks of comments (`talk_lines`)."""


def page_features(document: Document) -> PageFeatures:
    """The features of a page with at least one block."""
    layout, outline = document.layout, document.outline
    looks, known = looks_of(layout, outline), _known(document)
    found = native_numbers(layout, outline, looks, document.title or "", known)
    if found is None:
        return _by_numpy(document, looks, known)
    talk = talk_lines(layout.texts, native_lines(found.points, layout.lengths))
    of_blocks = outline.ancestors, outline.spans, found.weights, found.places, talk
    return PageFeatures(found.dense, found.words, found.names, *of_blocks)


def _by_numpy(document: Document, packed: bytearray, known: Known) -> PageFeatures:
    layout, outline = document.layout, document.outline
    characters = Characters(layout.texts)
    first_words = FirstWords(layout.texts)
    looks = Looks(packed)
    families = inherited(looks.families, outline.parents.tolist())
    numbers = _Numbers(layout)
    dense = np.concatenate(
        (
            _block_columns(document, characters, first_words, numbers, known),
            family_columns(families[outline.ancestors[:, 0]]),
            _container_columns(characters, numbers, looks, outline)
            .take(outline.ancestors, axis=0)
            .reshape(len(layout.texts), -1),
        ),
        axis=1,
        dtype=np.float32,
    )
    return PageFeatures(
        dense=dense,
        words=first_words.buckets(),
        names=looks.rows,
        ancestors=outline.ancestors,
        spans=outline.spans,
        weights=characters.words.astype(np.float32),
        places=_places(looks, outline),
        talk=talk_lines(layout.texts),
    )


def _places(looks: Looks, outline: Outline) -> NDArray[np.uint64]:
    own = looks.places[outline.ancestors.T]
    reach = len(_PLACE_FACTORS)
    return np.stack(
        [
            (own[level : level + reach] * _PLACE_FACTORS).sum(axis=0, dtype=np.uint64) + np.uint64(level)
            for level in range(PLACES_EACH)
        ]
    )


# Large odd numbers, so that the levels cannot be exchanged.
_PLACE_FACTORS = np.array(((0x9E3779B97F4A7C15,), (0xC2B2AE3D27D4EB4F,), (0x165667B19E3779F9,)), dtype=np.uint64)


class _Numbers:
    """What the layout counted of each block."""

    __slots__ = ("depths", "flags", "headings", "images", "link_lengths", "links", "pieces")

    def __init__(self, layout: Layout) -> None:
        counted = layout.numbers
        self.flags = counted.flags[counted.container]
        self.headings = (self.flags & HEADING_BITS) >> HEADING_SHIFT
        self.depths = layout.depth[counted.container]
        self.link_lengths = counted.link_lengths.astype(np.float32)
        self.links = counted.link_counts.astype(np.float32)
        self.images = counted.images.astype(np.float32)
        self.pieces = counted.pieces.astype(np.float32)


def _block_columns(
    document: Document, characters: Characters, first_words: FirstWords, numbers: _Numbers, known: Known
) -> Floats:
    lengths = characters.lengths.astype(np.float32)
    texts = document.layout.texts
    count = len(texts)
    # Column by column into rows of memory: an array is written fastest along its rows.
    dense = np.empty((BLOCK_COLUMNS, count), dtype=np.float32)
    place = 0
    for part in (
        _text_columns(characters),
        _link_columns(numbers, lengths),
        _markup_columns(numbers, texts),
        _title_columns(document, first_words, numbers),
        _known_columns(known),
        _page_columns(characters, lengths, numbers.link_lengths),
    ):
        for column in part:
            if isinstance(column, np.ndarray) and column.ndim == 2:
                dense[place : place + len(column)] = column
                place += len(column)
            else:
                dense[place] = column
                place += 1
    return dense.T


_Column = NDArray[np.generic] | float
"""Of all blocks; several below each other; or one number, the same for all blocks."""


def _text_columns(characters: Characters) -> list[_Column]:
    counts, lengths = characters.counts.T, np.maximum(characters.lengths, 1)
    words = characters.words
    first, last = characters.first, characters.last
    return [
        np.log1p(characters.lengths),
        np.log1p(words),
        np.minimum(lengths / np.maximum(words, 1), 30) / 10,
        counts[_SHARES] / lengths,
        np.log1p(counts[_COUNTED]),
        first == UPPER,
        first == DIGIT,
        first >= STOP,
        last == STOP,
        last == COLON,
        last >= COMMA,
    ]


_SHARES = np.array((UPPER, DIGIT, CJK, STOP, COMMA, COLON, QUOTE, SIGN, OTHER))
_COUNTED = np.array((STOP, COMMA, DIGIT))


def _link_columns(numbers: _Numbers, lengths: Floats) -> list[_Column]:
    density = numbers.link_lengths / np.maximum(lengths, 1)
    plain = np.maximum(lengths - numbers.link_lengths, 0)
    return [density, density > 0.95, np.log1p(numbers.links), np.log1p(numbers.images), np.log1p(plain)]


def _markup_columns(numbers: _Numbers, texts: Sequence[str]) -> list[_Column]:
    lines = np.array([text.count("\n") for text in texts], dtype=np.float32)
    first = {text: place for place, text in enumerate(texts)}
    same = np.array([first[text] for text in texts])
    again = np.bincount(same)[same]
    headings = numbers.headings
    return [
        (numbers.flags >> _FLAGS) & 1,
        headings == _HEADING_LEVELS,
        headings > 4,
        numbers.depths / 20,
        np.log1p(lines),
        np.log1p(numbers.pieces),
        np.log(again),
    ]


_FLAGS = np.arange(_FLAG_BITS)[:, None]
_HEADING_LEVELS = np.arange(1, 5)[:, None]


def _title_columns(document: Document, first_words: FirstWords, numbers: _Numbers) -> list[_Column]:
    """How much of each block is the title's, and where the block stands to the headline."""
    headings = numbers.headings
    count = len(headings)
    ours, of_title = first_words.overlap(words_of(document.title or ""))
    likely = ours * of_title + 0.2 * ((headings == 1) | (headings == 2)) * (ours > 0.5)
    headline = int(np.argmax(likely)) if likely.max(initial=0) > 0.2 else -1
    distance = (np.arange(count) - headline).astype(np.float32) if headline >= 0 else np.zeros(count, np.float32)
    return [
        ours,
        of_title,
        np.arange(count) == headline,
        np.sign(distance),
        np.log1p(np.abs(distance)),
        float(headline >= 0),
    ]


def _known(document: Document) -> Known:
    """Which blocks the page's own data for machines says are its text: <meta> description, JSON-LD."""
    description, bodies = _machine_texts(document)
    begun = inside = None
    if len(description) >= _KNOWN_START:
        begun = _begun_in(description, document.layout, _KNOWN_START)
    if bodies:
        inside = _begun_in(bodies, document.layout, _LEAST_INSIDE)
    return Known(begun, inside)


def _begun_in(known: str, layout: Layout, least: int) -> bytearray:
    """Which texts of more than `least` characters begin with what is somewhere in there."""
    found, texts = bytearray(len(layout.texts)), layout.texts
    for place in (layout.lengths > least).nonzero()[0].tolist():
        found[place] = texts[place][:_KNOWN_START] in known
    return found


def _known_columns(known: Known) -> list[_Column]:
    columns = (0.0 if each is None else np.frombuffer(each, dtype=np.uint8) for each in known)
    return [*columns, float(known.inside is not None)]


def _machine_texts(document: Document) -> tuple[str, str]:
    metadata = document.metadata
    texts: list[str] = []
    for thing in items(metadata.json_ld):
        texts += [value for name in _BODIES if isinstance(value := thing.get(name), str) and len(value) > 200]
    return metadata.description or "", " ".join("\n".join(texts).split())


_BODIES = ("articleBody", "text", "description", "reviewBody")


def _page_columns(characters: Characters, lengths: Floats, link_lengths: Floats) -> list[_Column]:
    count = len(lengths)
    total = max(1.0, float(lengths.sum()))
    places = np.arange(count) / max(1, count)
    stops = characters.counts[:, STOP] + characters.counts[:, COMMA]
    return [
        places,
        1 - places,
        np.cumsum(lengths) / total,
        float(np.log1p(count)),
        float(np.log1p(total)),
        float(link_lengths.sum()) / total,
        float(characters.counts[:, CJK].sum()) / total,
        float(np.log1p(float(stops.sum()))),
        float(np.log1p(float(lengths.max(initial=0)))),
        lengths / max(1.0, float(lengths.max(initial=0))),
    ]


def _container_columns(characters: Characters, numbers: _Numbers, looks: Looks, outline: Outline) -> Floats:
    """Of each container: its text, links, sentences, its share of the page, and how many look the same."""
    lengths, spans = characters.lengths, outline.spans
    stops = characters.counts[:, STOP] + characters.counts[:, COMMA]
    sums = np.zeros((len(lengths) + 1, 3), dtype=np.float64)
    np.cumsum(np.stack((lengths, numbers.link_lengths, stops), axis=1), axis=0, out=sums[1:])
    inside = (sums[spans[:, 1]] - sums[spans[:, 0]]).astype(np.float32)
    size = (spans[:, 1] - spans[:, 0]).astype(np.float32)
    text = np.maximum(inside[:, 0], 1)
    siblings, alike = _repetition(looks.kinds, outline.parents)
    return np.stack(
        (
            np.log1p(inside[:, 0]),
            inside[:, 1] / text,
            np.log1p(inside[:, 2]),
            np.log1p(size),
            inside[:, 0] / max(1.0, float(sums[-1, 0])),
            np.log(siblings),
            np.log(alike),
        ),
        axis=1,
    )


def _repetition(kinds: NDArray[np.int64], parents: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many containers with text have the same tag and classes: under the same parent, and on the whole page.

    Items of a listing, posts of a thread and comments come in numbers; so do entries of menus, with less text.
    """
    alike = np.bincount(kinds)
    numbers: dict[int, int] = {}
    placed = (parents * np.int64(len(alike)) + kinds).tolist()
    place = np.array([numbers.setdefault(one, len(numbers)) for one in placed])
    return np.bincount(place)[place], alike[kinds]
