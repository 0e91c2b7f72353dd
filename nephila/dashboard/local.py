"""The crawls below a root: state directories, each with its job, run by processes that outlive the dashboard.

A crawl that was started elsewhere (`nephila crawl --state ROOT/name`) is shown too; only those that the dashboard
started, whose job it has, can be steered.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson

from nephila.crawling.state import State
from nephila.dashboard.crawls import Crawls, RefusedError, UnknownError, Word, changeable
from nephila.dashboard.kept import KeptStores
from nephila.dashboard.processes import Processes
from nephila.frontier import Frontier
from nephila.job import Job, merge
from nephila.memory import Memory
from nephila.sinks.shelved import Shelf, shelves

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SHELF = "records.shelf"
_WORKERS_LEAVE = 400
"""How often the workers of a crawl that has stopped are looked for: they let its state go a moment after it."""


class LocalCrawls(Crawls):
    def __init__(self, root: Path, *, allow_private: bool = False) -> None:
        super().__init__(allow_private=allow_private)
        self._root = root
        self._processes = Processes()
        self._kept = KeptStores()

    async def names(self) -> list[str]:
        try:
            found = [path for path in self._root.iterdir() if (path / "job.json").exists() or State(path).exists]
        except FileNotFoundError:
            return []
        return [path.name for path in sorted(found, key=lambda path: -path.stat().st_ctime)]

    async def job(self, name: str) -> dict[str, Any] | None:
        return self._job(name)

    async def shelf(self, name: str) -> Shelf | None:
        found = list(shelves(self._directory(name)))
        return Shelf(found[0]) if found else None

    async def fault(self, name: str) -> str | None:
        return _end(self._directory(name)).get("error")

    @asynccontextmanager
    async def stores(self, name: str) -> AsyncIterator[tuple[Frontier, Memory] | None]:
        """The frontier and the memory of a crawl that has begun."""
        state = State(self._directory(name))
        if not state.exists:
            yield None
            return

        def opened() -> tuple[Frontier, Memory]:
            return state.open_frontier(Job.from_dict(self._job(name) or {})), state.open_memory()

        def version() -> tuple[int, ...]:
            job = self._directory(name) / "job.json"
            return (*state.files(), job.stat().st_ino if job.exists() else 0)

        async with self._kept.of(name, version, opened) as stores:
            yield stores

    async def close(self) -> None:
        await self._kept.close()

    async def word(self, name: str) -> Word:
        directory = self._directory(name)
        if self._processes.alive(directory) or State(directory).in_use():
            return "running"
        if (directory / "cancelled").exists():
            return "cancelled"
        end = _end(directory)
        if "error" in end:
            return "failed"
        async with self.stores(name) as stores:
            return "done" if stores is not None and await stores[0].drained() else "paused"

    # -- steering --------------------------------------------------------------------------------------------------

    async def start(self, data: dict[str, Any], name: str | None = None) -> str:
        job = self.checked(data)
        wanted = name or job.name or re.sub(r"^[a-z]+://", "", job.seeds[0])
        wanted = re.sub(r"[^A-Za-z0-9.-]+", "-", wanted).strip("-.")[:80] or "crawl"
        name = self._free(wanted)
        (self._root / name).mkdir(parents=True, mode=0o700)
        self._write(name, job)
        self._launch(name)
        return name

    async def pause(self, name: str) -> None:
        if await self.word(name) != "running":
            raise RefusedError(f"{name} is not running")
        await self._stop(name)

    async def resume(self, name: str) -> None:
        if await self.word(name) == "running":
            raise RefusedError(f"{name} is running")
        self._known(name)
        self._launch(name)

    async def cancel(self, name: str) -> None:
        if await self.word(name) == "running":
            await self._stop(name)
        (self._directory(name) / "cancelled").touch()

    async def edit(self, name: str, change: dict[str, Any]) -> None:
        """A running crawl drains and goes on with them."""
        job = self.checked(merge(self._given(name), changeable(change)))
        running = await self.word(name) == "running"
        if running:
            await self._stop(name)
        self._write(name, job)
        if running:
            self._launch(name)

    async def woken(self, name: str) -> None:
        if self._job(name) is not None and await self.word(name) != "running":
            self._launch(name)

    async def remove(self, name: str) -> None:
        """The crawl with all that it brought."""
        self._known(name)
        if await self.word(name) == "running":
            raise RefusedError(f"{name} is running: cancel it first")
        await self._kept.forget(name)
        await asyncio.to_thread(shutil.rmtree, self._directory(name))
        self._figures.pop(name, None)

    def _launch(self, name: str) -> None:
        directory = self._directory(name)
        (directory / "cancelled").unlink(missing_ok=True)
        self._processes.launch(directory)

    async def _stop(self, name: str) -> None:
        directory = self._directory(name)
        if not await self._processes.stop(directory):
            raise RefusedError(f"{name} was not started here: stop it where it was started")
        for _ in range(_WORKERS_LEAVE):
            if not State(directory).in_use():
                return
            await asyncio.sleep(0.05)

    # -- jobs and directories --------------------------------------------------------------------------------------

    def _directory(self, name: str) -> Path:
        path = self._root / name
        if not _NAME.fullmatch(name) or not path.is_dir():
            raise UnknownError(f"there is no crawl {name!r}")
        return path

    def _job(self, name: str) -> dict[str, Any] | None:
        try:
            data: dict[str, Any] = orjson.loads((self._directory(name) / "job.json").read_bytes())
        except FileNotFoundError:
            return None
        return data

    def _free(self, wanted: str) -> str:
        names = {path.name for path in self._root.iterdir()} if self._root.exists() else set()
        return next(
            name
            for number in range(1, 10_000)
            if (name := wanted if number == 1 else f"{wanted}-{number}") not in names
        )

    def _given(self, name: str) -> dict[str, Any]:
        """The job without what the dashboard added."""
        job = self._known(name)
        return {key: value for key, value in job.items() if key not in ("state", "outputs")} | {
            "outputs": [output for output in job.get("outputs", []) if "://" in output]
        }

    def _known(self, name: str) -> dict[str, Any]:
        job = self._job(name)
        if job is None:
            raise RefusedError(f"{name} was not started here: use the command that started it")
        return job

    def _write(self, name: str, job: Job) -> None:
        directory = self._directory(name)
        outputs = [*job.outputs, str(directory / "records.jsonl"), str(directory / _SHELF)]
        data = job.model_dump(mode="json", exclude_defaults=True)
        data |= {"outputs": outputs, "state": str(directory)}
        partial = directory / "job.json.tmp"
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)  # it may hold cookies
        with os.fdopen(descriptor, "wb") as file:
            file.write(orjson.dumps(data, option=orjson.OPT_INDENT_2))
        partial.replace(directory / "job.json")


def _end(directory: Path) -> dict[str, Any]:
    try:
        end: dict[str, Any] = orjson.loads((directory / "end.json").read_bytes())
    except (FileNotFoundError, orjson.JSONDecodeError):
        return {}
    return end
