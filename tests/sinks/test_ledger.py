from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.errors import StateError
from nephila.sinks import Committed, Ledger

from .conformance import KEYS


@settings(max_examples=40, deadline=None)
@given(there=st.sets(KEYS), asked=st.sets(KEYS))
def test_knows_exactly_the_keys_it_was_given(
    tmp_path_factory: pytest.TempPathFactory, there: set[int], asked: set[int]
) -> None:
    ledger = Ledger(tmp_path_factory.mktemp("ledger") / "ledger.sqlite")
    with ledger.writing():
        ledger.enter("out", Committed())
        ledger.add("out", there)
    assert ledger.known("out", asked) == there & asked
    assert ledger.known("other", asked) == set()
    ledger.close()


def test_failed_writing_leaves_no_trace(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite")

    def write_and_fail() -> None:
        with ledger.writing():
            ledger.enter("out", Committed(size=5))
            ledger.add("out", [1])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    assert ledger.committed("out") is None
    with ledger.writing():
        ledger.enter("out", Committed(size=7))
    assert ledger.known("out", [1]) == set()
    assert ledger.outputs() == {"out": Committed(size=7)}
    ledger.close()


def test_outputs_keep_their_keys_apart(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite")
    with ledger.writing():
        for name, key in (("a", 1), ("b", 2)):
            ledger.enter(name, Committed())
            ledger.add(name, [key])
        ledger.forget("a")
    assert ledger.known("a", [1, 2]) == set()
    assert ledger.known("b", [1, 2]) == {2}
    ledger.close()


def test_survives_a_fork(tmp_path: Path) -> None:
    """A child that inherits an open ledger opens its own; the parent's stays good."""
    ledger = Ledger(tmp_path / "ledger.sqlite")
    with ledger.writing():
        ledger.enter("out", Committed())
    pid = os.fork()
    if pid == 0:
        try:
            with ledger.writing():
                ledger.add("out", [7])
            ledger.close()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0
    assert ledger.known("out", [7, 8]) == {7}
    ledger.close()


def test_commits_are_durable_against_power_loss(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite")
    assert ledger._connection().execute("PRAGMA synchronous").fetchone() == (2,)
    assert ledger._connection().execute("PRAGMA journal_mode").fetchone() == ("wal",)
    ledger.close()


def test_file_that_is_no_ledger_is_refused_and_kept(tmp_path: Path) -> None:
    text, other, newer = tmp_path / "text", tmp_path / "other", tmp_path / "newer"
    text.write_bytes(b"not a database at all, just text\n" * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    Ledger(newer).outputs()
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    for path, why in [(text, "cannot be read as a ledger"), (other, "not a ledger"), (newer, "another version")]:
        with pytest.raises(StateError, match=why):
            Ledger(path).outputs()
    assert text.read_bytes().startswith(b"not a database")


def test_lock_held_elsewhere_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nephila.sinks.ledger._BUSY_SECONDS", 0.05)
    ledger = Ledger(tmp_path / "ledger.sqlite")
    ledger.outputs()
    holder = sqlite3.connect(ledger.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StateError, match="held by another process"), ledger.writing():
        pass
    holder.close()
    with ledger.writing():
        ledger.enter("out", Committed())
    ledger.close()


def test_unusable_state_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StateError, match="cannot use the state directory"):
        Ledger(tmp_path / "file" / "ledger.sqlite").outputs()


@pytest.mark.slow
def test_ten_million_keys_stay_compact(tmp_path: Path) -> None:
    import random

    ledger = Ledger(tmp_path / "ledger.sqlite")
    count, rng = 10_000_000, random.Random(1)
    with ledger.writing():
        ledger.enter("out", Committed())
        for _ in range(10):
            ledger.add("out", {rng.getrandbits(64) - 2**63 for _ in range(count // 10)})
    ledger._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert ledger.path.stat().st_size / count < 20
    rng = random.Random(1)
    some = [rng.getrandbits(64) - 2**63 for _ in range(5000)]
    assert ledger.known("out", some) == set(some)
    ledger.close()
