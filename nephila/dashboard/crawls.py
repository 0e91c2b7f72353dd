"""The crawls below a root: state directories, each with its job, run by processes that outlive the dashboard.

A crawl that was started elsewhere (`nephila crawl --state ROOT/name`) is shown too; only those that the dashboard
started, whose job it has, can be steered. Knows states and jobs; nothing of HTTP.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import orjson

from nephila.dashboard.processes import Processes
from nephila.errors import ConfigError, InputError
from nephila.frontier import Frontier
from nephila.job import Job, merge
from nephila.memory import Memory
from nephila.sinks.shelf import Shelf, shelves
from nephila.state import State
from nephila.supervisor import check_seeds
from nephila.telemetry import Metric, Progress, collect

Word = Literal["running", "paused", "done", "cancelled", "failed"]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SHELF = "records.shelf"


class UnknownError(InputError):
    """There is no such crawl."""


class RefusedError(InputError):
    """The crawl is in a state that does not allow it."""


class Crawls:
    def __init__(self, root: Path, *, allow_private: bool = False) -> None:
        self._root = root
        self._allow_private = allow_private
        self._figures: dict[str, Progress] = {}
        self._processes = Processes()

    # -- looking ---------------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """The newest first."""
        try:
            found = [path for path in self._root.iterdir() if (path / "job.json").exists() or State(path).exists]
        except FileNotFoundError:
            return []
        return [path.name for path in sorted(found, key=lambda path: -path.stat().st_ctime)]

    def directory(self, name: str) -> Path:
        path = self._root / name
        if not _NAME.fullmatch(name) or not path.is_dir():
            raise UnknownError(f"there is no crawl {name!r}")
        return path

    def state(self, name: str) -> State:
        return State(self.directory(name))

    def job(self, name: str) -> dict[str, Any] | None:
        """As it was given; None where the dashboard did not start it."""
        try:
            data: dict[str, Any] = orjson.loads((self.directory(name) / "job.json").read_bytes())
        except FileNotFoundError:
            return None
        return data

    def shelf(self, name: str) -> Shelf | None:
        found = list(shelves(self.directory(name)))
        return Shelf(found[0]) if found else None

    @asynccontextmanager
    async def stores(self, name: str) -> AsyncIterator[tuple[Frontier, Memory] | None]:
        """The frontier and the memory of a crawl that has begun."""
        state = self.state(name)
        if not state.exists:
            yield None
            return
        job = self.job(name)
        frontier, memory = state.open_frontier(Job.from_dict(job) if job else Job()), state.open_memory()
        try:
            yield frontier, memory
        finally:
            await frontier.close()
            await memory.close()

    async def word(self, name: str) -> Word:
        directory = self.directory(name)
        if self._processes.alive(directory) or State(directory).in_use():
            return "running"
        if (directory / "cancelled").exists():
            return "cancelled"
        end = _end(directory)
        if "error" in end:
            return "failed"
        async with self.stores(name) as stores:
            return "done" if stores is not None and await stores[0].drained() else "paused"

    async def overview(self, name: str) -> dict[str, Any]:
        """One crawl in a few figures."""
        directory, job = self.directory(name), self.job(name)
        figures = self._figures.setdefault(name, Progress())
        picture: dict[str, Any] = {
            "name": name,
            "state": await self.word(name),
            "steerable": job is not None,
            "seeds": (job or {}).get("seeds", []),
            "max_pages": ((job or {}).get("limits") or {}).get("max_pages"),
            "error": _end(directory).get("error"),
            "frontier": {"queued": 0, "leased": 0, "done": 0, "dead": 0, "hosts": 0, "refused": 0},
        }
        async with self.stores(name) as stores:
            if stores is not None:
                stats = await stores[0].stats()
                figures.update(await collect(stores[1]), stats)
                picture["frontier"] = asdict(stats)
        timing = figures.timing(Metric.FETCH_SECONDS)
        latency = timing.quantile(0.5)
        return picture | {
            "pages": figures.total(Metric.PAGES),
            "records": figures.total(Metric.RECORDS),
            "bytes": figures.total(Metric.BYTES),
            "rate": round(figures.rate(), 2) if picture["state"] == "running" else 0.0,
            "bytes_rate": round(figures.bytes_rate()) if picture["state"] == "running" else 0,
            "latency": latency if latency is not None and latency != float("inf") else None,
            "errors": [asdict(error) for error in figures.errors()],
            "statuses": figures.labelled(Metric.STATUS),
            "workers": [asdict(worker) for worker in figures.workers()],
        }

    async def hosts(self, name: str, limit: int) -> list[dict[str, Any]]:
        async with self.stores(name) as stores:
            return [asdict(host) for host in await stores[0].host_stats(limit)] if stores is not None else []

    async def dead(self, name: str, limit: int, offset: int) -> list[dict[str, Any]]:
        async with self.stores(name) as stores:
            letters = await stores[0].dead_letters(limit, offset) if stores is not None else []
        # 64 bits are more than a number of JavaScript holds.
        return [asdict(letter) | {"fingerprint": str(letter.fingerprint)} for letter in letters]

    async def sites(self, name: str) -> list[dict[str, Any]]:
        """What the crawl has learned of its sites: names and sizes of the facts."""
        async with self.stores(name) as stores:
            if stores is None:
                return []
            found = []
            for space in ("robots", "site", "rendering", "forum", "rules"):
                found += [
                    {"space": space, "key": key, "bytes": len(value)} for key, value in await stores[1].items(space)
                ]
        return found[:500]

    # -- steering --------------------------------------------------------------------------------------------------

    async def start(self, data: dict[str, Any], name: str | None = None) -> str:
        """Checks the job and begins; ConfigError names what to change."""
        job = self._checked(data)
        wanted = name or job.name or re.sub(r"^[a-z]+://", "", job.seeds[0])
        wanted = re.sub(r"[^A-Za-z0-9.-]+", "-", wanted).strip("-.")[:80] or "crawl"
        name = self._free(wanted)
        directory = self._root / name
        directory.mkdir(parents=True, mode=0o700)
        self._write(name, job)
        self._processes.launch(self.directory(name))
        return name

    async def pause(self, name: str) -> None:
        """Drains; the crawl can go on later."""
        if await self.word(name) != "running":
            raise RefusedError(f"{name} is not running")
        await self._stop(name)

    async def resume(self, name: str) -> None:
        if await self.word(name) == "running":
            raise RefusedError(f"{name} is running")
        self._known(name)
        (self.directory(name) / "cancelled").unlink(missing_ok=True)
        self._processes.launch(self.directory(name))

    async def cancel(self, name: str) -> None:
        """Stops for good, as far as a click goes; what was written stays."""
        if await self.word(name) == "running":
            await self._stop(name)
        (self.directory(name) / "cancelled").touch()

    async def edit(self, name: str, change: dict[str, Any]) -> dict[str, Any]:
        """Changes limits and politeness; a running crawl drains and goes on with them."""
        allowed = {"limits", "politeness", "workers"}
        if unknown := set(change) - allowed:
            raise ConfigError(f"{', '.join(sorted(unknown))}: only {', '.join(sorted(allowed))} can be changed")
        job = self._checked(merge(self._given(name), change))
        running = await self.word(name) == "running"
        if running:
            await self._stop(name)
        self._write(name, job)
        if running:
            self._processes.launch(self.directory(name))
        return self._known(name)

    async def replay(self, name: str, fingerprints: list[int] | None) -> int:
        """Queues dead letters again, and lets the crawl go on where it had ended."""
        async with self.stores(name) as stores:
            number = await stores[0].replay(fingerprints) if stores is not None else 0
        if number and self.job(name) is not None and await self.word(name) != "running":
            (self.directory(name) / "cancelled").unlink(missing_ok=True)
            self._processes.launch(self.directory(name))
        return number

    async def remove(self, name: str) -> None:
        """The crawl with all that it brought."""
        self._known(name)
        if await self.word(name) == "running":
            raise RefusedError(f"{name} is running: cancel it first")
        await asyncio.to_thread(shutil.rmtree, self.directory(name))
        self._figures.pop(name, None)

    async def _stop(self, name: str) -> None:
        if not await self._processes.stop(self.directory(name)):
            raise RefusedError(f"{name} was not started here: stop it where it was started")

    # -- jobs ------------------------------------------------------------------------------------------------------

    def _checked(self, data: dict[str, Any]) -> Job:
        if "state" in data:
            raise ConfigError("state: the dashboard chooses where a crawl is kept")
        job = Job.from_dict(data)
        if local := [output for output in job.outputs if "://" not in output or output.startswith("file:")]:
            raise ConfigError(f"outputs: {local[0]!r} is a file; the dashboard keeps the records with the crawl itself")
        if not job.seeds:
            raise ConfigError("seeds: name one URL at least")
        if job.http.allow_private and not self._allow_private:
            raise ConfigError("http.allow_private: start the dashboard with --allow-private to crawl private addresses")
        check_seeds(job)
        return job

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
        job = self.job(name)
        if job is None:
            raise RefusedError(f"{name} was not started here: use the command that started it")
        return job

    def _write(self, name: str, job: Job) -> None:
        directory = self.directory(name)
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
