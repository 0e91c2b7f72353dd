"""The embedded frontier: one SQLite file, shared by as many processes of one machine as you like.

The data flow of the package: `adding` fills the queues, `claiming` turns the best queued URLs of the hosts whose turn
it is (`hosts`) into leases, `leases` takes what became of them: visited (`freshness`), to be tried again (`queues`),
or given up (`dead`). Each call is one transaction (`step`); `schema` holds the tables. It knows no other room.

What survives: killing any process at any moment loses nothing (its leases expire and another process takes them over);
a power cut may undo the last transactions as a whole, which costs a fetch, never a URL (see nephila/sqlite.py and
`leases.complete`).
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from nephila.frontier.base import DeadLetter, Entry, HostStats, Lease, Limits, Politeness, Stats, Visit
from nephila.frontier.sqlite import adding, claiming, dead, freshness
from nephila.frontier.sqlite import leases as leasing
from nephila.frontier.sqlite.hosts import HostBook
from nephila.frontier.sqlite.schema import SCHEMA
from nephila.frontier.sqlite.step import Step, Tally
from nephila.sqlite import Database

__all__ = ["SqliteFrontier"]

P = ParamSpec("P")
T = TypeVar("T")

_CACHE_MIB = 96
"""Room for the heads of ten thousand queues (a page each) and the upper levels of the trees."""
_WAL_MIB = 128
"""A checkpoint writes a page once, however often the log holds it: a longer log writes less."""


class SqliteFrontier:
    """A `Frontier` in the file `path`, made when it is absent; `StateError` when it is something else.

    A run, in the sense of `Limits.max_pages`, begins when the file is made and again with every `recrawl` that queues
    something: a crawl that was stopped and resumed keeps to the bound that it began with.
    """

    def __init__(
        self,
        path: str | Path,
        politeness: Politeness | None = None,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._politeness = politeness or Politeness()
        self._limits = limits or Limits()
        self._clock = clock
        self._database = Database(path, SCHEMA, cache_mib=_CACHE_MIB, wal_mib=_WAL_MIB)

    async def add(self, entries: Sequence[Entry]) -> int:
        if not entries:
            return 0
        return await self._step(adding.add, entries)

    async def claim(self, worker: str, n: int) -> list[Lease]:
        return await self._step(claiming.claim, worker, n)

    async def fetched(self, leases: Sequence[Lease], *, asked: bool = True) -> None:
        await self._step(leasing.fetched, leases, asked)

    async def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        return await self._step(leasing.renew, leases)

    async def complete(self, visits: Sequence[Visit], found: Sequence[Entry]) -> set[int]:
        return await self._step(leasing.complete, visits, found)

    async def fail(self, lease: Lease, reason: str, retry_at: float | None) -> bool:
        return await self._step(leasing.fail, lease, reason, retry_at)

    async def release(self, worker: str, *, dead: bool = False) -> int:  # noqa: ARG002 - the supervisor blames
        return await self._step(leasing.release, worker)

    async def slow_down(self, host: str, *, delay: float | None = None, until: float | None = None) -> None:
        await self._step(_slow_down, host, delay, until)

    async def recrawl(self, due_before: float) -> int:
        """In steps of some thousand URLs, so that other processes get their turn meanwhile."""
        total = moved = await self._step(freshness.requeue_due, due_before, new_run=True)
        while moved == freshness.REQUEUED_AT_ONCE:
            moved = await self._step(freshness.requeue_due, due_before, new_run=False)
            total += moved
        return total

    async def dead_letters(self, limit: int = 100, offset: int = 0) -> list[DeadLetter]:
        return await self._database.read(partial(dead.dead_letters, limit=limit, offset=offset))

    async def replay(self, fingerprints: Sequence[int] | None = None) -> int:
        """All of them in steps of some thousand URLs, so that other processes get their turn meanwhile."""
        if fingerprints is not None:
            return await self._step(_replay, fingerprints)
        total = moved = await self._step(dead.replay_some, freshness.REQUEUED_AT_ONCE)
        while moved == freshness.REQUEUED_AT_ONCE:
            moved = await self._step(dead.replay_some, freshness.REQUEUED_AT_ONCE)
            total += moved
        return total

    async def next_ready(self) -> float | None:
        return await self._database.read(partial(_next_ready, max_pages=self._limits.max_pages))

    async def stats(self) -> Stats:
        tally = await self._database.read(Tally.load)
        return Stats(tally.queued, tally.leased, tally.done, tally.dead, tally.hosts, tally.refused)

    async def host_stats(self, limit: int = 100) -> list[HostStats]:
        return await self._database.read(
            lambda sql: HostBook(sql, self._politeness, self._clock()).longest_queues(limit)
        )

    async def drained(self) -> bool:
        tally = await self._database.read(Tally.load)
        bound = self._limits.max_pages
        return not (tally.queued or tally.leased) or (bound is not None and tally.run_done >= bound)

    async def close(self) -> None:
        await self._database.close()

    async def _step(self, act: Callable[Concatenate[Step, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs `act` as one transaction. The time is read inside it: what came first in the file came first in time."""

        def transaction(sql: sqlite3.Connection) -> T:
            step = Step(sql, self._politeness, self._limits, self._clock())
            result = act(step, *args, **kwargs)
            step.save()
            return result

        return await self._database.write(transaction)


def _slow_down(step: Step, name: str, delay: float | None, until: float | None) -> None:
    host = step.hosts.named([name])[name]
    if delay is not None:
        host.asked_delay = max(0.0, delay)
    if until is not None:
        host.backoff = max(host.backoff, until)


def _replay(step: Step, fingerprints: Sequence[int]) -> int:
    return dead.replay_urls(step, list(adding.known(step.sql, fingerprints).values()))


def _next_ready(sql: sqlite3.Connection, max_pages: int | None) -> float | None:
    tally = Tally.load(sql)
    if not tally.queued or (max_pages is not None and tally.run_done >= max_pages):
        return None
    deadline: float | None = sql.execute("SELECT min(deadline) FROM lease").fetchone()[0]
    if max_pages is not None and tally.run_done + tally.leased >= max_pages:
        return deadline
    (turn,) = sql.execute("SELECT min(next_at) FROM host WHERE next_at IS NOT NULL").fetchone()
    return min((at for at in (turn, deadline) if at is not None), default=None)
