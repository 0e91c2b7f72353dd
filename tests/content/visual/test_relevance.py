from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nephila.content.visual.relevance import relevance, squeezed

_text = st.text(alphabet="abcé漢 \n", max_size=40)


def _by_the_book(one: str, other: str) -> int:
    row = [0] * (len(other) + 1)
    for left in one:
        before = 0
        for column, right in enumerate(other, 1):
            before, row[column] = row[column], before + 1 if left == right else max(row[column], row[column - 1])
    return row[-1]


@given(st.lists(_text, max_size=5), st.lists(_text, max_size=3))
def test_relevance_is_the_longest_common_subsequence(texts: list[str], hints: list[str]) -> None:
    hint = squeezed(hints)
    assert relevance(texts, hints) == [_by_the_book(squeezed([text]), hint) for text in texts]


def test_a_long_hint_is_cut() -> None:
    assert relevance(["a" * 50], ["a" * 100], most_hint=10) == [10]
