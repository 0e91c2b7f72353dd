"""Visits that are over: when the next one is due, what it must know of the last one, and the way back to the queue."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nephila.frontier.base import Visit
from nephila.frontier.freshness import next_interval
from nephila.frontier.sqlite.queues import Returning, put_back
from nephila.frontier.sqlite.step import Step, listed

_RECORD = """
INSERT INTO freshness (url, visits, due, every, digest, etag, last_modified) VALUES (?, 1, ?, ?, ?, ?, ?)
ON CONFLICT (url) DO UPDATE SET
    visits = visits + 1, due = excluded.due, every = excluded.every,
    digest = excluded.digest, etag = excluded.etag, last_modified = excluded.last_modified
"""
_RECORD_UNCHANGED = _RECORD.replace("digest = excluded.digest", "digest = coalesce(excluded.digest, digest)").replace(
    "etag = excluded.etag, last_modified = excluded.last_modified",
    "etag = coalesce(excluded.etag, etag), last_modified = coalesce(excluded.last_modified, last_modified)",
)

REQUEUED_AT_ONCE = 5000
"""URLs that one transaction of a recrawl or replay moves: some tens of milliseconds that other processes wait."""


def record_visits(step: Step, visits: Sequence[tuple[int, Visit]]) -> None:
    """Notes that these URLs (by url.id) were visited now. A visit that found no change keeps the known validators."""
    known = dict(
        step.sql.execute(
            "SELECT url, every FROM freshness WHERE url IN (SELECT value FROM json_each(?))",
            listed(url for url, _ in visits),
        ).fetchall()
    )
    for url, visit in sorted(visits, key=lambda item: item[0]):
        every = next_interval(step.limits, known.get(url), visit.changed)
        step.sql.execute(
            _RECORD if visit.changed else _RECORD_UNCHANGED,
            (url, math.ceil(step.now + every), round(every), visit.digest, visit.etag, visit.last_modified),
        )


def requeue_due(step: Step, due_before: float, *, new_run: bool) -> int:
    """Queues up to `REQUEUED_AT_ONCE` URLs that are due; returns how many. The first of them begin a new run."""
    rows = step.sql.execute(
        "SELECT f.url, u.host FROM freshness f JOIN url u ON u.id = f.url WHERE f.due <= ? ORDER BY f.due LIMIT ?",
        (due_before, REQUEUED_AT_ONCE),
    ).fetchall()
    step.sql.executemany("UPDATE freshness SET due = NULL WHERE url = ?", [(url,) for url, _ in rows])
    put_back(step, [Returning(url, host, 0) for url, host in rows])
    if rows and new_run:
        step.tally.run_done = 0
    return len(rows)
