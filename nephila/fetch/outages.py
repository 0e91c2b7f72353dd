"""Hosts that do not answer: how long each is left alone, and when it is given up for a while.

A host with a thousand queued URLs must not make a crawl wait for a thousand time-outs. Its first failures in a row make
pauses that double; when it has been silent for two minutes over several of them, it is down: what is queued for it is
given up without being asked for (dead letters, which can be replayed), and after ten minutes it may show that it is
back. Any answer ends an outage. The rule is each worker's own; it knows hosts, causes and a clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from nephila.fetch.errors import Cause

SILENCE = frozenset(
    {
        Cause.REFUSED,
        Cause.UNREACHABLE,
        Cause.DNS,
        Cause.TLS,
        Cause.TIMEOUT,
        Cause.STALLED,
        Cause.RESET,
        Cause.PROXY,
        Cause.ROBOTS_UNREACHABLE,
        Cause.SERVER_BUSY,
    }
)
"""Causes that tell of a host rather than of a page."""
_MAX_PAUSE = 60.0
_PATIENCE = 120.0
_STRIKES = 5
_DOWN = 600.0
_ROOM = 100_000


@dataclass(slots=True)
class _Outage:
    since: float
    cause: Cause
    strikes: int = 0
    until: float = 0.0
    """Failures before this belong to the last strike: their requests were under way together."""
    down_until: float = 0.0


class Outages:
    def __init__(self, base: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        """`base`: seconds of the first pause; the other times grow with it."""
        self._base = base
        self._clock = clock
        self._hosts: dict[str, _Outage] = {}

    def answered(self, host: str) -> None:
        if self._hosts:
            self._hosts.pop(host, None)

    def failed(self, host: str, cause: Cause) -> float | None:
        """Counts a failure; returns for how many seconds the host should be left alone, if it should."""
        now = self._clock()
        outage = self._hosts.get(host)
        if outage is None:
            outage = self._hosts[host] = _Outage(now, cause)
            self._forget_oldest()
        if now < outage.until:
            return None
        outage.strikes += 1
        outage.cause = cause
        if outage.strikes >= _STRIKES and now - outage.since >= _PATIENCE * self._base:
            outage.down_until = now + _DOWN * self._base
            return None
        pause = min(_MAX_PAUSE, self._base * 2.0 ** max(0, outage.strikes - 2))
        outage.until = now + pause
        return pause if outage.strikes > 1 else None  # the first may be the page's own fault

    def down(self, host: str) -> Cause | None:
        """Why the host is given up at present, None if it is not."""
        outage = self._hosts.get(host) if self._hosts else None
        return outage.cause if outage is not None and self._clock() < outage.down_until else None

    def _forget_oldest(self) -> None:
        if len(self._hosts) > _ROOM:
            for host in list(self._hosts)[: _ROOM // 2]:
                del self._hosts[host]
