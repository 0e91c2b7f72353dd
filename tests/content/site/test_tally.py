"""The tables of a site's memory: the native library and the dictionaries count the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.content.native.starts import native_starts
from nephila.content.site import memory as site
from nephila.content.site import tally
from nephila.content.site.tally import Tally

pages = st.lists(st.lists(st.tuples(st.integers(0, 300), st.floats(0, 9, width=32)), max_size=90), max_size=6)
needs_library = pytest.mark.skipif(tally._library() is None, reason="no native library")


def both(keys: list[int], rows: list[list[float]]) -> tuple[tally._ByLibrary, tally._ByDictionary]:
    native = tally._library()
    assert native is not None
    given = np.array(keys, np.uint64), np.array(rows, np.float64).reshape(-1, 2)
    return tally._ByLibrary(native, *given), tally._ByDictionary(*given)


@needs_library
@given(pages)
def test_both_count_the_same_and_in_the_same_order(read: list[list[tuple[int, float]]]) -> None:
    native, plain = both([5, 2**64 - 1], [[1, 2], [3, 4]])
    for blocks in read:
        # Far apart, as hashes are, and close together, as they are not.
        keys = np.array([key if key % 2 else key << 55 for key, _ in blocks], np.uint64)
        rows = np.array([[value] for _, value in blocks], np.float64).reshape(-1, 1)
        native = native.with_room(len(keys))
        native.add_page(keys, rows)
        plain.add_page(keys, rows)
        native.with_room(len(keys)).add(keys, np.repeat(rows, 2, axis=1))
        plain.add(keys, np.repeat(rows, 2, axis=1))
        assert native.rows_of(keys).tolist() == plain.rows_of(keys).tolist()
    for mine, other in zip(native.arrays(), plain.arrays(), strict=True):
        assert mine.tolist() == other.tolist()


@needs_library
def test_a_table_that_is_full_says_so() -> None:
    native, _ = both([], [])
    with pytest.raises(IndexError):
        native.add(np.arange(1000, dtype=np.uint64), np.ones((1000, 2)))


@pytest.mark.parametrize("library", [True, False])
def test_a_page_counts_once_for_what_it_says_twice(library: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not library:
        monkeypatch.setattr(tally, "_library", lambda: None)
    counted = Tally.empty(2)
    for _ in range(3):
        counted.add_page(np.array([7, 8, 7], np.uint64), np.array([[1.0], [2.0], [3.0]]))
    assert dict(counted) == {7: [12.0, 3.0], 8: [6.0, 3.0]}
    assert counted.rows_of(np.array([9, 7], np.uint64)).tolist() == [[0, 0], [12, 3]]
    assert 9 not in counted


texts = st.lists(st.text(min_size=1, max_size=60) | st.text("a1é語😀", min_size=390, max_size=420), max_size=8)


@needs_library
@given(texts, st.integers(0, 2**64 - 1))
def test_the_hashes_of_texts_are_the_same_by_both(said: list[str], place: int) -> None:
    places = np.array([place + number & 2**64 - 1 for number in range(len(said))], np.uint64)
    found = native_starts(said, places)
    assert found is not None
    for mine, other in zip(found, site._by_python(said, places), strict=True):
        assert mine.tolist() == other.tolist()


def test_figures_do_not_count_and_the_start_ends_early() -> None:
    said = ["On page 12 of a long story", "On page 7 of a long story", "On page 9 of a long tale"]
    starts, wholes = site._by_python(said, np.zeros(3, np.uint64))
    assert starts[0] == starts[1] == starts[2]
    assert wholes[0] == wholes[1] != wholes[2]
