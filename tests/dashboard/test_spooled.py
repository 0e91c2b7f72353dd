"""Records of a cluster's job, read from the spools of its workers while these write."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nephila.cluster.spool import Spool
from nephila.dashboard import spooled
from nephila.dashboard.spooled import SpooledShelves
from nephila.record import Record
from nephila.sinks import Delivery


def deliveries(*keys: int) -> list[Delivery]:
    return [Delivery(key, [Record(url=f"http://a.example/{key}", title=f"number {key}")]) for key in keys]


def looked(shelves: SpooledShelves) -> list[str]:
    shelf = asyncio.run(shelves.shelf("job"))
    return sorted(str(each.title) for each in shelf.records(limit=1000)) if shelf is not None else []


def titles(*keys: int) -> list[str]:
    return sorted(f"number {key}" for key in keys)


def test_each_look_reads_on_and_each_record_is_there_once(tmp_path: Path) -> None:
    shelves = SpooledShelves(tmp_path / "spool", tmp_path / "own")
    assert looked(shelves) == []
    one, two = (Spool(tmp_path / "spool" / "job", worker) for worker in ("w1", "w2"))
    for spool in (one, two):
        spool.open()
    one.commit(deliveries(1, 2))
    assert looked(shelves) == titles(1, 2)
    one.commit(deliveries(3))
    two.commit(deliveries(2, 4))  # a worker died between commit and ack: 2 was fetched again
    assert looked(shelves) == titles(1, 2, 3, 4)
    file = next((tmp_path / "spool" / "job").glob("w1*"))
    whole = file.read_bytes()
    two.commit(deliveries(5))
    file.write_bytes(whole + whole[:40])  # a torn frame: its worker died
    assert looked(SpooledShelves(tmp_path / "spool", tmp_path / "own")) == titles(1, 2, 3, 4, 5)
    shelves.remove("job")
    assert not list((tmp_path / "own").iterdir())


def test_a_backlog_is_caught_up_with_over_some_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooled, "_AT_ONCE", 10)
    spool = Spool(tmp_path / "spool" / "job", "w1")
    spool.open()
    for start in range(0, 50, 5):
        spool.commit(deliveries(*range(start, start + 5)))
    shelves = SpooledShelves(tmp_path / "spool", tmp_path / "own")
    assert [len(looked(shelves)) for _ in range(6)] == [10, 20, 30, 40, 50, 50]


def test_a_spool_that_is_damaged_is_no_end_of_the_dashboard(tmp_path: Path) -> None:
    (tmp_path / "spool" / "job").mkdir(parents=True)
    (tmp_path / "spool" / "job" / "w.1.segments.zst").write_bytes(b"no frame at all")
    assert looked(SpooledShelves(tmp_path / "spool", tmp_path / "own")) == []
