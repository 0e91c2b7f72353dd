"""What the dashboard needs of crawls, wherever they are kept: figures, hosts, dead letters; and to steer them.

Knows frontiers, memories and counters; nothing of HTTP. `local` has those of this machine, `cluster` those of a Redis.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from typing import Any, Literal

from nephila.crawling.supervisor import check_seeds
from nephila.dashboard.learned import facts
from nephila.errors import ConfigError, InputError
from nephila.frontier import Frontier, HostStats
from nephila.job import Job
from nephila.memory import Memory
from nephila.sinks.shelved import Shelf
from nephila.telemetry import Metric, Progress, collect

Word = Literal["running", "paused", "done", "cancelled", "failed"]
Stores = AbstractAsyncContextManager[tuple[Frontier, Memory] | None]
_CHANGEABLE = {"limits", "politeness", "workers"}


class UnknownError(InputError):
    """There is no such crawl."""


class RefusedError(InputError):
    """The crawl is in a state that does not allow it."""


class Crawls(ABC):
    def __init__(self, *, allow_private: bool = False) -> None:
        self._allow_private = allow_private
        self._figures: dict[str, Progress] = {}

    # -- what differs by place -------------------------------------------------------------------------------------

    @abstractmethod
    async def names(self) -> list[str]:
        """The newest first."""

    @abstractmethod
    async def job(self, name: str) -> dict[str, Any] | None:
        """As it was given; None where that is not known. UnknownError where there is no such crawl."""

    @abstractmethod
    async def word(self, name: str) -> Word: ...

    @abstractmethod
    def stores(self, name: str) -> Stores:
        """The frontier and the memory of a crawl that has begun."""

    @abstractmethod
    async def shelf(self, name: str) -> Shelf | None: ...

    async def fault(self, name: str) -> str | None:  # noqa: ARG002 - a place may know none
        """Why it failed."""
        return None

    @abstractmethod
    async def start(self, data: dict[str, Any], name: str | None = None) -> str:
        """Checks the job and begins; ConfigError names what to change. Returns the crawl's name."""

    @abstractmethod
    async def pause(self, name: str) -> None:
        """Drains; the crawl can go on later."""

    @abstractmethod
    async def resume(self, name: str) -> None: ...

    @abstractmethod
    async def cancel(self, name: str) -> None:
        """Stops for good, as far as a click goes; what was written stays."""

    @abstractmethod
    async def edit(self, name: str, change: dict[str, Any]) -> None:
        """Changes limits and politeness, while it runs too."""

    @abstractmethod
    async def remove(self, name: str) -> None: ...

    async def close(self) -> None:  # noqa: B027
        """Lets go of what it holds open."""

    async def woken(self, name: str) -> None:  # noqa: B027 - nothing to do is an answer
        """Dead letters were queued again: the crawl may have to go on."""

    # -- what does not ---------------------------------------------------------------------------------------------

    async def overview(self, name: str) -> dict[str, Any]:
        """One crawl in a few figures."""
        job = await self.job(name)
        figures = self._figures.setdefault(name, Progress())
        picture: dict[str, Any] = {
            "name": name,
            "state": await self.word(name),
            "steerable": job is not None,
            "seeds": (job or {}).get("seeds", []),
            "max_pages": ((job or {}).get("limits") or {}).get("max_pages"),
            "error": await self.fault(name),
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
            "set_aside": figures.labelled(Metric.REJECTED),
            "copies": figures.total(Metric.COPIES),
            "workers": [asdict(worker) for worker in figures.workers()],
        }

    async def hosts(self, name: str, limit: int) -> list[HostStats]:
        async with self.stores(name) as stores:
            return await stores[0].host_stats(limit) if stores is not None else []

    async def dead(self, name: str, limit: int, offset: int) -> list[dict[str, Any]]:
        async with self.stores(name) as stores:
            letters = await stores[0].dead_letters(limit, offset) if stores is not None else []
        # 64 bits are more than a number of JavaScript holds.
        return [asdict(letter) | {"fingerprint": str(letter.fingerprint)} for letter in letters]

    async def sites(self, name: str) -> list[dict[str, Any]]:
        """What the crawl has learned of its sites."""
        async with self.stores(name) as stores:
            return await facts(stores[1]) if stores is not None else []

    async def replay(self, name: str, fingerprints: list[int] | None) -> int:
        """Queues dead letters again, and lets the crawl go on where it had ended."""
        async with self.stores(name) as stores:
            number = await stores[0].replay(fingerprints) if stores is not None else 0
        if number:
            await self.woken(name)
        return number

    def checked(self, data: dict[str, Any]) -> Job:
        """The job, if a dashboard may start it."""
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


def changeable(change: dict[str, Any]) -> dict[str, Any]:
    if unknown := set(change) - _CHANGEABLE:
        raise ConfigError(f"{', '.join(sorted(unknown))}: only {', '.join(sorted(_CHANGEABLE))} can be changed")
    return change
