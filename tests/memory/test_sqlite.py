"""The embedded memory: the conformance suite, and what is its own: the file, and that it does not grow for ever."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from nephila.errors import StateError
from nephila.frontier import SqliteFrontier
from nephila.memory import SqliteMemory
from tests.memory.conformance import MemoryConformance, StillClock


def open_memory(place: Path, clock: Callable[[], float]) -> SqliteMemory:
    return SqliteMemory(place / "memory.sqlite", clock)


class TestSqliteMemory(MemoryConformance):
    opener = "tests.memory.test_sqlite:open_memory"


def test_expired_facts_are_swept_away(tmp_path: Path) -> None:
    async def run() -> None:
        clock = StillClock()
        memory = open_memory(tmp_path, clock)
        for number in range(50):
            await memory.put("s", str(number), b"x", ttl=5)
        clock.now += 5
        for number in range(4):
            await memory.put("t", str(number), b"y")
        await memory.close()

    asyncio.run(run())
    with sqlite3.connect(tmp_path / "memory.sqlite") as sql:
        assert sql.execute("SELECT count(*) FROM fact").fetchone() == (4,)


def test_a_frontier_is_not_taken_for_a_memory(tmp_path: Path) -> None:
    asyncio.run(SqliteFrontier(tmp_path / "state.sqlite").close())
    with pytest.raises(StateError, match="not a Nephila memory"):
        SqliteMemory(tmp_path / "state.sqlite")
