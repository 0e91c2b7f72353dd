"""The frontier's contract: which URL next. Backends implement `Frontier`; every one passes tests/frontier/conformance.

Entries go in, leases come out. A lease is the right to fetch one URL until a deadline, with a fencing token: who lost
the lease cannot complete it. Politeness is decided at claim time for every host, across all workers, with two clocks a
host: the crawl delay (counted from the *end* of the last request, so that no jitter on the way can bring two requests
closer than the delay) and the back-off (Retry-After, errors). This module knows no backend and no other room.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

MAX_PRIORITY = 100
FEW = 2
"""Requests in flight at a host that is hardly known (`HostRule.shy`)."""
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
    """A URL to be fetched. `url` is canonical; `fingerprint` is its 64-bit identity (signed, as SQLite likes it)."""

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
    """Fencing token: grows with every lease of the frontier, whoever claims; only the newest for a URL is valid."""
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
    """Content digest of the last visit (64 bits, signed), None on the first."""
    orphaned: bool = False
    """It was taken back from a worker, which may have died of it. Told by frontiers that machines share."""


@dataclass(frozen=True, slots=True)
class Visit:
    """How a lease ended well; feeds the conditional request and the recrawl interval of the next visit."""

    lease: Lease
    changed: bool = True
    """False when the server said 304 or the content digest is the one of the last visit."""
    counted: bool = True
    """Whether it counts towards `max_pages`: a page does, a redirect, sitemap or denial does not."""
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
    shy: int = 0
    """Requests that have to end before more than `FEW` may be in flight: what the first pages tell of a site decides
    which of its others are worth a fetch. At most 255."""


@dataclass(frozen=True, slots=True)
class Politeness:
    """Default rule and per-host overrides (exact host names)."""

    default: HostRule = HostRule()
    hosts: Mapping[str, HostRule] = field(default_factory=dict)

    def rule(self, host: str) -> HostRule:
        return self.hosts.get(host, self.default)

    def mark(self) -> int:
        """32 bits that differ between sets of rules: a shared frontier keeps with each host whose rule it has."""
        return zlib.crc32(repr((self.default, sorted(self.hosts.items()))).encode())


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that the frontier keeps across all workers."""

    max_pages: int | None = None
    """Claims stop when counted visits of this run plus leases under way reach this; a failure gives its place back.

    A run begins when the frontier is made, and again with every `recrawl` that queues something: a crawl that was
    stopped and resumed keeps to the bound that it began with.
    """
    max_attempts: int = 4
    lease_seconds: float = 120.0
    family_budget: int | None = 200
    """URLs of one family let in before it has shown anything; every novel visit earns two more. None: no bound.

    Those over the budget wait (`Stats.refused`): a trap never earns them, a long list of real pages does.
    """
    recrawl_min: float = 3600.0
    recrawl_max: float = 90 * 86400.0
    recrawl_start: float = 86400.0
    """Seconds from the first visit to the second; later intervals are shorter after a change, longer after none."""


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
    """Completed visits, recrawls included."""
    dead: int
    hosts: int
    """Hosts that the frontier has heard of."""
    refused: int = 0
    """URLs that wait for their family to earn them; nothing else keeps them: they are no reason to go on."""


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
class Forgetful(Protocol):
    """A frontier whose server may die and come back without the last second of what it had acknowledged.

    What it still knows is a prefix of what it was told, in order. So a page whose ack it knows has its links there too,
    if they were told first; but a page may be acked *after* an outage whose links were told *before* it. Whoever holds
    leases on such a frontier tells a page's links again together with its ack.
    """

    @property
    def outages(self) -> int:
        """Grows with every outage; whoever remembers what the frontier knows must forget it then."""
        ...


