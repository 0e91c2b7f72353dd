"""A kind of page that brings nothing is spared, checked now and then, and cleared by one good page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nephila.crawling.barren import Barren

EDIT, PAGE = 7, 8


def barren(times: int) -> Barren:
    known = Barren()
    for _ in range(times):
        known.saw(EDIT, barren=True)
    return known


def test_a_few_barren_pages_tell_nothing() -> None:
    assert not barren(14).spares(EDIT)


def test_a_family_that_is_told_is_spared_but_for_one_of_ten() -> None:
    known = barren(15)
    assert [known.spares(EDIT) for _ in range(20)].count(False) == 2
    assert not known.spares(PAGE)
    assert not known.spares(None)


def test_one_good_page_clears_the_name() -> None:
    known = barren(40)
    known.saw(EDIT, barren=False)
    assert not known.spares(EDIT)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=200))
def test_only_an_unbroken_row_is_held_against_a_family(seen: list[tuple[int, bool]]) -> None:
    known, row = Barren(), dict.fromkeys(range(6), 0)
    for family, bad in seen:
        known.saw(family, barren=bad)
        row[family] = row[family] + 1 if bad else 0
    assert all(known.tells_against(family) == (row[family] >= 15) for family in row)
