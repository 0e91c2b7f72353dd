"""The worker's side of the frontier: claims ahead, renews, tells when requests are over, gives back at the end.

One pump (`LeaseKeeper.leases`) does all the routine traffic with the frontier in turn, so that a batch of finished
requests, of found links and of new claims each cost one call. Knows the frontier's contract, nothing of Scrapy.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence

from nephila.frontier.base import Entry, Frontier, Lease, Visit

logger = logging.getLogger(__name__)

_MIN_TURN = 0.01
"""Seconds between two turns of the pump: what ends meanwhile shares one call."""
_MAX_WAIT = 0.25
"""Longest sleep with nothing to claim: other workers may have added links meanwhile, and nobody wakes us for those."""


class LeaseKeeper:
    def __init__(
        self, frontier: Frontier, worker: str, *, concurrency: int, lease_seconds: float, max_unsettled: int = 4000
    ) -> None:
        self.frontier = frontier
        self.worker = worker
        # A few more than can be in flight, so that the downloader finds the next request at once.
        self._capacity = concurrency + max(2, concurrency // 4)
        self._low_water = max(1, concurrency // 4)
        self._lease_seconds = lease_seconds
        self._max_unsettled = max_unsettled
        self._held: dict[int, Lease] = {}
        self._under_way: set[int] = set()
        self._over: list[Lease] = []
        self._found: list[Entry] = []
        self._wake = asyncio.Event()
        self._draining = False

    # -- what the rest of the worker calls -------------------------------------------------------------------------

    @property
    def starving(self) -> bool:
        """No request is queued or in flight: whatever waits for a commit should not wait longer."""
        return not self._under_way

    def holds(self, lease: Lease) -> bool:
        return lease.token in self._held

    def request_over(self, lease: Lease) -> None:
        """The server has answered, or failed to: its host may be asked again after its delay."""
        if lease.token in self._under_way:
            self._under_way.discard(lease.token)
            self._over.append(lease)
            self._wake.set()

    def found(self, entries: Sequence[Entry]) -> None:
        """Links for the frontier; pushed with the next turn, before the page they stood on is acked."""
        self._found.extend(entries)
        self._wake.set()

    async def complete(self, visits: Sequence[Visit]) -> set[int]:
        found, self._found = self._found, []
        accepted = await self.frontier.complete(visits, found)
        self._settled([visit.lease for visit in visits])
        return accepted

    async def fail(self, lease: Lease, reason: str, retry_at: float | None) -> bool:
        valid = await self.frontier.fail(lease, reason, retry_at)
        self._settled([lease])
        return valid

    def drain(self) -> None:
        """No more claims; the pump ends."""
        self._draining = True
        self._wake.set()

    async def give_back(self) -> None:
        """Everything still held goes back to the queue."""
        await self._exchange()
        self._held.clear()
        self._under_way.clear()
        await self.frontier.release(self.worker)

    # -- the pump --------------------------------------------------------------------------------------------------

    async def leases(self) -> AsyncIterator[Lease]:
        """Leases to fetch, as hosts and room allow, until the frontier is drained or `drain` was called."""
        renewing = asyncio.create_task(self._renew_forever())
        try:
            while not self._draining:
                self._wake.clear()
                turn = time.monotonic()
                await self._exchange()
                claimed = await self._claim()
                for lease in claimed:
                    yield lease
                if not claimed and not self._held and await self.frontier.drained():
                    return
                await self._rest(turn, busy=bool(claimed))
        finally:
            renewing.cancel()

    async def _exchange(self) -> None:
        if self._over:
            over, self._over = self._over, []
            await self.frontier.fetched(over)
        if self._found:
            found, self._found = self._found, []
            await self.frontier.add(found)

    async def _claim(self) -> list[Lease]:
        room = min(self._capacity - len(self._under_way), self._max_unsettled - len(self._held))
        if room < self._low_water:
            return []
        claimed = await self.frontier.claim(self.worker, room)
        for lease in claimed:
            self._held[lease.token] = lease
            self._under_way.add(lease.token)
        return claimed

    async def _rest(self, turn: float, *, busy: bool) -> None:
        if busy or self._capacity - len(self._under_way) < self._low_water:
            wait = _MAX_WAIT
        else:
            ready = await self.frontier.next_ready()
            wait = _MAX_WAIT if ready is None else min(_MAX_WAIT, max(_MIN_TURN, ready - time.time()))
        try:
            await asyncio.wait_for(self._wake.wait(), wait)
        except TimeoutError:
            return
        since = time.monotonic() - turn
        if since < _MIN_TURN:
            await asyncio.sleep(_MIN_TURN - since)

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(self._lease_seconds / 3)
            try:
                await self._renew()
            except Exception:
                logger.warning("leases could not be renewed, trying again", exc_info=True)

    async def _renew(self) -> None:
        asked = list(self._held.values())
        kept = {lease.token: lease for lease in await self.frontier.renew(asked)}
        lost = [lease for lease in asked if lease.token not in kept and lease.token in self._held]
        for token, lease in kept.items():
            if token in self._held:
                self._held[token] = lease
        for lease in lost:
            logger.warning("lost the lease on %s: this worker was too slow, another one fetches it", lease.url)
        self._settled(lost)

    def _settled(self, leases: Sequence[Lease]) -> None:
        for lease in leases:
            self._held.pop(lease.token, None)
            self._under_way.discard(lease.token)
        self._wake.set()
