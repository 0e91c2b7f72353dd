"""Segments: finished visits wait here, are committed to every sink together, and only then acked.

Between an answer and its ack this is the one place where a record can be lost or doubled; it knows sinks and leases,
nothing of pages.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from nephila.crawling.inspection import Inspection
from nephila.errors import NephilaError, SinkError
from nephila.fetch.leases import LeaseKeeper
from nephila.frontier.base import Visit
from nephila.quality import Evidence
from nephila.sinks import Delivery, Sink, wants_pages
from nephila.telemetry import Counters, Metric
from nephila.telemetry.tracing import span

logger = logging.getLogger(__name__)

_SEGMENT_PAGES = 512
_SEGMENT_BYTES = 32 * 2**20
_MOST_WAITING = 2 * _SEGMENT_BYTES
"""Bytes that may wait while a commit takes its time: then no page more is fetched. The keeper bounds their number."""
_SEGMENT_SECONDS = 1.0
_TICK = 0.05


class Segments:
    def __init__(
        self,
        keeper: LeaseKeeper,
        sinks: Sequence[Sink],
        counters: Counters,
        inspection: Inspection | None = None,
        aside: Sink | None = None,
    ) -> None:
        self._keeper = keeper
        keeper.crowded = lambda: self._bytes >= _MOST_WAITING
        self._sinks = sinks
        self._inspection = inspection
        self._aside = aside
        self.wants_pages = any(map(wants_pages, sinks))
        """Whether a delivery should carry its page."""
        self._counters = counters
        self._visits: list[Visit] = []
        self._deliveries: list[Delivery] = []
        self._bytes = 0
        self._since = 0.0
        self._turn = asyncio.Lock()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="sinks")
        self.broken: NephilaError | None = None
        """Set when an output cannot be written any more: the worker has to stop; nothing unwritten was acked."""

    def settle(self, visit: Visit, delivery: Delivery | None = None, size: int = 256) -> None:
        """The visit is acked with the next segment; `size`: about the bytes that it holds in memory till then."""
        self._begin()
        self._visits.append(visit)
        if delivery is not None:
            self._deliveries.append(delivery)
        self._bytes += size

    def tell(self, key: int, evidence: Evidence) -> None:
        """What is known of the records of a delivery that is about to come, for the checks."""
        if self._inspection is not None:
            self._inspection.tell(key, evidence)

    def deliver(self, delivery: Delivery) -> None:
        """For a page whose visit was acked before, or comes after it: it is committed with the next segment."""
        self._begin()
        self._deliveries.append(delivery)

    def _begin(self) -> None:
        if not self._visits and not self._deliveries:
            self._since = time.monotonic()

    def _due(self) -> bool:
        if not self._visits and not self._deliveries:
            return False
        return (
            self._keeper.starving
            or len(self._visits) >= _SEGMENT_PAGES
            or self._bytes >= _SEGMENT_BYTES
            or time.monotonic() - self._since >= _SEGMENT_SECONDS
        )

    async def flush_forever(self) -> None:
        while self.broken is None:
            await asyncio.sleep(_TICK)
            if self._due():
                await self.flush()

    async def flush(self) -> None:
        """Commits what is pending to every sink, then acks it. On a sink's error nothing of it is acked."""
        # Shielded: a flush that has begun is finished, even if the task that waits for it is cancelled.
        await asyncio.shield(asyncio.create_task(self._flush()))

    async def _flush(self) -> None:
        async with self._turn:
            visits, deliveries = self._visits, self._deliveries
            self._visits, self._deliveries, self._bytes = [], [], 0
            try:
                if deliveries:
                    with span("nephila.commit", {"deliveries": len(deliveries)}):
                        await self._deliver(deliveries)
                if visits:
                    await self._keeper.complete(visits)
            except NephilaError as error:
                self._break(error)
            except Exception as error:
                logger.exception("a segment could not be committed")
                self._break(SinkError(f"a segment could not be committed ({type(error).__name__}: {error})"))

    def _break(self, error: NephilaError) -> None:
        self.broken = error
        self._keeper.drain()

    async def _deliver(self, deliveries: Sequence[Delivery]) -> None:
        began = time.monotonic()
        aside: Sequence[Delivery] = ()
        if self._inspection is not None:
            deliveries, aside = await self._inspection.inspect(deliveries)
        written = await asyncio.get_running_loop().run_in_executor(self._writer, self._commit, deliveries, aside)
        self._counters.observe(Metric.COMMIT_SECONDS, time.monotonic() - began)
        self._counters.add(Metric.RECORDS, sum(len(delivery.records) for delivery in deliveries[:written]))
        self._counters.add(Metric.DUPLICATES, len(deliveries) - written)

    def _commit(self, deliveries: Sequence[Delivery], aside: Sequence[Delivery]) -> int:
        """Deliveries that were new to an output; those known to all of them were written before a crash."""
        if aside and self._aside is not None:  # first: once the outputs know a delivery, it is not judged again
            self._aside.commit(aside)
        return max([sink.commit(deliveries) for sink in self._sinks], default=0)

    async def finish(self) -> None:
        async with self._turn:
            pass  # waits for a flush whose own task was cancelled
        while (self._visits or self._deliveries) and self.broken is None:
            await self.flush()
        self._writer.shutdown()
