"""When a URL is tried again, and when its host is left alone: the back-off clock, Retry-After, hosts that are down."""

from __future__ import annotations

import random
import time
from email.utils import parsedate_to_datetime

from nephila.fetch.errors import Cause, FetchError
from nephila.frontier.base import Frontier, Lease
from nephila.job import LimitRules

_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
_MAX_RETRY_AFTER = 3600.0
_MAX_BACK_OFF = 60.0
_HOST_CAUSES = frozenset({Cause.REFUSED, Cause.UNREACHABLE, Cause.DNS, Cause.TLS, Cause.TIMEOUT, Cause.STALLED})
_HOST_FAILURES = 3
"""Failures in a row before the host itself is suspected, and not the page."""
_HOST_DEAD = 12
"""Failures in a row after which pages of this host are not tried again and again."""


class RetryPolicy:
    def __init__(self, limits: LimitRules, frontier: Frontier) -> None:
        self._base = limits.retry_base
        self._frontier = frontier
        self._failures: dict[str, int] = {}

    def succeeded(self, host: str) -> None:
        self._failures.pop(host, None)

    async def after_error(self, lease: Lease, error: FetchError) -> float | None:
        """When to try again, None for never; tells the frontier to leave a failing host alone for a while."""
        if not error.may_pass:
            return None
        if error.retry_at is not None:
            await self._frontier.slow_down(lease.host, until=error.retry_at)
            return error.retry_at
        if error.cause in _HOST_CAUSES:
            failures = self._failures[lease.host] = self._failures.get(lease.host, 0) + 1
            if failures >= _HOST_FAILURES:
                pause = min(_MAX_BACK_OFF, self._base * 2 ** (failures - _HOST_FAILURES))
                await self._frontier.slow_down(lease.host, until=time.time() + pause)
            if failures >= _HOST_DEAD:
                return None
        return self._later(lease.attempt)

    async def after_status(self, lease: Lease, status: int, retry_after: str | None) -> float | None:
        if status not in _TRANSIENT:
            return None
        wait = _seconds(retry_after)
        if wait is not None or status in (429, 503):
            until = time.time() + (min(wait, _MAX_RETRY_AFTER) if wait is not None else self._pause(lease.attempt))
            await self._frontier.slow_down(lease.host, until=until)
            return until
        return self._later(lease.attempt)

    def _pause(self, attempt: int) -> float:
        return min(_MAX_BACK_OFF, self._base * 2.0 ** (attempt - 1))

    def _later(self, attempt: int) -> float:
        # Jitter keeps a batch that failed together from coming back together.
        return time.time() + self._pause(attempt) * random.uniform(0.75, 1.25)


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After as seconds from now: a number, or an HTTP date."""
    if not retry_after:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
