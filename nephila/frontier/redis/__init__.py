"""The shared frontier: one job's URLs on a Redis server, for workers on as many machines as you like.

Every call is one script (lua/), so it happens whole or not at all, and one round trip. The data flow is that of the
embedded frontier: `adding` fills the queues, `claim` turns the best URLs of the hosts whose turn it is into leases,
`complete`, `fail` and `release` take what became of them. `packing` turns entries and leases into the bytes that the
scripts keep: queues are packed pages of some forty URLs in order (lua/pages.lua), the seen-set is buckets of integers
(lua/buckets.lua). All keys of a job begin with `nephila:{job}:` and lie in one slot of a Redis Cluster.

Time is the server's. Dates that a client names are sent as seconds from now, and those it is told are put into its own
time, so that clocks may differ between machines. It knows no other room.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from heapq import nsmallest
from struct import Struct
from typing import Any

from nephila.frontier.base import DeadLetter, Entry, HostStats, Lease, Limits, Politeness, Stats, Visit
from nephila.frontier.freshness import LONGER, SHORTER
from nephila.frontier.redis import packing
from nephila.redis import PATIENCE, Server, key_prefix, load_script

__all__ = ["RedisFrontier"]

_BATCH = 1000
"""Entries, visits or claims in one script: some ten milliseconds for which the server hears nobody else."""
_MOVED_AT_ONCE = 2000
"""URLs that one script of a recrawl or replay moves."""
_LAST_PATIENCE = 10.0
"""Seconds that a farewell waits for a server that is away: the leases expire without it."""
_INTERVALS = Struct(">ddddd")
_HOST = Struct(">BIIIdddd6sBdIId")
"""As lua/hosts.lua packs it; the first number has 5 bytes."""


class RedisFrontier:
    """A `Frontier` on the server at `url`, under the name `job`; `StateError` when it cannot be used."""

    def __init__(
        self,
        url: str,
        job: str,
        politeness: Politeness | None = None,
        limits: Limits | None = None,
        clock: Callable[[], float] | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        """With a `clock`, its time is used instead of the server's: for tests."""
        self.politeness = politeness or Politeness()
        self.limits = limits or Limits()
        """Both may be replaced while it runs: the next call obeys the new ones."""
        self._prefix = key_prefix(job)
        self._clock = clock
        self._server = Server(url, patience=patience)
        self._newest_token = 0

    async def add(self, entries: Sequence[Entry]) -> int:
        """In batches of a thousand, each of them one step."""
        fresh = 0
        for start in range(0, len(entries), _BATCH):
            fresh += await self._run("add", self._packed(entries[start : start + _BATCH]))
        return fresh

    async def claim(self, worker: str, n: int) -> list[Lease]:
        leases: list[Lease] = []
        while True:
            wanted = min(n - len(leases), _BATCH)
            more = await self._claim(worker, wanted)
            leases += more
            if len(more) < wanted or len(leases) >= n:
                return leases

    async def _claim(self, worker: str, n: int) -> list[Lease]:
        limits, rules = self.limits, b""
        bound = b"" if limits.max_pages is None else limits.max_pages
        while True:
            arguments = (n, worker, limits.lease_seconds, bound, limits.max_attempts, self.politeness.mark())
            now, first, *found = await self._run("claim", *arguments, self._newest_token, rules)
            if first is not None:
                break
            # Hosts that were last ruled by a client with other rules: ours are told with the next try.
            names = [name.decode("utf-8", "surrogatepass") for name in found]
            rules = b"".join(packing.pack_rule(name, self.politeness.rule(name)) for name in names)
        deadline = self._local(float(now), float(now)) + limits.lease_seconds
        token = int(first)
        self._newest_token = max(self._newest_token, token + len(found))
        return [
            packing.unpack_lease(value, number, worker, deadline)
            for number, value in enumerate(found, token + 1)
            if value
        ]

    async def fetched(self, leases: Sequence[Lease], *, asked: bool = True) -> None:
        if leases:
            await self._run("fetched", packing.pack_leases(leases), int(asked))

    async def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        if not leases:
            return []
        now, *held = await self._run("renew", packing.pack_leases(leases), self.limits.lease_seconds)
        deadline = self._local(float(now), float(now)) + self.limits.lease_seconds
        return [replace(lease, deadline=deadline) for lease, is_held in zip(leases, held, strict=True) if is_held]

    async def complete(self, visits: Sequence[Visit], found: Sequence[Entry]) -> set[int]:
        """Of very many links all but the last batch go first: a page is acked with or after its links."""
        late, outages = found[: max(0, len(found) - _BATCH)], self.outages
        await self.add(late)
        accepted: set[int] = set()
        links = self._packed(found[len(late) :]) if found else b""
        for start in range(0, max(1, len(visits)), _BATCH):
            accepted |= await self._complete(visits[start : start + _BATCH], links)
            links = b""
        if self.outages != outages:  # the server may have forgotten the first batches before it took the last
            await self.add(found)
        return accepted

    async def _complete(self, visits: Sequence[Visit], links: bytes) -> set[int]:
        limits = self.limits
        budget = packing.NO_BUDGET if limits.family_budget is None else limits.family_budget
        intervals = _INTERVALS.pack(limits.recrawl_start, limits.recrawl_min, limits.recrawl_max, SHORTER, LONGER)
        packed = packing.pack_visits(visits, limits.family_budget)
        return {int(token) for token in await self._run("complete", packed, links, budget, intervals)}

    async def fail(self, lease: Lease, reason: str, retry_at: float | None) -> bool:
        wait = b"" if retry_at is None else self._from_now(retry_at)
        what = reason.encode("utf-8", "replace")[:2000]
        return bool(await self._run("fail", packing.pack_leases([lease]), wait, self.limits.max_attempts, what))

    async def release(self, worker: str, *, dead: bool = False) -> int:
        return int(await self._run("release", worker, int(dead), patience=_LAST_PATIENCE))

    async def slow_down(self, host: str, *, delay: float | None = None, until: float | None = None) -> None:
        rule = self.politeness.mark().to_bytes(4, "big") + packing.pack_rule(host, self.politeness.rule(host))
        wait = b"" if until is None else self._from_now(until)
        await self._run("slow_down", rule, b"" if delay is None else delay, wait)

    async def recrawl(self, due_before: float) -> int:
        """In steps of some thousand URLs, so that other workers get their turn meanwhile."""
        wait = self._from_now(due_before)
        total = moved = int(await self._run("recrawl", wait, _MOVED_AT_ONCE, 1))
        while moved == _MOVED_AT_ONCE:
            moved = int(await self._run("recrawl", wait, _MOVED_AT_ONCE, 0))
            total += moved
        return total

    async def dead_letters(self, limit: int = 100, offset: int = 0) -> list[DeadLetter]:
        return [packing.unpack_dead(value) for value in await self._run("dead_letters", limit, offset)]

    async def replay(self, fingerprints: Sequence[int] | None = None) -> int:
        if fingerprints is not None:
            return int(await self._run("replay", 0, b"".join(map(packing.fingerprint_bytes, fingerprints))))
        total = moved = int(await self._run("replay", _MOVED_AT_ONCE, b""))
        while moved == _MOVED_AT_ONCE:
            moved = int(await self._run("replay", _MOVED_AT_ONCE, b""))
            total += moved
        return total

    async def next_ready(self) -> float | None:
        now, _, turn, deadline, *counts = await self._run("look")
        queued, leased, run_done = counts[0], counts[1], counts[5]
        bound = self.limits.max_pages
        if not queued or (bound is not None and run_done >= bound):
            return None
        instants = [float(at) for at in (turn, deadline) if at]
        if bound is not None and run_done + leased >= bound:
            instants = [float(deadline)] if deadline else []
        return self._local(min(instants), float(now)) if instants else None

    async def stats(self) -> Stats:
        _, hosts, _, _, queued, leased, done, dead, refused, *_ = await self._run("look")
        return Stats(queued, leased, done, dead, hosts, refused)

    async def host_stats(self, limit: int = 100) -> list[HostStats]:
        """Passes over all hosts, in portions, and holds no more of them than it tells: for people, not for a crawl."""

        def longest(found: dict[bytes, bytes]) -> dict[bytes, bytes]:
            return dict(nsmallest(limit, filter(_is_busy, found.items()), key=_by_queue))

        kept = await self._server.scan_hash(self._prefix + b"hosts", longest)
        return [self._host_stats(name.decode("utf-8", "surrogatepass"), value) for name, value in kept.items()]

    def _host_stats(self, name: str, value: bytes) -> HostStats:
        high, low, _, active, asked, ended, backoff, *_ = _HOST.unpack(value)
        delay = max(self.politeness.rule(name).delay, asked)
        return HostStats(name, (high << 32) | low, active, delay, max(ended + delay, backoff))

    async def drained(self) -> bool:
        *_, queued, leased, _, _, _, run_done, _, _, _ = await self._run("look")
        bound = self.limits.max_pages
        return not (queued or leased) or (bound is not None and run_done >= bound)

    @property
    def outages(self) -> int:
        return self._server.outages

    async def close(self) -> None:
        await self._server.close()

    # -- the server ------------------------------------------------------------------------------------------------

    async def _run(self, name: str, *arguments: bytes | float | str, patience: float | None = None) -> Any:
        now = b"" if self._clock is None else repr(self._clock()).encode()
        return await self._server.run(
            load_script(__name__, name), self._prefix + b"tally", now, *arguments, patience=patience
        )

    def _packed(self, entries: Sequence[Entry]) -> bytes:
        return packing.pack_entries(entries, self.politeness, self.limits.family_budget)

    def _from_now(self, instant: float) -> float:
        return instant - (self._clock or time.time)()

    def _local(self, instant: float, now: float) -> float:
        """An instant of the server's time, whose present is `now`, in this machine's time."""
        return instant if self._clock is not None else instant - now + time.time()


def _is_busy(host: tuple[bytes, bytes]) -> bool:
    high, low, _, active, *_ = _HOST.unpack(host[1])
    return bool(high or low or active)


def _by_queue(host: tuple[bytes, bytes]) -> tuple[int, bytes]:
    high, low, *_ = _HOST.unpack(host[1])
    return -((high << 32) | low), host[0]
