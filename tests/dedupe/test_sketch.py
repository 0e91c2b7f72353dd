from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.dedupe import Limits, distance, sketch

from .documents import Documents


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_text_has_a_sketch_or_no_word(text: str) -> None:
    one = sketch(text)
    if one is not None:
        assert 0 <= one.bits < 2**80
        assert 1 <= len(one.keys) <= 8
        assert all(0 <= key < 2**64 for key in one.keys)
        assert one == sketch(text)


def test_is_the_same_in_every_process_and_version() -> None:
    text = " ".join(f"word{n}" for n in range(100))
    one = sketch(text)
    assert one is not None
    assert one.near
    assert (f"{one.bits:020x}", one.keys[0]) == ("a2d294bc1a8c1d09b0ce", 82844489211427346)


def test_case_punctuation_and_blanks_do_not_count() -> None:
    words = [f"{chr(97 + n)}word{n * n}" for n in range(20)]
    text = " ".join(words * 2)
    assert sketch(text) == sketch("\n".join(word.upper() for word in words * 2) + "!")


def test_distance_follows_the_share_of_words_that_changed() -> None:
    documents = Documents(random.Random(3))
    means = []
    for share in (0.0, 0.02, 0.1, 0.3):
        pairs = [(text := documents.text(), documents.edited(text, share)) for _ in range(30)]
        found = [(sketch(one), sketch(two)) for one, two in pairs]
        means.append(sum(distance(one.bits, two.bits) for one, two in found if one and two) / len(found))
    assert means[0] == 0
    assert means == sorted(means)
    assert means[1] < Limits().distance / 2 < Limits().distance < means[3]


def test_chinese_without_blanks_has_features_too() -> None:
    rng = random.Random(5)
    text = "".join(chr(0x4E00 + rng.randrange(3000)) for _ in range(300))
    one, two = sketch(text), sketch(text[:140] + "新" + text[141:])
    assert one is not None
    assert two is not None
    assert one.near
    assert 0 < distance(one.bits, two.bits) <= 8
