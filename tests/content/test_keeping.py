"""What is kept of a page beyond the choice by probabilities: no options, no text twice, listings between texts."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content.features import page_features
from nephila.content.judgement import Judgement
from nephila.content.keeping import keep
from nephila.content.labels import KINDS
from nephila.document import parse

TEXT = "The silk of a golden orb weaver holds more than steel of its own weight."
OTHER = "Its web is a wheel of a metre and more, which shines like gold in the sun."
LISTING = "for strand in web: strand.spin(thickness=2, sticky=True)"


def _kept(html: str, likely: list[float], kind: str = "article") -> list[str]:
    document = parse(html)
    texts = document.layout.texts
    kinds = np.array([float(name == kind) for name in KINDS], np.float32)
    main = np.array(likely, np.float32)
    kept, _ = keep(Judgement(main, np.zeros_like(main), kinds), page_features(document), texts)
    return [text for text, one in zip(texts, kept.tolist(), strict=True) if one]


def test_a_long_text_that_a_page_says_twice_is_kept_once() -> None:
    html = f"<div><p>{TEXT}<p>Note<p>{OTHER}</div><div><p>{TEXT}<p>Note</div>"
    assert _kept(html, [0.9] * 5) == [TEXT, "Note", OTHER, "Note"]


def test_a_refrain_stays() -> None:
    assert _kept(f"<div><p>{TEXT}<p>{OTHER}<p>{TEXT}</div>", [0.9] * 3) == [TEXT, OTHER, TEXT]


def test_in_a_thread_the_second_time_is_a_quotation() -> None:
    html = f"<div><p>{TEXT}<p>{OTHER}</div><div><p>{TEXT}</div>"
    assert _kept(html, [0.9] * 3) == [TEXT, OTHER]
    assert _kept(html, [0.9] * 3, "forum") == [TEXT, OTHER, TEXT]


@pytest.mark.parametrize(("likely", "kept"), [(0.1, True), (0.01, False)])
def test_a_listing_between_kept_texts_belongs_to_them(likely: float, kept: bool) -> None:
    found = _kept(f"<p>{TEXT}<pre>{LISTING}</pre><p>{OTHER}", [0.95, likely, 0.95])
    assert found == ([TEXT, LISTING, OTHER] if kept else [TEXT, OTHER])


def test_a_listing_after_the_last_text_is_left_to_the_choice() -> None:
    assert _kept(f"<p>{TEXT}<p>{OTHER}<pre>{LISTING}</pre>", [0.95, 0.95, 0.1]) == [TEXT, OTHER]


def test_prose_between_kept_texts_is_left_to_the_choice() -> None:
    assert _kept(f"<p>{TEXT}<p>{LISTING}<p>{OTHER}", [0.95, 0.1, 0.95]) == [TEXT, OTHER]


def test_options_of_a_form_are_no_text_but_what_stands_in_a_large_field_may_be() -> None:
    options = "".join(f"<option>Translation number {number}</option>" for number in range(40))
    html = f"<p>{TEXT}<form><select>{options}</select><textarea>{OTHER}</textarea></form>"
    assert _kept(html, [0.9, 0.8, 0.7]) == [TEXT, OTHER]
