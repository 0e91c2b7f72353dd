"""Claiming: the hosts whose turn it is, an even share for each, and a lease on the best URLs of their queues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from nephila.frontier.base import Lease
from nephila.frontier.sqlite.dead import bury
from nephila.frontier.sqlite.hosts import Host
from nephila.frontier.sqlite.queues import Returning, promote, put_back
from nephila.frontier.sqlite.step import Step

_BEST = """
SELECT q.rank, q.attempts, u.id, u.url, u.fingerprint, u.depth, u.priority, u.modified, u.family, u.meta,
       f.visits, f.etag, f.last_modified, f.digest
FROM queue q JOIN url u ON u.id = q.url LEFT JOIN freshness f ON f.url = CASE WHEN q.visited THEN q.url END
WHERE q.host = ? ORDER BY q.rank, q.url LIMIT ?
"""
EXPIRED = "lease expired"


def claim(step: Step, worker: str, n: int) -> list[Lease]:
    take_back_expired(step)
    room = min(n, step.tally.queued)
    if step.limits.max_pages is not None:
        room = min(room, step.limits.max_pages - step.tally.run_done - step.tally.leased)
    if room <= 0:
        return []
    hosts = step.hosts.ready(room)
    for host in hosts:
        if host.waiting:
            promote(step, host)
    shares = even_shares(room, [min(step.hosts.free_connections(host), host.claimable) for host in hosts])
    best = [
        (host, row)
        for host, share in zip(hosts, shares, strict=True)
        if share
        for row in step.sql.execute(_BEST, (host.id, share))
    ]
    return _grant(step, worker, best)


def take_back_expired(step: Step) -> None:
    """An expired lease has cost an attempt; the page may be the one that kills its workers."""
    rows = step.sql.execute(
        "SELECT token, url, host, attempt, fetched FROM lease WHERE deadline <= ?", (step.now,)
    ).fetchall()
    if not rows:
        return
    hosts = step.hosts.numbered(row[2] for row in rows)
    returning = []
    for _, url, host, attempt, fetched in rows:
        if not fetched:
            hosts[host].end_request(step.now, told=False)
        if attempt >= step.limits.max_attempts:
            bury(step, url, EXPIRED, attempt)
        else:
            returning.append(Returning(url, host, attempt))
    step.sql.executemany("DELETE FROM lease WHERE token = ?", [(row[0],) for row in rows])
    step.tally.leased -= len(rows)
    put_back(step, returning)


def even_shares(room: int, capacities: Sequence[int]) -> list[int]:
    """Deals `room` places out one by one, in rounds, to those that still have capacity."""
    shares = [0] * len(capacities)
    takers = [place for place, capacity in enumerate(capacities) if capacity > 0]
    while room > 0 and takers:
        for place in takers[:room]:
            shares[place] += 1
        room -= min(room, len(takers))
        takers = [place for place in takers if shares[place] < capacities[place]]
    return shares


def _grant(step: Step, worker: str, best: Sequence[tuple[Host, tuple[Any, ...]]]) -> list[Lease]:
    """Takes these rows of `_BEST` out of the queues, and a lease on each into the books."""
    deadline = step.now + step.limits.lease_seconds
    leases, queued, held = [], [], []
    for token, (host, row) in enumerate(best, step.tally.token + 1):
        lease = _to_lease(row, host, token, worker, deadline)
        leases.append(lease)
        queued.append((host.id, row[0], row[2]))
        held.append((token, row[2], host.id, worker, deadline, lease.attempt))
        host.queued -= 1
        host.active += 1
        host.since = step.now
        host.turn = token
    step.sql.executemany("DELETE FROM queue WHERE host = ? AND rank = ? AND url = ?", queued)
    step.sql.executemany("INSERT INTO lease VALUES (?, ?, ?, ?, ?, ?, 0)", held)
    step.tally.token += len(leases)
    step.tally.queued -= len(leases)
    step.tally.leased += len(leases)
    return leases


def _to_lease(row: tuple[Any, ...], host: Host, token: int, worker: str, deadline: float) -> Lease:
    _, attempts, _, url, fingerprint, depth, priority, modified, family, meta, visits, etag, changed_at, digest = row
    return Lease(
        url=url,
        fingerprint=fingerprint,
        host=host.name,
        token=token,
        worker=worker,
        deadline=deadline,
        attempt=attempts + 1,
        visit=visits or 0,
        depth=depth,
        priority=priority,
        modified=modified,
        family=family,
        meta=None if meta is None else orjson.loads(meta),
        etag=etag,
        last_modified=changed_at,
        digest=digest,
    )
