"""The frontier's contract: which URL next. Backends implement `Frontier`; every one passes tests/frontier/conformance.

Entries go in, leases come out. A lease is the right to fetch one URL until a deadline, with a fencing token: who lost
the lease cannot complete it. Politeness is decided at claim time for every host, across all workers, with two clocks a
host: the crawl delay (counted from the *end* of the last request, so that no jitter on the way can bring two requests
closer than the delay) and the back-off (Retry-After, errors). This module knows no backend and no other room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

MAX_PRIORITY = 100
_DATE_BITS = 33
_DATE_MAX = (1 << _DATE_BITS) - 1


def rank(priority: int, modified: float | None) -> int:
    """Order in a host's queue, lowest first: higher priority, then newest date; fits a double exactly (41 bits).

    Entries of equal rank come out in the order they went in.
    """
    priority = max(-MAX_PRIORITY, min(MAX_PRIORITY, priority))
    seconds = 0 if modified is None else max(0, min(_DATE_MAX, int(modified)))
    return ((MAX_PRIORITY - priority) << _DATE_BITS) | (_DATE_MAX - seconds)


@dataclass(frozen=True, slots=True)
class Entry:
    """A URL to be fetched. `url` is canonical; `fingerprint` is its 64-bit identity (signed, as SQLite and JSON like)."""

    url: str
    fingerprint: int
    host: str
    """`name` or `name:port`: the unit of politeness."""
    depth: int = 0
    priority: int = 0
    """-100 to 100; higher goes first."""
    modified: float | None = None
    """Newest known date of the page (sitemap, feed, list page), seconds since the epoch."""
    family: int | None = None
    """64-bit hash of the URL's shape (digits and query values left out): the unit of the trap budget."""
    meta: Mapping[str, Any] | None = None
    """Small JSON-able facts that travel with the URL (redirected from, kind of source, ...)."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to fetch `url` until `deadline`."""

    url: str
    fingerprint: int
    host: str
    token: int
    """Fencing token: grows with every claim of the frontier; only the newest for a URL is valid."""
    worker: str
    deadline: float
    attempt: int
    """1 for the first try."""
    visit: int
    """0 for the first fetch of this URL in the life of the frontier, 1 for the first recrawl, ..."""
    depth: int = 0
    priority: int = 0
    modified: float | None = None
    family: int | None = None
    meta: Mapping[str, Any] | None = None
    etag: str | None = None
    last_modified: str | None = None
    digest: int | None = None
    """Content digest of the last visit, None on the first."""


@dataclass(frozen=True, slots=True)
class Visit:
    """How a lease ended well; feeds the conditional request and the recrawl interval of the next visit."""

    lease: Lease
    changed: bool = True
    """False when the server said 304 or the content digest is the one of the last visit."""
    novel: bool = True
    """Whether the page brought something that its URL family had not shown before; earns the family more fetches."""
    etag: str | None = None
    last_modified: str | None = None
    digest: int | None = None


@dataclass(frozen=True, slots=True)
class HostRule:
    """The job's politeness for a host; robots.txt may only make it slower."""

    delay: float = 0.0
    """Seconds between the end of one request and the start of the next; above 0, one request at a time."""
    parallel: int = 8
    """Requests in flight at once when there is no delay."""


@dataclass(frozen=True, slots=True)
class Politeness:
    """Default rule and per-host overrides (exact host names)."""

    default: HostRule = HostRule()
    hosts: Mapping[str, HostRule] = field(default_factory=dict)

    def rule(self, host: str) -> HostRule:
        return self.hosts.get(host, self.default)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that the frontier keeps across all workers."""

    max_pages: int | None = None
    """Claims stop when completed visits of this run plus leases under way reach this."""
    max_attempts: int = 4
    lease_seconds: float = 120.0
    family_budget: int | None = 500
    """URLs of one family that are queued before it has shown anything; every novel page earns two more. None: no bound."""
    recrawl_min: float = 3600.0
    recrawl_max: float = 90 * 86400.0
    recrawl_start: float = 86400.0


@dataclass(frozen=True, slots=True)
class HostStats:
    host: str
    queued: int
    active: int
    """Requests in flight."""
    delay: float
    ready_at: float
    """When the next request is allowed; both clocks."""


@dataclass(frozen=True, slots=True)
class Stats:
    queued: int
    """Waiting to be claimed, those set back for a retry included."""
    leased: int
    done: int
    """Completed visits."""
    dead: int
    hosts: int
    refused: int = 0
    """Entries that the family budget kept out."""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A URL that was given up, for people to read and replay."""

    url: str
    fingerprint: int
    host: str
    reason: str
    attempts: int
    died_at: float


@runtime_checkable
class Frontier(Protocol):
    """Batch calls, all of them; every one is atomic and safe to repeat."""

    async def add(self, entries: Sequence[Entry]) -> int:
        """Dedupes and queues in one step; returns how many were new. A known URL that is still queued takes the better rank."""
        ...

    async def claim(self, worker: str, n: int) -> list[Lease]:
        """Up to `n` leases on URLs whose hosts may be asked now. Takes back expired leases first. Fair across hosts."""
        ...

    async def fetched(self, leases: Sequence[Lease]) -> None:
        """The requests of these leases are over: frees their connections and starts their hosts' delay clocks.

        Called once for a lease before `complete` or `fail`; those imply it where it was not called.
        """
        ...

    async def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        """Pushes the deadlines out; returns the leases still held (a stale one cannot be revived)."""
        ...

    async def complete(self, visits: Sequence[Visit], found: Sequence[Entry]) -> set[int]:
        """Adds `found` and acks the visits in one step; returns the tokens that were still valid."""
        ...

    async def fail(self, lease: Lease, reason: str, retry_at: float | None) -> bool:
        """Back to the queue not before `retry_at`, or, with None or after the last attempt, to the dead letters.

        Returns whether the lease was still valid.
        """
        ...

    async def release(self, worker: str) -> int:
        """Gives all leases of a worker back to the queue at once, without counting an attempt."""
        ...

    async def slow_down(
        self, host: str, *, delay: float | None = None, until: float | None = None
    ) -> None:
        """What the host asked for: a crawl delay (robots.txt), or not to be asked before `until` (Retry-After, back-off)."""
        ...

    async def recrawl(self, due_before: float) -> int:
        """Queues completed URLs again whose adaptive recrawl date is at or before `due_before`; returns how many."""
        ...

    async def dead_letters(self, limit: int = 100, offset: int = 0) -> list[DeadLetter]: ...

    async def replay(self, fingerprints: Sequence[int] | None = None) -> int:
        """Queues dead letters again with fresh attempts (None: all of them)."""
        ...

    async def next_ready(self) -> float | None:
        """When a claim could next succeed (a queued URL whose host and retry date allow it); None when nothing is queued."""
        ...

    async def stats(self) -> Stats: ...

    async def host_stats(self, limit: int = 100) -> list[HostStats]:
        """The hosts with the longest queues."""
        ...

    async def drained(self) -> bool:
        """True when no URL is queued, set back, or under a lease, or when `max_pages` are completed: nothing is left to do."""
        ...

    async def close(self) -> None: ...
