"""Stores that are kept open between looks: real SQLite files, replaced and removed under the looker."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from nephila.crawling.state import State
from nephila.dashboard.kept import _MOST, KeptStores
from nephila.dashboard.local import LocalCrawls
from nephila.errors import StateError
from nephila.frontier import Entry, Frontier
from nephila.job import Job
from nephila.memory import Memory
from nephila.urls import fingerprint, host_key


def _entry(url: str) -> Entry:
    return Entry(url, fingerprint(url), host_key(url))


async def _begin(directory: Path, *urls: str) -> None:
    state = State(directory)
    state.create()
    frontier, memory = state.open_frontier(Job()), state.open_memory()
    await frontier.add([_entry(url) for url in urls])
    await frontier.close()
    await memory.close()


def test_a_crawl_that_is_begun_anew_under_its_name_is_looked_at_anew(tmp_path: Path) -> None:
    async def main() -> None:
        crawls = LocalCrawls(tmp_path)
        await _begin(tmp_path / "one", "https://a.example/1", "https://a.example/2")
        assert (await crawls.overview("one"))["frontier"]["queued"] == 2
        shutil.rmtree(tmp_path / "one")
        await _begin(tmp_path / "one", "https://a.example/3")
        assert (await crawls.overview("one"))["frontier"]["queued"] == 1
        await crawls.close()

    asyncio.run(main())


def test_what_is_in_use_is_closed_after_its_use_only(tmp_path: Path) -> None:
    async def main() -> None:
        kept, versions = KeptStores(), iter(range(100))
        await _begin(tmp_path, "https://a.example/")
        state = State(tmp_path)

        def opened() -> tuple[Frontier, Memory]:
            return state.open_frontier(Job()), state.open_memory()

        async with kept.of("x", lambda: 1, opened) as (before, _):
            async with kept.of("x", lambda: 2, opened) as (after, _):
                assert after is not before
                assert (await before.stats()).queued == (await after.stats()).queued == 1
            async with kept.of("x", lambda: 2, opened) as (again, _):
                assert again is after
        with pytest.raises(StateError, match="closed"):
            await before.stats()
        for name in range(_MOST):
            async with kept.of(str(name), lambda: next(versions), opened):
                pass
        with pytest.raises(StateError, match="closed"):
            await after.stats()
        await kept.close()

    asyncio.run(main())


def test_of_two_who_look_at_once_at_what_was_replaced_one_opens_it(tmp_path: Path) -> None:
    async def main() -> None:
        kept, frontiers = KeptStores(), list[Frontier]()
        await _begin(tmp_path, "https://a.example/")
        state = State(tmp_path)

        def opened() -> tuple[Frontier, Memory]:
            frontiers.append(state.open_frontier(Job()))
            return frontiers[-1], state.open_memory()

        async def look(version: int) -> None:
            async with kept.of("x", lambda: version, opened) as (frontier, _):
                await frontier.stats()

        await look(1)
        await asyncio.gather(look(2), look(2))
        assert len(frontiers) == 2
        await kept.close()
        for frontier in frontiers:
            with pytest.raises(StateError, match="closed"):
                await frontier.stats()

    asyncio.run(main())


def test_a_look_never_waits_for_who_writes(tmp_path: Path) -> None:
    """Nor does it hold anybody up: an opened file that is complete is not locked."""

    async def main() -> None:
        await _begin(tmp_path / "one", "https://a.example/1")
        writer = sqlite3.connect(tmp_path / "one" / "frontier.sqlite", isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        crawls = LocalCrawls(tmp_path)
        assert (await asyncio.wait_for(crawls.overview("one"), 30))["frontier"]["queued"] == 1
        writer.execute("ROLLBACK")
        writer.close()
        await crawls.close()

    asyncio.run(main())
