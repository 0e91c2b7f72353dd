"""The way back into a queue: URLs that were claimed, given up or visited once, and are to be fetched (again)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nephila.frontier.base import rank
from nephila.frontier.sqlite.hosts import Host
from nephila.frontier.sqlite.step import Step, listed

QUEUE = "INSERT INTO queue (host, rank, url, attempts, visited) VALUES (?, ?, ?, ?, ?)"
_FACTS = """
SELECT id, priority, modified, EXISTS (SELECT 1 FROM freshness f WHERE f.url = u.id)
FROM url u WHERE id IN (SELECT value FROM json_each(?))
"""

_PROMOTED_AT_ONCE = 1000
"""Keeps a claim short after an outage that set a whole host back; what is left over comes with the next claims."""


class Returning(NamedTuple):
    """A URL on its way back to the queue."""

    url: int
    host: int
    attempts: int
    """Those already used."""


def put_back(step: Step, returning: Sequence[Returning]) -> None:
    """To be claimed as soon as their hosts allow it."""
    hosts = step.hosts.numbered(item.host for item in returning)
    _insert(step, returning)
    for item in returning:
        hosts[item.host].queue(1, step.now)
    step.tally.queued += len(returning)


def set_back(step: Step, item: Returning, ready_at: float) -> None:
    """Not to be claimed before `ready_at`."""
    if ready_at <= step.now:
        put_back(step, [item])
        return
    step.sql.execute("INSERT INTO setback VALUES (?, ?, ?, ?)", (item.url, item.host, ready_at, item.attempts))
    host = step.hosts.numbered([item.host])[item.host]
    host.queued += 1
    host.waiting += 1
    step.tally.queued += 1


def promote(step: Step, host: Host) -> None:
    """Moves the host's URLs whose date has come from `setback` to `queue`."""
    due = step.sql.execute(
        "SELECT url, host, attempts FROM setback WHERE host = ? AND ready_at <= ? ORDER BY ready_at LIMIT ?",
        (host.id, step.now, _PROMOTED_AT_ONCE),
    ).fetchall()
    items = [Returning(*row) for row in due]
    _insert(step, items)
    step.sql.executemany("DELETE FROM setback WHERE url = ?", [(item.url,) for item in items])
    host.waiting -= len(items)


def _insert(step: Step, items: Sequence[Returning]) -> None:
    facts = {
        url: (rank(priority, modified), visited)
        for url, priority, modified, visited in step.sql.execute(_FACTS, listed(item.url for item in items))
    }
    rows = []
    for item in items:
        order, visited = facts[item.url]
        rows.append((item.host, order, item.url, item.attempts, visited))
    step.sql.executemany(QUEUE, sorted(rows))
