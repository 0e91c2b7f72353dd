"""The spool: every committed segment comes back, whatever tore the end of its file; two spools merge into one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.cluster.spool import Spool, read_segments, spool_files
from nephila.errors import InputError, SinkError
from nephila.page import Page
from nephila.record import Record
from nephila.sinks import Delivery


def delivery(number: int, *texts: str) -> Delivery:
    return Delivery(number, [Record(f"http://h.example/{number}", text=text) for text in texts or ("words",)])


def keys(path: Path) -> list[int]:
    return [each.key for segment in read_segments(path) for each in segment]


def test_what_was_committed_comes_back(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "job", "w1")
    spool.open()
    assert spool.commit([delivery(1, "a", "b"), delivery(-(2**63))]) == 2
    assert spool.commit([delivery(3, "\ud800 odd")]) == 1
    (path,) = spool_files(tmp_path / "job")
    first, second = read_segments(path)  # while it is open
    assert [record.text for record in first[0].records] == ["a", "b"]
    assert first[1].key == -(2**63)
    assert second[0].records[0].text == "? odd"
    spool.close()


def test_answers_are_kept_where_an_archive_wants_them(tmp_path: Path) -> None:
    asked = {"Accept": "*/*", "Cookie": "secret"}
    page = Page("http://h.example/a", "http://h.example/b", 200, b"\xff<p>", 1.5, {"etag": "x"}, request_headers=asked)
    for wanted in (False, True):
        spool = Spool(tmp_path / str(wanted), "w", wants_pages=wanted)
        spool.open()
        spool.commit([Delivery(1, [Record("http://h.example/a")], page), Delivery(2, [], page)])
        spool.close()
    (bare,) = read_segments(spool_files(tmp_path / "False")[0])
    assert [(each.key, each.page) for each in bare] == [(1, None)]
    (full,) = read_segments(spool_files(tmp_path / "True")[0])
    assert [each.key for each in full] == [1, 2]
    assert full[1].page == replace(page, request_headers={"Accept": "*/*"})


def test_two_lives_never_share_a_file(tmp_path: Path) -> None:
    for _ in range(2):
        spool = Spool(tmp_path, "same")
        spool.open()
        if spool_files(tmp_path):
            with pytest.raises(SinkError):
                spool.commit([delivery(1)])
        else:
            spool.commit([delivery(1)])
        spool.close()
    assert [keys(path) for path in spool_files(tmp_path)] == [[1]]


@settings(deadline=None)
@given(cut=st.integers(0, 10_000))
def test_a_torn_end_costs_the_last_segment_alone(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    place = tmp_path_factory.mktemp("torn")
    spool = Spool(place, "w")
    spool.open()
    ends = []
    for number in range(5):
        spool.commit([delivery(number, "x" * 200)])
        (path,) = spool_files(place)
        ends.append(path.stat().st_size)
    spool.close()
    size = cut % (ends[-1] + 1)
    path.write_bytes(path.read_bytes()[:size])
    assert keys(path) == list(range(sum(end <= size for end in ends)))


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_foreign_bytes_are_refused_or_read_as_nothing(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("foreign") / "x.segments.zst"
    path.write_bytes(data)
    try:
        list(read_segments(path))
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017
