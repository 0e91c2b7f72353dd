"""Document -> numbers: what the model sees of each block. Knows blocks and containers; no text of any one language.

Three kinds of features: dense numbers of the block and of its page; hashed names (tag, classes, id, role) of the
containers above it; hashes of its first words. The model looks the hashes up in small learned tables. What neighbours
and ancestors say is left to the model, which sees the whole sequence and the ranges of the containers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from nephila.content.characters import CJK, COLON, COMMA, DIGIT, OTHER, QUOTE, SIGN, STOP, UPPER, Characters
from nephila.content.score import CJK as CJK_RANGES
from nephila.document.blocks import Block, Container
from nephila.document.document import Document
from nephila.document.jsonld import items

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

NAME_BUCKETS = 6144
NAMES_EACH = 8
WORD_BUCKETS = 4096
WORDS_EACH = 6
LEVELS = 5
"""The block's container and the four above it; further up there is hardly more than <body>."""

_Look = tuple[str, str | None, str | None]
"""Tag, classes and id of a container."""

_FLAG_BITS = 19
_NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_WORD = re.compile(rf"[{CJK_RANGES}]|[^\W\d_{CJK_RANGES}]+|\d+")
_LONGEST_HEADLINE = 300
_WORD_CHARACTERS = 60
_KNOWN_START = 40
_MOST_CACHED = 200_000


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


def page_features(document: Document) -> PageFeatures:
    """The features of a page with at least one block."""
    blocks = document.blocks
    characters = Characters([block.text for block in blocks])
    containers = document.containers
    spans = np.array([(c.start, c.end) for c in containers], dtype=np.int32)
    parents = np.fromiter((c.parent.index if c.parent else 0 for c in containers), np.int32, len(containers))
    ancestors = np.empty((len(blocks), LEVELS), dtype=np.int32)
    ancestors[:, 0] = np.fromiter((b.container.index for b in blocks), np.int32, len(blocks))
    for level in range(1, LEVELS):
        ancestors[:, level] = parents[ancestors[:, level - 1]]
    first_words = _first_words(blocks)
    looks = _looks(containers)
    dense = np.concatenate(
        (
            _block_columns(document, characters, first_words),
            _container_columns(characters, blocks, looks, spans, parents)[ancestors].reshape(len(blocks), -1),
        ),
        axis=1,
    )
    return PageFeatures(
        dense=dense,
        words=_word_buckets(first_words),
        names=_names(looks),
        ancestors=ancestors,
        spans=spans,
        weights=characters.words.astype(np.float32),
    )


def _first_words(blocks: Sequence[Block]) -> list[list[str]]:
    """All words of blocks that may be headlines, the first few of the others."""
    return [
        _WORD.findall((text if len(text := block.text) < _LONGEST_HEADLINE else text[:_WORD_CHARACTERS]).lower())
        for block in blocks
    ]


def _block_columns(document: Document, characters: Characters, first_words: list[list[str]]) -> Floats:
    blocks = document.blocks
    lengths = characters.lengths.astype(np.float32)
    link_lengths = np.fromiter((b.link_length for b in blocks), np.float32, len(blocks))
    columns = [
        *_text_columns(characters),
        *_link_columns(blocks, lengths, link_lengths),
        *_markup_columns(blocks),
        *_title_columns(document, first_words),
        *_known_columns(document),
        *_page_columns(characters, lengths, link_lengths),
    ]
    dense = np.empty((len(blocks), len(columns)), dtype=np.float32)
    for index, column in enumerate(columns):
        dense[:, index] = column
    return dense


def _text_columns(characters: Characters) -> list[NDArray[np.generic]]:
    counts, lengths = characters.counts, np.maximum(characters.lengths, 1)
    words = characters.words
    shares = counts / lengths[:, None]
    first, last = characters.first, characters.last
    return [
        np.log1p(characters.lengths),
        np.log1p(words),
        np.minimum(lengths / np.maximum(words, 1), 30) / 10,
        *(shares[:, kind] for kind in (UPPER, DIGIT, CJK, STOP, COMMA, COLON, QUOTE, SIGN, OTHER)),
        np.log1p(counts[:, STOP]),
        np.log1p(counts[:, COMMA]),
        np.log1p(counts[:, DIGIT]),
        first == UPPER,
        first == DIGIT,
        first >= STOP,
        last == STOP,
        last == COLON,
        last >= COMMA,
    ]


