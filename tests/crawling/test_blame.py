"""What a worker notes of the pages that it reads, and what is counted of it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from nephila.crawling.blame import MOST_DEATHS, Deaths, Note, count_deaths, left_behind
from nephila.memory import SqliteMemory


def test_only_what_was_not_read_to_its_end_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "reading" / "w"

    async def main() -> None:
        note = Note(path)
        async with note.reading(1):
            pass
        with pytest.raises(ValueError, match="odd"):
            async with note.reading(2):
                raise ValueError("odd")
        async with note.reading(-3), note.reading(4, alone=False):
            async with note.reading(5):
                pass
            assert left_behind(path) == [-3, 4]

    asyncio.run(main())
    assert left_behind(path) == []


def test_more_pages_than_there_are_places(tmp_path: Path) -> None:
    async def main() -> None:
        note = Note(tmp_path / "w")
        async with AsyncExitStack() as stack:
            for page in range(1, 41):
                await stack.enter_async_context(note.reading(page))
            assert left_behind(tmp_path / "w") == list(range(25, 41))

    asyncio.run(main())


def test_a_page_that_is_read_alone_waits_for_the_others_and_they_for_it() -> None:
    under_way: set[int] = set()
    company: dict[int, int] = {}

    async def read(note: Note, page: int) -> None:
        async with note.reading(page, alone=page % 5 == 0):
            under_way.add(page)
            for _ in range(3):
                company[page] = max(company.get(page, 0), len(under_way))
                await asyncio.sleep(0)
            under_way.remove(page)

    async def main() -> None:
        note = Note()
        await asyncio.wait_for(asyncio.gather(*[read(note, page) for page in range(40)]), 60)

    asyncio.run(main())
    assert len(company) == 40
    assert {company[page] for page in range(0, 40, 5)} == {1}
    assert max(company.values()) > 1


@pytest.mark.parametrize("raw", [b"", b"x", b"\xff" * 1000])
def test_a_file_that_is_no_note_blames_nobody(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "w").write_bytes(raw)
    assert left_behind(tmp_path / "w") == []


def test_a_page_is_condemned_by_its_last_death_and_forgotten_when_given_up(tmp_path: Path) -> None:
    async def main() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        deaths = Deaths(memory)
        for count in range(MOST_DEATHS):
            await deaths.learn()
            assert not deaths.condemns(7)
            assert deaths.suspects(7) == (count > 0)
            await count_deaths(memory, [7])
        await count_deaths(memory, [8])
        await deaths.learn()
        assert deaths.condemns(7)
        assert not deaths.condemns(8)
        assert deaths.suspects(8)
        await deaths.forget(7)
        assert not deaths.suspects(7)
        await deaths.learn()
        assert not deaths.suspects(7)
        assert deaths.suspects(8)
        await memory.close()

    asyncio.run(main())


def test_where_nobody_watches_a_death_is_counted_before_the_suspect_is_read(tmp_path: Path) -> None:
    async def main() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        deaths, other = (Deaths(memory, watched=False) for _ in range(2))
        async with deaths.at_risk(7):  # the first death is that which made it a suspect
            await other.learn()
            assert other.suspects(7)
            assert not other.condemns(7)
            async with other.at_risk(7):
                await deaths.learn()
                assert deaths.condemns(7)
        await deaths.learn()
        assert not deaths.suspects(7)
        await memory.close()

    asyncio.run(main())


def test_a_worker_that_outlives_a_suspect_acquits_it_however_it_was_read(tmp_path: Path) -> None:
    async def read(deaths: Deaths) -> None:
        async with deaths.at_risk(8):
            raise ValueError("odd")

    async def main() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        for watched in (True, False):
            await count_deaths(memory, [8])
            deaths = Deaths(memory, watched=watched)
            with pytest.raises(ValueError, match="odd"):
                await read(deaths)
            await deaths.learn()
            assert not deaths.suspects(8)
        await memory.close()

    asyncio.run(main())
