"""Outputs and ledgers in SQLite files: one worker opens them while another, a moment before, is making them."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nephila.record import Record
from nephila.sinks import Committed, Delivery, Ledger
from nephila.sinks.shelf import ShelfSink
from nephila.sinks.sql import SqlSink

HELD = 0.5
"""Seconds for which the other has its hand on the file."""


def _shelf(path: Path) -> int:
    with closing(ShelfSink(path)) as sink:
        sink.open()
        return sink.commit([Delivery(1, [Record(url="http://a.example/")])])


def _table(path: Path) -> int:
    with closing(SqlSink(f"sqlite:///{path}")) as sink:
        sink.open()
        return sink.commit([Delivery(1, [Record(url="http://a.example/")])])


def _ledger(path: Path) -> int:
    with closing(Ledger(path)) as ledger:
        with ledger.writing():
            ledger.enter("output", Committed())
        return len(ledger.outputs())


@pytest.mark.parametrize("use", [_shelf, _table, _ledger])
def test_workers_that_begin_at_once_do_not_lock_each_other_out(use: Callable[[Path], int], tmp_path: Path) -> None:
    path = tmp_path / "file.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    def let_go() -> None:
        time.sleep(HELD)
        other.execute("ROLLBACK")

    with closing(other):
        other.execute("BEGIN IMMEDIATE")
        letting_go = threading.Thread(target=let_go)
        letting_go.start()
        try:
            assert use(path) == 1
        finally:
            letting_go.join()