def _link_columns(blocks: Sequence[Block], lengths: Floats, link_lengths: Floats) -> list[NDArray[np.generic]]:
    count = len(blocks)
    links = np.fromiter((b.link_count for b in blocks), np.float32, count)
    images = np.fromiter((b.image_count for b in blocks), np.float32, count)
    density = link_lengths / np.maximum(lengths, 1)
    return [density, density > 0.95, np.log1p(links), np.log1p(images), np.log1p(lengths - link_lengths)]


def _markup_columns(blocks: Sequence[Block]) -> list[NDArray[np.generic]]:
    count = len(blocks)
    flags = np.fromiter((b.container.flags for b in blocks), np.int64, count)
    headings = np.fromiter((b.container.heading for b in blocks), np.int8, count)
    depths = np.fromiter((b.container.depth for b in blocks), np.float32, count)
    lines = np.fromiter((b.text.count("\n") for b in blocks), np.float32, count)
    pieces = np.fromiter((b.pieces for b in blocks), np.float32, count)
    repeats = Counter(b.text for b in blocks)
    again = np.fromiter((repeats[b.text] for b in blocks), np.float32, count)
    return [
        *((flags >> bit) & 1 for bit in range(_FLAG_BITS)),
        *(headings == level for level in (1, 2, 3, 4)),
        headings > 4,
        depths / 20,
        np.log1p(lines),
        np.log1p(pieces),
        np.log(again),
    ]


def _title_columns(document: Document, first_words: list[list[str]]) -> list[NDArray[np.generic]]:
    """How much of each block is the title's, and where the block stands to the headline."""
    blocks = document.blocks
    count = len(blocks)
    ours, of_title = _overlap(blocks, first_words, set(_WORD.findall((document.title or "").lower())))
    headings = np.fromiter((b.container.heading for b in blocks), np.float32, count)
    likely = ours * of_title + 0.2 * ((headings == 1) | (headings == 2)) * (ours > 0.5)
    headline = int(np.argmax(likely)) if likely.max(initial=0) > 0.2 else -1
    distance = (np.arange(count) - headline).astype(np.float32) if headline >= 0 else np.zeros(count, np.float32)
    return [
        ours,
        of_title,
        np.arange(count) == headline,
        np.sign(distance),
        np.log1p(np.abs(distance)),
        np.full(count, headline >= 0),
    ]


def _overlap(blocks: Sequence[Block], first_words: list[list[str]], known: set[str]) -> tuple[Floats, Floats]:
    """The share of a short block's words that is known, and the share of the known words that is in it."""
    ours, theirs = np.zeros(len(blocks), np.float32), np.zeros(len(blocks), np.float32)
    for index, words in enumerate(first_words if known else ()):
        if not known.isdisjoint(words) and len(blocks[index].text) < _LONGEST_HEADLINE:
            distinct = set(words)
            common = len(distinct & known)
            ours[index] = common / len(distinct)
            theirs[index] = common / len(known)
    return ours, theirs


def _known_columns(document: Document) -> list[NDArray[np.generic]]:
    """What the page's own data for machines says is its text: <meta> description, JSON-LD."""
    blocks = document.blocks
    description, bodies = _machine_texts(document)
    begun = [len(b.text) > _KNOWN_START and b.text[:_KNOWN_START] in description for b in blocks]
    inside = [len(b.text) > 20 and b.text[:_KNOWN_START] in bodies for b in blocks] if bodies else [False] * len(blocks)
    return [np.array(begun), np.array(inside), np.full(len(blocks), bool(bodies))]


def _machine_texts(document: Document) -> tuple[str, str]:
    metadata = document.metadata
    texts: list[str] = []
    for thing in items(metadata.json_ld):
        texts += [value for name in _BODIES if isinstance(value := thing.get(name), str) and len(value) > 200]
    return metadata.description or "", " ".join("\n".join(texts).split())


_BODIES = ("articleBody", "text", "description", "reviewBody")


