"""The registry on a real memory: jobs come, change, pause and end, whoever asks at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from nephila.cluster.registry import Registry
from nephila.errors import InputError
from nephila.job import Job
from nephila.memory import SqliteMemory

JOB = Job(seeds=("http://h.example/",), name="My job!")


def play(place: Path, scenario: Callable[[Registry], Awaitable[None]]) -> None:
    async def run() -> None:
        memory = SqliteMemory(place / "memory.sqlite")
        try:
            await scenario(Registry(memory))
        finally:
            await memory.close()

    asyncio.run(run())


def test_a_job_runs_changes_and_ends(tmp_path: Path) -> None:
    async def scenario(registry: Registry) -> None:
        first = await registry.submit(JOB)
        assert (first.id, first.state, first.revision) == ("My-job", "running", 1)
        assert first.read() == JOB
        assert list(await registry.running()) == ["My-job"]
        changed = await registry.submit(Job.from_dict({**first.job, "limits": {"max_pages": 5}}))
        assert (changed.id, changed.revision) == ("My-job", 2)
        # One who still served the first version found nothing to do: that says nothing of the second.
        assert (await registry.move("My-job", "done", among=("running",), revision=1)).state == "running"
        assert (await registry.move("My-job", "done", among=("running",), revision=2)).state == "done"
        assert not await registry.running()
        assert (await registry.move("My-job", "paused", among=("running",))).state == "done"
        assert (await registry.submit(JOB)).state == "running"

    play(tmp_path, scenario)


def test_an_unknown_job_is_an_error_that_names_the_known(tmp_path: Path) -> None:
    async def scenario(registry: Registry) -> None:
        await registry.submit(JOB)
        with pytest.raises(InputError, match="My-job"):
            await registry.move("other", "paused", among=("running",))

    play(tmp_path, scenario)


def test_changes_at_once_are_all_counted(tmp_path: Path) -> None:
    async def scenario(registry: Registry) -> None:
        await asyncio.gather(*(registry.submit(JOB) for _ in range(20)))
        assert (await registry.get("My-job")).revision == 20

    play(tmp_path, scenario)
