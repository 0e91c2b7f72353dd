"""The embedded frontier: the conformance suite, and what is its own: files, versions, the rolling merge."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import settings

from nephila.errors import StateError
from nephila.frontier import Entry, HostRule, Limits, Politeness, SqliteFrontier, Visit
from nephila.frontier.sqlite import adding
from tests.frontier.conformance import FrontierConformance
from tests.frontier.harness import StillClock, entry
from tests.frontier.model import FrontierMachine
from tests.frontier.swarm import unleash


def open_frontier(place: Path, politeness: Politeness, limits: Limits, clock: Callable[[], float]) -> SqliteFrontier:
    return SqliteFrontier(place / "frontier.sqlite", politeness, limits, clock)


class TestSqliteFrontier(FrontierConformance):
    open = staticmethod(open_frontier)


class SqliteMachine(FrontierMachine):
    open = staticmethod(open_frontier)


TestSqliteModel = SqliteMachine.TestCase
TestSqliteModel.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)

OPENER = "tests.frontier.test_sqlite:open_frontier"


def test_processes_that_get_killed_lose_nothing(tmp_path: Path) -> None:
    unleash(OPENER, tmp_path, workers=4, kills=4, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_many_kills_lose_nothing(tmp_path: Path, seed: int) -> None:
    unleash(OPENER, tmp_path, workers=4, kills=25, seed=seed)


def play(path: Path, scenario: Callable[[SqliteFrontier], Awaitable[None]]) -> None:
    async def run() -> None:
        frontier = SqliteFrontier(path, Politeness(), Limits(family_budget=None), StillClock())
        await scenario(frontier)
        await frontier.close()

    asyncio.run(run())


async def nothing(frontier: SqliteFrontier) -> None:
    pass


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a frontier at all" * 100)
    before = path.read_bytes()
    with pytest.raises(StateError, match="not a SQLite file"):
        SqliteFrontier(path)
    assert path.read_bytes() == before


def test_a_database_of_someone_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as sql:
        sql.execute("CREATE TABLE precious (x)")
    before = path.read_bytes()
    with pytest.raises(StateError, match="not a Nephila frontier"):
        SqliteFrontier(path)
    assert path.read_bytes() == before


def test_a_frontier_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    play(path, nothing)
    with sqlite3.connect(path) as sql:
        sql.execute("PRAGMA user_version = 999")
    with pytest.raises(StateError, match="schema version 999"):
        SqliteFrontier(path)


@pytest.mark.parametrize("place", ["absent/frontier.sqlite", "."])
def test_a_place_that_cannot_be_opened_is_named(tmp_path: Path, place: str) -> None:
    with pytest.raises(StateError, match=str(tmp_path)):
        SqliteFrontier(tmp_path / place)


def test_a_closed_frontier_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        frontier = SqliteFrontier(tmp_path / "frontier.sqlite")
        await frontier.close()
        with pytest.raises(StateError, match="closed"):
            await frontier.stats()

    asyncio.run(run())


def test_many_openers_at_once_make_one_frontier(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    made: list[SqliteFrontier] = []
    threads = [threading.Thread(target=lambda: made.append(SqliteFrontier(path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    async def run() -> None:
        await asyncio.gather(*(frontier.add([entry(n)]) for n, frontier in enumerate(made)))
        assert [(await frontier.stats()).queued for frontier in made] == [8] * 8
        await asyncio.gather(*(frontier.close() for frontier in made))

    asyncio.run(run())


def test_a_lock_that_another_process_holds_is_waited_for_while_the_loop_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"

    async def run() -> None:
        frontier, reader = SqliteFrontier(path), SqliteFrontier(path)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        adding_one = asyncio.create_task(frontier.add([entry(1)]))
        for _ in range(20):
            await asyncio.sleep(0.01)
            assert (await reader.stats()).queued == 0  # who only reads does not wait
        assert not adding_one.done()
        other.execute("COMMIT")
        assert await adding_one == 1
        other.close()
        await reader.close()
        await frontier.close()

    asyncio.run(run())


def test_fingerprints_are_known_before_during_and_after_the_rolling_merge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "MERGE_ABOVE", 50)
    monkeypatch.setattr(adding, "_MERGED_AT_ONCE", 16)
    extremes = [-(1 << 63), (1 << 63) - 1, 0, -1]
    every = extremes + [(n * 0x9E3779B97F4A7C15) % (1 << 64) - (1 << 63) for n in range(1, 1500)]

    async def scenario(frontier: SqliteFrontier) -> None:
        for start in range(0, len(every), 37):
            batch = [entry(number) for number in every[start : start + 37]]
            assert await frontier.add(batch) == len(batch)
            assert await frontier.add([entry(number) for number in every[: start + 37]]) == 0

    path = tmp_path / "frontier.sqlite"
    play(path, scenario)
    with sqlite3.connect(path) as sql:
        (merged,) = sql.execute("SELECT count(*) FROM seen").fetchone()
        (unmerged,) = sql.execute("SELECT count(*) FROM seen_new").fetchone()
        assert merged + unmerged == len(every)
        assert 0 < unmerged <= 50
        # It goes round: the first to come have all been reached, wherever they lie.
        reached = {number for (number,) in sql.execute("SELECT fingerprint FROM seen")}
        assert set(every[:500]) <= reached
        assert sql.execute("SELECT unmerged FROM tally").fetchone() == (unmerged,)


def test_a_claim_does_no_more_work_for_more_urls_or_more_hosts(tmp_path: Path) -> None:
    """Counted in instructions of SQLite's virtual machine: the same on every machine and under every load."""

    async def cost(urls: int, hosts: int) -> int:
        path = tmp_path / f"{urls}-{hosts}.sqlite"
        frontier = SqliteFrontier(path, Politeness(HostRule(delay=5.0)), Limits(family_budget=None), time.time)
        await frontier.add([Entry(f"https://h/{n}", n, f"h{n % hosts}") for n in range(urls)])
        for _ in range(2):
            await frontier.complete([Visit(lease) for lease in await frontier.claim("w", 10)], [])
        ticks = 0

        def tick() -> int:
            nonlocal ticks
            ticks += 1
            return 0

        frontier._database._connection.set_progress_handler(tick, 10)
        assert len(await frontier.claim("w", 10)) == 10
        await frontier.close()
        return ticks

    small = asyncio.run(cost(400, 40))
    assert asyncio.run(cost(20_000, 40)) < 1.5 * small
    assert asyncio.run(cost(20_000, 4_000)) < 1.5 * small
