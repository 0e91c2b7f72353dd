"""The short way to cut ASCII into words gives the words of the long one, and blocks do not run into each other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nephila.content.features.first_words import WORDS_EACH, FirstWords, words_of

ascii_texts = st.text(st.characters(max_codepoint=126), min_size=1, max_size=80)
texts = st.lists(ascii_texts | st.text(min_size=1, max_size=80), min_size=1, max_size=6)


@given(texts)
def test_every_block_has_just_the_words_of_its_text(blocks: list[str]) -> None:
    first_words = FirstWords(blocks)
    for place, block in enumerate(blocks):
        known = words_of(block)
        ours, theirs = first_words.overlap(known)
        assert ours[place] == theirs[place] == (1.0 if known else 0.0)


@given(texts)
def test_a_block_has_the_same_buckets_alone_and_among_others(blocks: list[str]) -> None:
    together = FirstWords(blocks).buckets()
    assert np.array_equal(together, np.concatenate([FirstWords([block]).buckets() for block in blocks]))


def test_numbers_are_one_word_and_what_is_not_there_is_none() -> None:
    (row, other) = FirstWords(["Covid19 in 2020", "covid 7 in 8"]).buckets()
    assert row.tolist() == other.tolist()
    assert np.count_nonzero(row) == 4
    assert len(row) == WORDS_EACH
    assert not row[4:].any()
