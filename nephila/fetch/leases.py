"""The worker's side of the frontier: claims ahead, renews, tells when requests are over, gives back at the end.

One pump (`LeaseKeeper.leases`) does all the routine traffic with the frontier in turn, so that a batch of finished
requests, of found links and of new claims each cost one call. Knows the frontier's contract, nothing of Scrapy.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import TypeVar

from nephila.errors import NephilaError
from nephila.frontier.base import Entry, Forgetful, Frontier, Lease, Visit

logger = logging.getLogger(__name__)

T = TypeVar("T")

_MIN_TURN = 0.01
"""Seconds between two turns of the pump: what ends meanwhile shares one call."""
_MAX_WAIT = 0.25
"""Longest sleep with nothing to claim: other workers may have added links meanwhile, and nobody wakes us for those."""
_FENCE_PAUSE = 0.05
_MAX_PAUSE = 5.0
"""Longest pause before a frontier that failed is asked again."""


class LeaseKeeper:
    def __init__(
        self,
        frontier: Frontier,
        worker: str,
        *,
        concurrency: int,
        lease_seconds: float,
        max_unsettled: int = 4000,
        fence: Callable[[], bool] = lambda: True,
    ) -> None:
        """`fence`: whether this worker is a member of its cluster for certain; while it is not, no host is asked."""
        self.frontier = frontier
        self.worker = worker
        self._fence = fence
        self._abandoned = False
        self._forgetful = frontier if isinstance(frontier, Forgetful) else None
        self._outages = 0
        self._links: dict[int, list[Entry]] = {}
        """Of a forgetful frontier: links by the lease of their page, to be told again with its ack."""
        self.crowded: Callable[[], bool] = lambda: False
        """Whether so much waits to be written that nothing more should be fetched."""
        self.on_outage: list[Callable[[], None]] = []
        """Called when the frontier may have forgotten what it was told last."""
        self._good_until: dict[int, float] = {}
        """By our monotonic clock, from before the frontier was asked: no other clock has to agree with ours."""
        self.resize(concurrency)
        self._lease_seconds = lease_seconds
        self._max_unsettled = max_unsettled
        self._held: dict[int, Lease] = {}
        self._under_way: set[int] = set()
        self._over: list[Lease] = []
        self._unasked: list[Lease] = []
        self._found: list[Entry] = []
        self._wake = asyncio.Event()
        self._draining = asyncio.Event()
        self._claiming = asyncio.Lock()
        """Held while a claim is under way: nothing may be claimed once all was given back."""
        self._renewing: asyncio.Task[None] | None = None

    # -- what the rest of the worker calls -------------------------------------------------------------------------

    def resize(self, concurrency: int, *, ahead: bool = True) -> None:
        """Requests in flight from now on; `ahead`: a few more are claimed, so that the next is there at once."""
        self._capacity = concurrency + (max(2, concurrency // 4) if ahead else 0)
        self._low_water = max(1, concurrency // 4)

    @property
    def under_way(self) -> int:
        """Requests queued or in flight."""
        return len(self._under_way)

    @property
    def wants_more(self) -> bool:
        """Whether its share, and not the hosts' delays, is what holds it up."""
        return not self._has_room

    def may_ask(self, lease: Lease) -> bool:
        """Whether nobody else can have been given this URL, or its host's turn, meanwhile.

        Asked right before the request goes out: a process that was stopped, or cut off, for longer than its lease must
        not ask a host that another worker is asking by now.
        """
        return not self._abandoned and time.monotonic() < self._good_until.get(lease.token, 0.0) and self._fence()

    async def cleared(self, lease: Lease) -> bool:
        """Waits while the fence is closed; False when the lease is gone by then."""
        while not self.may_ask(lease):
            if self._abandoned or time.monotonic() >= self._good_until.get(lease.token, 0.0):
                return False
            await asyncio.sleep(_FENCE_PAUSE)
        return True

    def forget(self, lease: Lease) -> None:
        """The lease is another's by now: nothing is told of it."""
        self._settled([lease])

    def abandon(self) -> None:
        """Another worker may have everything that we hold: no request goes out any more, no failure is told."""
        self._abandoned = True
        self.drain()

    @property
    def starving(self) -> bool:
        """No request is queued or in flight: whatever waits for a commit should not wait longer."""
        return not self._under_way

    async def next_ready(self) -> float | None:
        """When the frontier may have something to fetch, links that were just found included; None: nothing."""
        return time.time() if self._found else await self.frontier.next_ready()

    def holds(self, lease: Lease) -> bool:
        return lease.token in self._held

    def request_over(self, lease: Lease, *, asked: bool = True) -> None:
        """The server has answered, or failed to: its host may be asked again after its delay; if not `asked`, at once.

        Only the first word on a lease counts.
        """
        if lease.token in self._under_way:
            self._under_way.discard(lease.token)
            (self._over if asked else self._unasked).append(lease)
            self._nudge()

    def found(self, entries: Sequence[Entry], lease: Lease | None = None) -> None:
        """Links for the frontier; pushed with the next turn, before the page they stood on (`lease`) is acked."""
        self._found.extend(entries)
        if self._forgetful is not None and lease is not None:
            self._links.setdefault(lease.token, []).extend(entries)
        self._nudge()

    async def complete(self, visits: Sequence[Visit]) -> set[int]:
        """Acks, with the links found so far; returns the tokens that were still valid."""
        accepted = await self._patiently(lambda: self._complete(visits))
        self._settled([visit.lease for visit in visits])
        return accepted

    async def fail(self, lease: Lease, reason: str, retry_at: float | None) -> bool:
        if self._abandoned:
            return False
        valid = await self._patiently(lambda: self.frontier.fail(lease, reason, retry_at))
        self._settled([lease])
        return valid

    def drain(self) -> None:
        """No more claims; the pump ends."""
        self._draining.set()
        self._wake.set()

    async def give_back(self) -> None:
        """Everything still held goes back to the queue, what a last claim brings included; the end of the keeper."""
        self.drain()
        if self._renewing is not None:
            self._renewing.cancel()
        try:
            await self._exchange()
        finally:
            self._held.clear()
            self._good_until.clear()
            self._under_way.clear()
            async with self._claiming:
                await self.frontier.release(self.worker)

    # -- the pump --------------------------------------------------------------------------------------------------

    async def leases(self, busy: Callable[[], bool] = lambda: False) -> AsyncGenerator[Lease, None]:
        """Leases to fetch, as hosts and room allow, until the frontier is drained or `drain` was called.

        While `busy` says that links may still come from elsewhere, a drained frontier is not the end. What is held when
        this ends is renewed until `give_back`.
        """
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew_forever())
        while not self._draining.is_set():
            self._wake.clear()
            turn = time.monotonic()
            claimed = await self._patiently(self._turn)
            for lease in claimed:
                if self._draining.is_set():  # claimed, but not begun: given back
                    return
                yield lease
            if not claimed and await self._is_over(busy):
                return
            await self._rest(turn, busy=bool(claimed))

    async def _turn(self) -> list[Lease]:
        await self._exchange()
        return await self._claim()

    async def _patiently(self, act: Callable[[], Awaitable[T]]) -> T:
        """What the frontier fails to do is asked again, for as long as our leases can last there."""
        began, pause = time.monotonic(), 0.1
        while True:
            try:
                result = await act()
                self._heed_outages()
                return result
            except (NephilaError, OSError) as error:  # anything else is a fault of ours, which no patience mends
                if self._draining.is_set() or time.monotonic() - began > self._lease_seconds:
                    raise
                logger.warning("the frontier cannot be used, trying again in %.1f s: %s", pause, error)
            await asyncio.sleep(pause)
            pause = min(_MAX_PAUSE, pause * 2)

    async def _is_over(self, busy: Callable[[], bool]) -> bool:
        if self._held or self._found or busy():
            return False
        try:
            # Asked last: whoever was busy a moment ago may have left links behind.
            return await self.frontier.drained() and not (self._held or self._found or busy())
        except (NephilaError, OSError) as error:
            logger.warning("the frontier cannot be asked whether it is drained: %s", error)
            return False

    async def _exchange(self) -> None:
        """What could not be told is kept, to be told with the next turn."""
        if self._over:
            over, self._over = self._over, []
            try:
                await self.frontier.fetched(over)
            except BaseException:
                self._over = over + self._over
                raise
        await self._tell_unasked()
        if self._found:
            await self._with_found(self.frontier.add)

    async def _tell_unasked(self) -> None:
        """Before such a lease is settled, which would start its host's clock."""
        if self._unasked:
            unasked, self._unasked = self._unasked, []
            try:
                await self.frontier.fetched(unasked, asked=False)
            except BaseException:
                self._unasked = unasked + self._unasked
                raise

    async def _complete(self, visits: Sequence[Visit]) -> set[int]:
        await self._tell_unasked()
        again = [entry for visit in visits for entry in self._links.get(visit.lease.token, ())]
        return await self._with_found(lambda found: self.frontier.complete(visits, [*again, *found]))

    def _heed_outages(self) -> None:
        if self._forgetful is not None and self._forgetful.outages != self._outages:
            self._outages = self._forgetful.outages
            for forget in self.on_outage:
                forget()

    async def _with_found(self, push: Callable[[Sequence[Entry]], Awaitable[T]]) -> T:
        """Hands the links found so far on; they are ours again when that fails."""
        found, self._found = self._found, []
        try:
            return await push(found)
        except BaseException:
            self._found = found + self._found
            raise

    async def _claim(self) -> list[Lease]:
        room = min(self._capacity - len(self._under_way), self._max_unsettled - len(self._held))
        if room < self._low_water or not self._fence() or self.crowded():
            return []
        async with self._claiming:
            if self._draining.is_set():
                return []
            asked = time.monotonic()
            claimed = await self.frontier.claim(self.worker, room)
        for lease in claimed:
            self._held[lease.token] = lease
            self._good_until[lease.token] = asked + self._lease_seconds
            self._under_way.add(lease.token)
        return claimed

    async def _rest(self, turn: float, *, busy: bool) -> None:
        if busy or not self._has_room:
            wait = _MAX_WAIT
        else:
            wait = await self._until_ready()
        try:
            async with asyncio.timeout(wait):
                await self._wake.wait()
        except TimeoutError:
            return
        since = time.monotonic() - turn
        if since < _MIN_TURN:
            await asyncio.sleep(_MIN_TURN - since)

    async def _until_ready(self) -> float:
        try:
            ready = await self.frontier.next_ready()
        except (NephilaError, OSError):  # the next turn tells of it
            return _MAX_WAIT
        return _MAX_WAIT if ready is None else min(_MAX_WAIT, max(_MIN_TURN, ready - time.time()))

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(self._lease_seconds / 3)
            try:
                await self._renew()
            except Exception:
                logger.warning("leases could not be renewed, trying again", exc_info=True)

    async def _renew(self) -> None:
        asked = list(self._held.values())
        if not asked:
            return
        began = time.monotonic()
        kept = {lease.token: lease for lease in await self.frontier.renew(asked)}
        lost = [lease for lease in asked if lease.token not in kept and lease.token in self._held]
        for token, lease in kept.items():
            if token in self._held:
                self._held[token] = lease
                self._good_until[token] = began + self._lease_seconds
        for lease in lost:
            logger.warning("lost the lease on %s: this worker was too slow, another one fetches it", lease.url)
        self._settled(lost)

    def _settled(self, leases: Sequence[Lease]) -> None:
        for lease in leases:
            self._held.pop(lease.token, None)
            self._good_until.pop(lease.token, None)
            self._links.pop(lease.token, None)
            self._under_way.discard(lease.token)
        self._nudge()

    @property
    def _has_room(self) -> bool:
        return self._capacity - len(self._under_way) >= self._low_water

    def _nudge(self) -> None:
        """Wakes the pump where it could claim; as long as enough is under way, more that ends shares its next turn."""
        if self._has_room:
            self._wake.set()
