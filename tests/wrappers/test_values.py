"""Texts as typed values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.wrappers.values import TYPES, decimal, typed


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("$1,234.50", "price", {"amount": 1234.5, "currency": "USD"}),
        ("1.234,50 €", "price", {"amount": 1234.5, "currency": "EUR"}),
        ("CHF 12.–", "price", {"amount": 12, "currency": "CHF"}),
        ("Call us", "price", None),
        ("6-9", "quantity", {"value": 81, "unit": "in"}),
        ("6'9\"", "quantity", {"value": 81, "unit": "in"}),
        ("215 lbs.", "quantity", {"value": 215, "unit": "lbs"}),
        ("PT1H20M", "quantity", {"value": 80.0, "unit": "min"}),
        ("1,5 kg", "quantity", {"value": 1.5, "unit": "kg"}),
        ("4.5 out of 5", "number", 4.5),
        ("2,048", "number", 2048),
        ("October 2, 2008", "date", "2008-10-02"),
        ("2024-05-06T07:08:09+02:00", "date", "2024-05-06T07:08:09+02:00"),
        ("Spring 1997", "date", "1997"),
        ("soon", "date", None),
        ("/p/1", "url", "https://shop.example/p/1"),
        ("www.school.edu", "url", "http://www.school.edu"),
        ("javascript:void(0)", "url", None),
    ],
)
def test_typed(text: str, kind: str, value: object) -> None:
    assert typed(text, kind, "https://shop.example/list") == value


@given(st.text(max_size=60), st.sampled_from(TYPES))
def test_any_text_gives_a_value_or_nothing(text: str, kind: str) -> None:
    typed(text, kind, "https://shop.example/")


@given(st.integers(0, 10**7), st.integers(0, 99))
def test_both_ways_to_write_a_number(whole: int, cents: int) -> None:
    assert decimal(f"{whole:,}.{cents:02d}") == pytest.approx(whole + cents / 100)
    assert decimal(f"{whole:,}".replace(",", ".") + f",{cents:02d}") == pytest.approx(whole + cents / 100)


def test_a_text_is_free_of_what_parts_it_from_its_neighbours() -> None:
    assert typed("12 ounces (", "text") == "12 ounces"
    assert typed("| Drama;", "text") == "Drama"
    assert typed("Pride and Prejudice (Penguin Classics)", "text") == "Pride and Prejudice (Penguin Classics)"
    assert typed("|", "text") is None
