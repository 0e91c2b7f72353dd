"""The jobs of a cluster, as the dashboard shows and steers them; their records, where it sees the workers' spools."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from nephila.cluster.commanding import move, submit
from nephila.cluster.place import Place
from nephila.cluster.registry import JobState, Registry, Submission
from nephila.dashboard.crawls import Crawls, RefusedError, UnknownError, Word, changeable
from nephila.dashboard.kept import KeptStores
from nephila.dashboard.spooled import SpooledShelves
from nephila.errors import InputError
from nephila.frontier import Frontier
from nephila.job import merge
from nephila.memory import Memory
from nephila.sinks.shelved import Shelf


class ClusterCrawls(Crawls):
    def __init__(self, place: Place, root: Path, *, allow_private: bool = False) -> None:
        """`root`: where the dashboard keeps what it needs for itself."""
        super().__init__(allow_private=allow_private)
        self._shelves = SpooledShelves(place.spool, root / "cluster")
        self._place = place
        self._registry = place.registry_memory()
        self._jobs = Registry(self._registry)
        self._kept = KeptStores()

    async def names(self) -> list[str]:
        return [each.id for each in sorted(await self._jobs.all(), key=lambda each: -each.submitted)]

    async def job(self, name: str) -> dict[str, Any] | None:
        return (await self._found(name)).job

    async def word(self, name: str) -> Word:
        return (await self._found(name)).state

    async def fault(self, name: str) -> str | None:
        return (await self._found(name)).note

    async def shelf(self, name: str) -> Shelf | None:
        await self._found(name)
        return await self._shelves.shelf(name)

    @asynccontextmanager
    async def stores(self, name: str) -> AsyncIterator[tuple[Frontier, Memory] | None]:
        submission = await self._found(name)
        place = self._place.job(name)

        def opened() -> tuple[Frontier, Memory]:
            return place.open_frontier(submission.read()), place.open_memory()

        async with self._kept.of(name, lambda: submission.revision, opened) as stores:
            yield stores

    async def close(self) -> None:
        await self._kept.close()
        await self._registry.close()

    async def start(self, data: dict[str, Any], name: str | None = None) -> str:
        return (await submit(self._place, self.checked(data), name)).id

    async def pause(self, name: str) -> None:
        await self._move(name, "paused")

    async def resume(self, name: str) -> None:
        await self._move(name, "running")

    async def cancel(self, name: str) -> None:
        await self._move(name, "cancelled")

    async def edit(self, name: str, change: dict[str, Any]) -> None:
        before = await self._found(name)
        await submit(self._place, self.checked(merge(_given(before.job), changeable(change))), name)
        if before.state == "paused":  # a new version runs; a pause is not ended by it
            await self._move(name, "paused")

    async def woken(self, name: str) -> None:
        if await self.word(name) == "done":
            await self._move(name, "running")

    async def remove(self, name: str) -> None:
        if await self.word(name) == "running":
            raise RefusedError(f"{name} is running: cancel it first")
        await self._jobs.remove(name)
        await self._kept.forget(name)
        self._shelves.remove(name)
        self._figures.pop(name, None)

    async def _found(self, name: str) -> Submission:
        try:
            return await self._jobs.get(name)
        except InputError as error:
            raise UnknownError(str(error)) from None

    async def _move(self, name: str, state: JobState) -> None:
        await self._found(name)
        try:
            await move(self._place, name, state)
        except InputError as error:
            raise RefusedError(str(error)) from None


def _given(job: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in job.items() if key != "state"}
