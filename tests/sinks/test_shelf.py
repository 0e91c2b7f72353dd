"""The shelf: the sinks' conformance, and what it is for: looking, searching, forgetting the oldest."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.errors import InputError, SinkError
from nephila.page import Page
from nephila.record import Record
from nephila.sinks import Delivery, Sink, shelf, shelved
from nephila.sinks.shelf import ShelfSink
from nephila.sinks.shelved import Shelf

from .conformance import SinkConformance


class TestConformance(SinkConformance):
    def make(self, place: Path) -> Sink:
        return ShelfSink(place / "records.shelf")

    def read(self, place: Path) -> list[Record]:
        found = Shelf(place / "records.shelf")
        numbers = sorted(each.id for each in found.records(limit=10_000))
        return [Record.from_dict(found.record(number)) for number in numbers]


def _shelf(path: Path, *titles: str, page: bytes | None = None) -> Shelf:
    with closing(ShelfSink(path)) as sink:
        sink.open()
        copy = Page("http://a.example/", "http://a.example/", 200, page, 1.0) if page is not None else None
        for key, title in enumerate(titles):
            sink.commit([Delivery(key, [Record(url=f"http://a.example/{key}", title=title)], copy)])
    return Shelf(path)


def test_a_search_finds_words_and_their_beginnings_in_any_script(tmp_path: Path) -> None:
    found = _shelf(
        tmp_path / "a.shelf", "The harbour at night", "气象部门表示，中午之前", "Ожидается дождь", "100 % of it"
    )
    for search, titles in (
        ("harb", ["The harbour at night"]),
        ("a.example/0 harb", ["The harbour at night"]),
        ("HARBOUR night", ["The harbour at night"]),
        ("部门表", ["气象部门表示，中午之前"]),
        ("дождь", ["Ожидается дождь"]),
        ("%", ["100 % of it"]),
        ("of", ["100 % of it"]),
        ("nobody", []),
    ):
        assert [each.title for each in found.records(search)] == titles, search


def test_a_search_goes_on_to_the_last_record_that_has_the_word(tmp_path: Path) -> None:
    found = _shelf(tmp_path / "a.shelf", *(f"harbour {n}" if n % 3 else f"moor {n}" for n in range(300)))
    seen, before = list[int](), None
    while part := found.records("harbour", before, limit=7):
        seen += [each.id for each in part]
        before = part[-1].id
    assert len(seen) == 200
    assert seen == sorted(seen, reverse=True)
    assert [each.id for each in found.records("harbour", after=seen[2])] == seen[:2]


def test_a_word_that_very_many_have_is_sought_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _shelf(tmp_path / "a.shelf", "sea one", "sea two", "seal", "seaside", "se")
    assert [each.title for each in found.records("sea")] == ["seaside", "seal", "sea two", "sea one"]
    assert [each.title for each in found.records("se")] == ["se"], "two letters begin too many words"
    monkeypatch.setattr(shelved, "_COMMON", 1)
    assert [each.title for each in found.records("sea")] == ["sea two", "sea one"]
    assert [each.title for each in found.records("seas")] == ["seaside"]


@given(st.text(max_size=40))
def test_any_search_is_only_a_search(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        assert isinstance(_shelf(Path(folder) / "a.shelf", "one").records(text), list)


def test_the_newest_come_first_and_in_parts(tmp_path: Path) -> None:
    found = _shelf(tmp_path / "a.shelf", *map(str, range(5)))
    first = found.records(limit=2)
    assert [each.title for each in first] == ["4", "3"]
    assert [each.title for each in found.records(before=first[-1].id)] == ["2", "1", "0"]
    assert [each.title for each in found.records(after=first[-1].id)] == ["4"]


def test_the_oldest_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MOST_RECORDS", 5), ("MOST_PAGES", 2), ("_TRIM", 0)):
        monkeypatch.setattr(shelf, name, value)
    found = _shelf(tmp_path / "a.shelf", *(f"title number {n}" for n in range(9)), page=b"<p>x")
    assert len(found.records()) <= 6
    assert found.records("title") == found.records()
    assert found.counts()[1] == 2
    newest = found.records()[0].id
    assert found.page(newest).body == b"<p>x"  # type: ignore[union-attr]
    assert found.page(newest - 4) is None
    with pytest.raises(InputError):
        found.record(1)


def test_a_file_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.shelf"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(SinkError):
        ShelfSink(path).open()
    assert path.read_bytes().startswith(b"not a database")


def test_a_shelf_that_is_being_made_is_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "a.shelf"
    with closing(sqlite3.connect(path, isolation_level=None)) as maker:
        maker.execute("PRAGMA journal_mode = WAL")
        maker.execute("BEGIN IMMEDIATE")
        maker.execute("CREATE TABLE record (id INTEGER)")
        found = Shelf(path)
        assert found.records() == found.records("word") == found.with_pages(5) == []
        assert found.counts() == (0, 0)
        assert found.page(1) is None
        with pytest.raises(InputError, match="no record 1"):
            found.record(1)
        maker.execute("ROLLBACK")