@runtime_checkable
class Frontier(Protocol):
    """Batch calls, all of them; every one is atomic and safe to repeat."""

    async def add(self, entries: Sequence[Entry]) -> int:
        """Dedupes and queues in one step; returns how many were new.

        A known URL that is still queued takes the better rank (priority and date of the better entry). An entry above
        its family's budget is refused and forgotten: it may come again when the family has earned more.
        """
        ...

    async def claim(self, worker: str, n: int) -> list[Lease]:
        """Up to `n` leases on URLs whose hosts may be asked now. Takes back expired leases first.

        Fair across hosts: one URL from each that is ready before a second from any, those that waited longest first.
        An expired lease has used up its attempt: it is queued again, or after the last attempt a dead letter with the
        reason `lease expired`.
        A host of which no request has ever ended (as `fetched`, `complete` or `fail` tell; an expiry or a release says
        nothing of it) gets one lease at a time: its robots.txt is read under that one, and may ask for a delay that
        the others have to keep. While fewer than `HostRule.shy` have ended there, it gets `FEW` at a time.
        """
        ...

    async def fetched(self, leases: Sequence[Lease], *, asked: bool = True) -> None:
        """The requests of these leases are over: frees their connections and starts their hosts' delay clocks.

        Not `asked`: no request was made (robots.txt forbids the page), so the clocks are left alone.

        Called once for a lease before `complete` or `fail`; those imply it where it was not called, and so do an
        expiry (when a claim notices it) and a `release`. A stale lease changes nothing.
        """
        ...

    async def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        """Pushes the deadlines out; returns the leases still held, with their new deadlines.

        A lease is held until it is completed, failed, released, or taken back by a claim after its deadline. Past the
        deadline and not yet taken back it can still be renewed or completed; a stale one cannot be revived.
        """
        ...

    async def complete(self, visits: Sequence[Visit], found: Sequence[Entry]) -> set[int]:
        """Acks the visits and adds `found` in one step; returns the tokens that were still valid.

        The links are added even where a visit was stale: they are true whoever found them.
        """
        ...

    async def fail(self, lease: Lease, reason: str, retry_at: float | None) -> bool:
        """Back to the queue not before `retry_at`, or, with None or after the last attempt, to the dead letters.

        Returns whether the lease was still valid.
        """
        ...

    async def release(self, worker: str, *, dead: bool = False) -> int:
        """Gives all leases of a worker back to the queue at once, without counting an attempt.

        `dead`: it did not do so itself; the next leases of these URLs are `orphaned`, as after an expiry.
        """
        ...

    async def slow_down(self, host: str, *, delay: float | None = None, until: float | None = None) -> None:
        """What the host asked for: a crawl delay (robots.txt), not to be asked before `until` (Retry-After, back-off).

        The newest delay holds, where it is above the job's own; of several `until`, the latest.
        """
        ...

    async def recrawl(self, due_before: float) -> int:
        """Queues completed URLs again whose adaptive recrawl date is at or before `due_before`; returns how many.

        Begins a new run (see `Limits.max_pages`) where it queues any.
        """
        ...

    async def dead_letters(self, limit: int = 100, offset: int = 0) -> list[DeadLetter]:
        """The oldest first."""
        ...

    async def replay(self, fingerprints: Sequence[int] | None = None) -> int:
        """Queues dead letters again with fresh attempts (None: all of them)."""
        ...

    async def next_ready(self) -> float | None:
        """When a claim is next worth trying, as far as the clocks tell; None when nothing is queued or may be claimed.

        The earliest instant at which the clocks of a host and the retry date of one of its URLs allow a claim, or at
        which a lease expires (that may free a host, or a place under `max_pages`); in the past: now. An event (`add`,
        `fetched`, `fail`, ...) of any worker may make a claim succeed sooner, so wait for it no longer than a second.
        """
        ...

    async def stats(self) -> Stats: ...

    async def host_stats(self, limit: int = 100) -> list[HostStats]:
        """The hosts with the longest queues."""
        ...

    async def drained(self) -> bool:
        """True when no URL is queued, set back or leased, or when `max_pages` are completed: nothing is left to do."""
        ...

    async def close(self) -> None: ...
