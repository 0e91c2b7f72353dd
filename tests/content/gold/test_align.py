"""The alignment is exact, keeps the order, and is not fooled by repeated words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nephila.content.gold.align import matched, shares

short_texts = st.lists(st.sampled_from("abcd"), max_size=12)


def lcs_length(left: list[str], right: list[str]) -> int:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(short_texts, short_texts)
def test_the_match_is_a_longest_common_subsequence(page: list[str], gold: list[str]) -> None:
    pairs = [(i, j) for i, j in enumerate(matched(page, gold)) if j >= 0]
    assert len(pairs) == lcs_length(page, gold)
    assert all(page[i] == gold[j] for i, j in pairs)
    assert [j for _, j in pairs] == sorted({j for _, j in pairs})


def test_a_menu_word_that_the_article_uses_stays_boilerplate() -> None:
    menu, body, footer = ["home", "news"], ["the", "news", "is", "nobody", "went", "home"], ["news"]
    assert shares([menu, body, footer], body) == [0.0, 1.0, 0.0]


def test_gold_in_another_order_than_the_page_is_found() -> None:
    first, second = list("abcdef"), list("ghijkl")
    assert shares([first, ["menu"], second], second + first) == [1.0, 0.0, 1.0]
