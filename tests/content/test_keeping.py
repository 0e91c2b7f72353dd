"""What is kept of a page beyond the choice by probabilities: no options, no text twice, listings between texts, nothing
above the headline, and behind an article only what is sure."""

from __future__ import annotations

import numpy as np
import pytest

from nephila import native
from nephila.content import keeping
from nephila.content.choice import LEAST
from nephila.content.features.page import AGAIN, PageFeatures, page_features
from nephila.content.judgement import KINDS, Judgement
from nephila.content.keeping import keep
from nephila.content.native.keeping import native_keeping
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


HEADLINE = "How a weaver spins its web"
PAGE = f"<title>{HEADLINE} | The Garden Daily</title><p>{{above}}<{{tag}}>{HEADLINE}</{{tag}}><p>{TEXT}<p>{OTHER}"


def _above(above: str, tag: str = "h1", title: str = HEADLINE) -> list[str]:
    return _kept(PAGE.format(above=above, tag=tag).replace(HEADLINE, title, 1), [0.9] * 4)


@pytest.mark.parametrize("above", ["Home » Animals » Spiders", "Photo: a garden", "Tell your friends!"])
def test_a_few_words_above_the_headline_are_not_the_text(above: str) -> None:
    assert _above(above) == [HEADLINE, TEXT, OTHER]


def test_above_the_headline_a_date_stays_and_so_does_a_fifth_of_the_text() -> None:
    assert _above("May 3, 2011")[0] == "May 3, 2011"
    assert _above(many := "A spider that is a hand wide, and its web which is a wheel of gold.")[0] == many


def test_another_heading_is_no_headline() -> None:
    assert len(_above("Photo: a garden", "h2")) == 4
    assert len(_above("Photo: a garden", title="Animals")) == 4
    assert len(_above("Photo: a garden", title=f"{HEADLINE} and what else is told of gardens and of beetles")) == 4


ARTICLE = f"<div><p>{TEXT}<p>{OTHER}<p>{TEXT} {OTHER}</div>"
BEHIND = "Gold of the sea: how mussels spin threads that hold"


@pytest.mark.parametrize(("likely", "kept"), [(0.7, False), (0.8, True)])
def test_behind_the_container_of_an_article_only_what_is_sure_is_text(likely: float, kept: bool) -> None:
    found = _kept(f"{ARTICLE}<p>{BEHIND}", [0.95, 0.95, 0.95, likely])
    assert (BEHIND in found) is kept
    assert len(found) == 3 + kept


def test_a_few_words_behind_an_article_are_left_to_the_choice() -> None:
    assert "Gold of the sea" in _kept(f"{ARTICLE}<p>Gold of the sea", [0.95, 0.95, 0.95, 0.7])
    # However much else is in doubt, inside of it.
    inside = ARTICLE.replace("</div>", f"<p>{BEHIND}</div>")
    assert "Gold of the sea" in _kept(f"{inside}<p>Gold of the sea", [0.95, 0.95, 0.95, 0.7, 0.7])


@pytest.mark.parametrize(("count", "kept"), [(8, False), (9, True)])
def test_a_list_behind_an_article_is_its_own(count: int, kept: bool) -> None:
    things = "".join(f"<li>{number} grams of silk" for number in range(count))
    found = _kept(f"{ARTICLE}<ul>{things}</ul>", [0.95] * 3 + [0.7] * count)
    assert len(found) == 3 + count * kept


def test_in_that_container_and_before_it_the_doubtful_is_left_to_the_choice() -> None:
    inside = ARTICLE.replace("</div>", f"<p>{BEHIND}</div>")
    assert BEHIND in _kept(inside, [0.95, 0.95, 0.95, 0.7])
    assert BEHIND in _kept(f"<p>{BEHIND}</p>{ARTICLE}", [0.7, 0.95, 0.95, 0.95])


def test_text_in_many_containers_has_nothing_behind_it() -> None:
    parts = "".join(f"<div><p>{text}</div>" for text in (TEXT, OTHER, f"{TEXT} {OTHER}", BEHIND))
    assert BEHIND in _kept(parts, [0.95, 0.95, 0.95, 0.7])


def test_only_articles_end_with_their_container() -> None:
    assert BEHIND in _kept(f"{ARTICLE}<p>{BEHIND}", [0.95, 0.95, 0.95, 0.7], "product")


def test_prose_between_kept_texts_is_left_to_the_choice() -> None:
    assert _kept(f"<p>{TEXT}<p>{LISTING}<p>{OTHER}", [0.95, 0.1, 0.95]) == [TEXT, OTHER]


def test_options_of_a_form_are_no_text_but_what_stands_in_a_large_field_may_be() -> None:
    options = "".join(f"<option>Translation number {number}</option>" for number in range(40))
    html = f"<p>{TEXT}<form><select>{options}</select><textarea>{OTHER}</textarea></form>"
    assert _kept(html, [0.9, 0.8, 0.7]) == [TEXT, OTHER]


@pytest.mark.skipif(native.load() is None, reason="no native library")
@pytest.mark.parametrize("count", [1, 2, 5, 21, 22, 300])
def test_the_library_keeps_what_numpy_keeps(count: int) -> None:
    page = page_features(parse("<p>a" * count))
    options, listings, repeated = keeping._CONTROL, keeping._CODE, AGAIN
    for seed in range(60):
        rng = np.random.default_rng(seed)
        dense = page.dense.copy()
        for column in (options, listings, repeated):
            dense[:, column] = rng.random(count) < rng.choice((0, 0.2, 0.9))
        others = {name: getattr(page, name) for name in PageFeatures.__slots__}
        made = PageFeatures(**others | {"dense": dense, "weights": rng.integers(1, 20, count).astype(np.float32)})
        main = np.round(rng.random(count) ** rng.choice((1, 4)), 2).astype(np.float32)
        ours, theirs = native_keeping(main, made, LEAST), keeping._by_numpy(main, made)
        assert ours is not None
        assert ours.blocks.tolist() == theirs.blocks.tolist()
        assert (ours.expected, ours.again) == (theirs.expected, theirs.again)
    assert native_keeping(main[1:], made, LEAST) is None