def _page_columns(characters: Characters, lengths: Floats, link_lengths: Floats) -> list[NDArray[np.generic]]:
    count = len(lengths)
    total = max(1.0, float(lengths.sum()))
    places = np.arange(count) / max(1, count)
    stops = characters.counts[:, STOP] + characters.counts[:, COMMA]
    return [
        places,
        1 - places,
        np.cumsum(lengths) / total,
        np.full(count, np.log1p(count)),
        np.full(count, np.log1p(total)),
        np.full(count, link_lengths.sum() / total),
        np.full(count, characters.counts[:, CJK].sum() / total),
        np.full(count, np.log1p(float(stops.sum()))),
        np.full(count, np.log1p(float(lengths.max(initial=0)))),
        lengths / max(1.0, float(lengths.max(initial=0))),
    ]


def _container_columns(
    characters: Characters, blocks: Sequence[Block], looks: Sequence[_Look | None], spans: Ints, parents: Ints
) -> Floats:
    """Of each container: its text, links, sentences, its share of the page, and how many look the same."""
    lengths = characters.lengths
    link_lengths = np.fromiter((b.link_length for b in blocks), np.int64, len(blocks))
    stops = characters.counts[:, STOP] + characters.counts[:, COMMA]
    sums = np.zeros((len(lengths) + 1, 3), dtype=np.int64)
    np.cumsum(np.stack((lengths, link_lengths, stops), axis=1), axis=0, out=sums[1:])
    inside = (sums[spans[:, 1]] - sums[spans[:, 0]]).astype(np.float32)
    size = (spans[:, 1] - spans[:, 0]).astype(np.float32)
    text = np.maximum(inside[:, 0], 1)
    siblings, alike = _repetition(looks, parents)
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


def _repetition(looks: Sequence[_Look | None], parents: Ints) -> tuple[Floats, Floats]:
    """How many containers with text have the same tag and classes: under the same parent, and on the whole page.

    Items of a listing, posts of a thread and comments come in numbers; so do entries of menus, with less text.
    """
    numbers: dict[tuple[str, str | None] | None, int] = {}
    kinds = (look and look[:2] for look in looks)
    look = np.fromiter((numbers.setdefault(kind, len(numbers)) for kind in kinds), np.int64, len(looks))
    _, place, beside = np.unique(parents * len(numbers) + look, return_inverse=True, return_counts=True)
    alike = np.bincount(look)
    return beside[place].astype(np.float32), alike[look].astype(np.float32)


def _looks(containers: Sequence[Container]) -> list[_Look | None]:
    """None for a container without text, whose looks do not matter."""
    return [(c.tag, c.attributes.get("class"), c.attributes.get("id")) if c.end > c.start else None for c in containers]


_name_cache: dict[_Look, list[int]] = {}
_word_cache: dict[str, int] = {}
_NO_NAMES = [0] * NAMES_EACH


def _names(looks: Sequence[_Look | None]) -> Ints:
    """Buckets of each container's tag and of the parts of its id and classes."""
    cached = _name_cache
    if len(cached) > _MOST_CACHED:
        cached.clear()
    return np.array([_NO_NAMES if look is None else cached.get(look) or _name_row(look) for look in looks], np.int32)


def _name_row(look: _Look) -> list[int]:
    tag, classes, identifier = look
    parts = [f"<{tag}>"]
    for text in (identifier, classes):
        if text:
            parts += [part.lower() for part in _NAME_PARTS.findall(text[:200]) if len(part) > 1 and not part.isdigit()]
    buckets = [1 + crc32(part.encode()) % (NAME_BUCKETS - 1) for part in dict.fromkeys(parts)]
    row = _name_cache[look] = (buckets + _NO_NAMES)[:NAMES_EACH]
    return row


def _word_buckets(first_words: list[list[str]]) -> Ints:
    """Buckets of the first words of each block, numbers as one word."""
    cached = _word_cache
    if len(cached) > _MOST_CACHED:
        cached.clear()
    heads = [words[:WORDS_EACH] for words in first_words]
    flat = [cached.get(word) or _word_bucket(word) for words in heads for word in words]
    counts = np.fromiter(map(len, heads), np.int64, len(heads))
    rows = np.zeros((len(heads), WORDS_EACH), dtype=np.int32)
    rows[np.arange(WORDS_EACH) < counts[:, None]] = flat
    return rows


def _word_bucket(word: str) -> int:
    text = "0" if word.isdigit() else word[:24]
    bucket = _word_cache[word] = 1 + crc32(text.encode()) % (WORD_BUCKETS - 1)
    return bucket
