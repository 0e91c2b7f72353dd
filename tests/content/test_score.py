"""The measure: bags of tokens, single characters of CJK, segments over all pages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.content.score import bag_score, mean, segment_f1, segment_score, share_present, tokens


def test_words_are_lower_case_runs_and_cjk_is_single_characters() -> None:
    assert tokens("Nephila's GOLD, 2 webs") == ["nephila", "s", "gold", "2", "webs"]
    assert tokens("北京2008年 news") == ["北", "京", "2008", "年", "news"]
    assert tokens("Ελλάδα Łódź Россия") == ["ελλάδα", "łódź", "россия"]


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_cut_as_a_search_for_word_characters_cuts_it(text: str) -> None:
    assert tokens(text) == re.findall(r"\w+", text.lower())


def test_each_token_counts_as_often_as_it_occurs() -> None:
    score = bag_score("a a b", "a b b c")
    assert (score.precision, score.recall) == (pytest.approx(2 / 3), pytest.approx(2 / 4))
    assert score.f1 == pytest.approx(2 * 2 / 7)


@given(st.text(), st.text())
def test_scores_stay_between_zero_and_one_and_f1_is_symmetric(text: str, gold: str) -> None:
    score = bag_score(text, gold)
    assert all(0 <= value <= 1 for value in (score.precision, score.recall, score.f1))
    assert score.f1 == bag_score(gold, text).f1
    assert bag_score(text, text).f1 == 1


def test_an_empty_output_scores_nothing_unless_nothing_was_wanted() -> None:
    assert bag_score("", "words").f1 == 0
    assert bag_score("", "").f1 == 1


def test_share_present_counts_the_golds_tokens_only() -> None:
    assert share_present("menu one two footer", "one two three four") == 0.5


def test_segments_are_pooled_over_pages_and_ignore_line_breaks() -> None:
    first = segment_score("kept text\nover lines", ["text over", "absent"], ["menu"])
    second = segment_score("menu and body", ["body"], ["menu"])
    assert (first, second) == ((1, 0, 1), (1, 1, 0))
    pooled = segment_f1([first, second])
    assert (pooled.precision, pooled.recall) == (pytest.approx(2 / 3), pytest.approx(2 / 3))


def test_the_mean_is_over_pages() -> None:
    assert mean([bag_score("a", "a"), bag_score("b", "a")]).f1 == 0.5
