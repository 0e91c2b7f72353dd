"""When a URL is tried again: the back-off clock, and Retry-After, which the whole host is left alone for."""

from __future__ import annotations

import random
import time
from datetime import UTC
from email.utils import parsedate_to_datetime

from nephila.fetch.errors import FetchError
from nephila.frontier.base import Frontier, Lease
from nephila.job import LimitRules

_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
_MAX_RETRY_AFTER = 600.0
"""Who asks for more patience than this is not waited for: the URL is given up, and can be replayed."""
_MAX_BACK_OFF = 60.0


class RetryPolicy:
    def __init__(self, limits: LimitRules, frontier: Frontier) -> None:
        self._base = limits.retry_base
        self._frontier = frontier

    async def after_error(self, lease: Lease, error: FetchError) -> float | None:
        """When to try again, None for never."""
        if not error.may_pass:
            return None
        if error.retry_at is not None:
            await self._frontier.slow_down(lease.host, until=error.retry_at)
            return error.retry_at
        return self._later(lease.attempt)

    async def after_status(self, lease: Lease, status: int, retry_after: str | None) -> float | None:
        if status not in _TRANSIENT:
            return None
        wait = _seconds(retry_after)
        if wait is not None and wait > _MAX_RETRY_AFTER:
            return None
        if wait is not None or status in (429, 503):
            until = time.time() + (wait if wait is not None else self._pause(lease.attempt))
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
        date = parsedate_to_datetime(text)
        date = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
        return max(0.0, date.timestamp() - time.time())
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
