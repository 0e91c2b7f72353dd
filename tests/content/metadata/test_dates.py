"""Dates are found where they are looked for only: a quick look leaves none out."""

from __future__ import annotations

import ctypes
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.content.metadata import scripted, written_dates
from nephila.content.metadata.written_dates import date_spans, find_date
from nephila.native import load

PIECES = (
    *("2019", "1999", "20", "19", "2024", "192019", "5", "31", "07", "3rd", "12th", "May", "mayo", "Januar", "juillet"),
    *(
        " ",
        " ",
        " ",
        "  ",
        "\n",
        "\t",
        ", ",
        ",",
        ".",
        "-",
        "/",
        ". ",
        " de ",
        " of ",
        " del ",
        "©",
        "(",
        ")",
        "年",
        "月",
    ),
    *("日", "x", "·", "٢٠١٩", "½", "_", "\u2003", "Sept."),
)


@pytest.mark.parametrize("seed", range(40))
def test_a_look_at_the_neighbours_of_years_misses_no_date(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    texts = ["".join(rng.choices(PIECES, k=rng.randint(3, 14))) for _ in range(400)]
    texts += [" " * 12 + text + " " * 9 + text for text in texts[:50]]
    quick = [find_date(text) for text in texts]
    monkeypatch.setattr(written_dates, "_possible_shapes", lambda _: [True] * 6)
    assert quick == [find_date(text) for text in texts]
    assert any(quick)


def test_a_date_after_many_blanks_is_found() -> None:
    assert find_date("6 May" + " " * 20 + "2024") == "2024-05-06"
    assert find_date("May 6," + " " * 20 + "2024") == "2024-05-06"
    assert date_spans("on 6 May 2024") == [(3, 13)]


@pytest.mark.parametrize("seed", range(20))
def test_places_of_dates_are_those_that_python_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    words = (
        b"published",
        b'class="updated"',
        b' title="2024-05-06"',
        b'"datePublished":"2023-01-02T03:04"',
        b"x" * 150,
    )
    html = b"".join(rng.choices((*words, b"2024-5-6", b"<p>", b"2024-05-0", b"1999-19-39"), k=60))
    by_library = scripted.scripted_date(html)
    monkeypatch.setattr(scripted, "_places", scripted._by_python)
    assert by_library == scripted.scripted_date(html)


@given(
    st.lists(
        st.sampled_from((b"x" * 31, b"-", b"7", b"<p>", b"2024-05-0", b"2024-05-06", b"1999-19-39", b"published")),
        max_size=60,
    )
)
def test_a_page_without_any_day_is_told_as_by_a_search(pieces: list[bytes]) -> None:
    native = load()
    if native is None:
        pytest.skip("no native library: there was no C compiler when the package was installed")
    html = b"".join(pieces)
    day = re.search(rb"(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9]", html)
    assert bool(native.nephila_has_day(html, ctypes.c_int64(len(html)))) == (day is not None)
