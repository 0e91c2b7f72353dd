"""The first words of each block of a page: hashed for the model, and compared with the title. Knows strings only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from nephila.content.score import CJK
from nephila.document.outline import Ints

Floats = NDArray[np.float32]

WORD_BUCKETS = 4096
WORDS_EACH = 6
_LONGEST_HEADLINE = 300
_WORD_CHARACTERS = 60
_WORD = re.compile(rf"[{CJK}]|[^\W\d_{CJK}]+|\d+")
_MOST_CACHED = 200_000

# ASCII is cut by the string's own methods, in a fifth of the time of a search: all but letters, digits and the mark
# between two blocks become spaces, and numbers stand apart.
_MARK = "\0"
_SPACED = {point: " " for point in range(1, 128) if not chr(point).isalnum()}
_NUMBER = re.compile("[0-9]+")


def words_of(text: str) -> set[str]:
    """The distinct words of a text, as blocks are cut."""
    return set(_WORD.findall(text.lower()))


class FirstWords:
    """All words of blocks that may be headlines, the first few of the others."""

    __slots__ = ("_texts", "_words")

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        heads = [(text if len(text) < _LONGEST_HEADLINE else text[:_WORD_CHARACTERS]).lower() for text in texts]
        plain = [head for head in heads if head.isascii()]
        spaced = _MARK.join(plain).translate(_SPACED)
        cut = _NUMBER.sub(r" \g<0> ", spaced).split(_MARK)
        if len(cut) != len(plain):  # the mark in a text: no parser writes it
            self._words = [_WORD.findall(head) for head in heads]
            return
        of_plain = map(str.split, cut)
        self._words = [next(of_plain) if head.isascii() else _WORD.findall(head) for head in heads]

    def buckets(self) -> Ints:
        """Buckets of the first words of each block, numbers as one word; 0 is none."""
        cached = _bucket_of
        if len(cached) > _MOST_CACHED:
            cached.clear()
        flat = [cached[word] for words in self._words for word in words[:WORDS_EACH]]
        counts = np.fromiter(map(len, self._words), np.int64, len(self._words))
        rows = np.zeros((len(counts), WORDS_EACH), dtype=np.int32)
        rows[counts[:, None] > _PLACES] = flat
        return rows

    def overlap(self, known: set[str]) -> tuple[Floats, Floats]:
        """The share of a short block's words that is known, and the share of the known words that is in it."""
        texts = self._texts
        ours, theirs = np.zeros(len(texts), np.float32), np.zeros(len(texts), np.float32)
        for index, words in enumerate(self._words if known else ()):
            if not known.isdisjoint(words) and len(texts[index]) < _LONGEST_HEADLINE:
                distinct = set(words)
                common = len(distinct & known)
                ours[index] = common / len(distinct)
                theirs[index] = common / len(known)
        return ours, theirs


_PLACES = np.arange(WORDS_EACH)


class _Buckets(dict[str, int]):
    """The bucket of each word that was seen."""

    def __missing__(self, word: str) -> int:
        text = "0" if word.isdigit() else word[:24]
        bucket = self[word] = 1 + crc32(text.encode()) % (WORD_BUCKETS - 1)
        return bucket


_bucket_of = _Buckets()
