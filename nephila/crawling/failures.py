"""Failures: what went wrong with a page, told to the frontier, with when to try again. Knows causes and retries."""

from __future__ import annotations

import logging

from nephila.crawling.blame import Deaths
from nephila.crawling.segments import Segments
from nephila.crawling.settling import Settling
from nephila.fetch.client import Answer
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.leases import LeaseKeeper
from nephila.fetch.retries import RetryPolicy
from nephila.frontier.base import Lease, Visit
from nephila.job import Job
from nephila.telemetry import Counters, Metric

logger = logging.getLogger(__name__)


class Failures:
    def __init__(
        self,
        job: Job,
        keeper: LeaseKeeper,
        segments: Segments,
        counters: Counters,
        settling: Settling,
        deaths: Deaths,
    ) -> None:
        self._limits = job.limits
        self._keeper = keeper
        self._segments = segments
        self._counters = counters
        self._settling = settling
        self._deaths = deaths
        self._retries = RetryPolicy(job.limits, keeper.frontier)

    async def failed(self, lease: Lease, error: BaseException) -> None:
        if not isinstance(error, FetchError):
            logger.error("fetching %s failed unexpectedly", lease.url, exc_info=error)
            error = FetchError(Cause.INTERNAL, f"{type(error).__name__}: {error}")
        if error.cause is Cause.LEASE_LOST:
            self._counters.add(Metric.LEASES_LOST)
            self._keeper.forget(lease)
        elif error.cause is Cause.ROBOTS:
            self._counters.add(Metric.ROBOTS_DENIED)
            self._segments.settle(Visit(lease, counted=False, novel=False))
        elif guessed(lease):
            self._settling.uncounted(lease)
        else:
            retry_at = await self._retries.after_error(lease, error)
            await self._fail(lease, str(error.cause), f"{error.cause}: {error}", retry_at)
            if error.cause is Cause.CRASH:
                await self._deaths.forget(lease.fingerprint)

    async def refused(self, lease: Lease, answer: Answer) -> None:
        cause = f"HTTP {answer.status}"
        retry_at = await self._retries.after_status(lease, answer.status, answer.headers.get("retry-after"))
        await self._fail(lease, cause, cause, retry_at)

    async def _fail(self, lease: Lease, cause: str, reason: str, retry_at: float | None) -> None:
        last = retry_at is None or lease.attempt >= self._limits.max_attempts
        if last:
            self._counters.error(cause, lease.url)
        else:
            self._counters.add(Metric.RETRIES)
        await self._keeper.fail(lease, reason[:500], retry_at)


def guessed(lease: Lease) -> bool:
    """Nobody named this address: it is the usual place of something."""
    return bool(lease.meta and lease.meta.get("guessed"))
