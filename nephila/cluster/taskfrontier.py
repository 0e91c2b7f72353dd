"""The frontier of one dedicated task: a Redis frontier that keeps what is the task's own, and asks hosts in turn.

Links are sorted as they come in: a page of another board is handed to the task of that board; of all else, what another
task named first is left to it. A claim takes its turn at the host first, so that all tasks of a host together leave it
its delay. Knows the frontier's contract and what the forum room writes into an entry, nothing of ZooKeeper.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xxhash import xxh3_64_intdigest

from nephila.cluster.division import Division
from nephila.forum import META, Role
from nephila.frontier.base import Entry, Lease, Visit
from nephila.frontier.redis import RedisFrontier

HandOver = Callable[[str, list[Entry]], Awaitable[None]]
"""Gives entries to the task of a board, named by its identity; when it returns, they cannot be lost."""
_LOOK_AGAIN = 0.1
"""Seconds till a turn is asked for again that another task has."""


@dataclass(frozen=True, slots=True)
class Part:
    """A task, as its frontier has to know it."""

    task: str
    board: str | None
    """Its own board's identity."""
    host: str
    """Where its turns are taken."""
    is_apart: Callable[[Entry], bool]
    """Whether a page of a board belongs to a task of its own: a list of the newest of all boards does not."""
    hand_over: HandOver


def board_of(entry: Entry) -> str | None:
    """The identity of the board whose page an entry is."""
    what = _unit(entry)
    return f"{entry.host} {what}" if what is not None and what.startswith(f"{Role.BOARD}:") else None


def _unit(entry: Entry) -> str | None:
    """The board or thread whose page an entry is, without the page: its pages stay together."""
    key = ((entry.meta or {}).get(META) or {}).get("k")
    return None if not isinstance(key, str) else key.rpartition(":")[0]


def _identity(entry: Entry) -> int:
    what = _unit(entry)
    if what is None:
        return entry.fingerprint
    value = xxh3_64_intdigest(f"{entry.host} {what}".encode("utf-8", "surrogatepass"))
    return value - (1 << 64) if value >> 63 else value


class TaskFrontier(RedisFrontier):
    def __init__(self, *place: Any, part: Part, division: Division) -> None:
        """`place`: as for any Redis frontier."""
        super().__init__(*place)
        self._part, self._division = part, division
        self._handed: set[int] = set()
        self._known_outages = 0
        self._turns: dict[int, str] = {}
        """By the token of the lease that it was taken for."""
        self._again_at = 0.0
        self._was_empty = False

    # -- whose is it? ----------------------------------------------------------------------------------------------

    async def add(self, entries: Sequence[Entry]) -> int:
        return await super().add(await self._own(entries))

    async def complete(self, visits: Sequence[Visit], found: Sequence[Entry]) -> set[int]:
        accepted = await super().complete(visits, await self._own(found))
        await self._end([visit.lease for visit in visits])
        return accepted

    async def _own(self, entries: Sequence[Entry]) -> list[Entry]:
        own, rest = await self._without_other_boards(entries)
        owners = await self._division.owners(self._part.task, [_identity(entry) for entry in rest])
        return own + [entry for entry, owner in zip(rest, owners, strict=True) if owner == self._part.task]

    async def _without_other_boards(self, entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
        """Pages of our own board, and what is on no board."""
        if self.outages != self._known_outages:  # what the server was told last may be forgotten
            self._handed.clear()
            self._known_outages = self.outages
        own, rest, others = list[Entry](), list[Entry](), dict[str, list[Entry]]()
        for entry in entries:
            board = board_of(entry)
            if board is not None and board == self._part.board:
                own.append(entry)
            elif board is None or not self._part.is_apart(entry):
                rest.append(entry)
            elif entry.fingerprint not in self._handed:
                others.setdefault(board, []).append(entry)
        for board, pages in others.items():
            await self._part.hand_over(board, pages)
            self._handed.update(page.fingerprint for page in pages)
        return own, rest

    # -- whose turn is it? -----------------------------------------------------------------------------------------

    async def claim(self, worker: str, n: int) -> list[Lease]:
        if self._was_empty and not await self._has_some():
            return []
        rule = self.politeness.rule(self._part.host)
        turns = await self._division.take(worker, n, rule, self.limits.lease_seconds)
        if not turns.names:
            self._again_at = time.time() + (_LOOK_AGAIN if turns.wait is None else turns.wait)
            return []
        leases: list[Lease] = []
        try:
            leases = await super().claim(worker, len(turns.names))
        finally:
            await self._division.end(turns.names[len(leases) :], asked=False)
        self._turns.update(zip((lease.token for lease in leases), turns.names, strict=False))
        self._was_empty = not leases
        return leases

    async def _has_some(self) -> bool:
        ready = await super().next_ready()
        return ready is not None and ready <= time.time()

    async def next_ready(self) -> float | None:
        ready = await super().next_ready()
        return None if ready is None else max(ready, self._again_at)

    async def fetched(self, leases: Sequence[Lease], *, asked: bool = True) -> None:
        await super().fetched(leases, asked=asked)
        await self._end(leases, asked=asked)

    async def fail(self, lease: Lease, reason: str, retry_at: float | None) -> bool:
        valid = await super().fail(lease, reason, retry_at)
        await self._end([lease])
        return valid

    async def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        held = [self._turns[lease.token] for lease in leases if lease.token in self._turns]
        await self._division.renew(held, self.limits.lease_seconds)
        return await super().renew(leases)

    async def release(self, worker: str, *, dead: bool = False) -> int:
        count = await super().release(worker, dead=dead)
        await self._division.inherit(worker)
        self._turns.clear()
        return count

    async def slow_down(self, host: str, *, delay: float | None = None, until: float | None = None) -> None:
        await super().slow_down(host, delay=delay, until=until)
        await self._division.slow_down(host, delay, None if until is None else max(0.0, until - time.time()))

    async def close(self) -> None:
        await super().close()
        await self._division.close()

    async def _end(self, leases: Sequence[Lease], *, asked: bool = True) -> None:
        names = [self._turns.pop(lease.token) for lease in leases if lease.token in self._turns]
        await self._division.end(names, asked=asked)
