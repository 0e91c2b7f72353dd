"""What a worker says of its leases: fetched, renewed, completed, failed, given back.

A lease is valid while its row exists, also past its deadline as long as no claim has taken it back: late work that
nobody else has begun is not thrown away. Whoever comes with a token that has no row is too late, changes nothing and is
told so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from nephila.frontier.base import Entry, Lease, Visit
from nephila.frontier.sqlite.adding import add, credit_families
from nephila.frontier.sqlite.dead import bury
from nephila.frontier.sqlite.freshness import record_visits
from nephila.frontier.sqlite.queues import Returning, put_back, set_back
from nephila.frontier.sqlite.step import Step, listed


class _Held(NamedTuple):
    """A row of the table `lease`."""

    token: int
    url: int
    host: int
    attempt: int
    fetched: int


_SELECT = "SELECT token, url, host, attempt, fetched FROM lease "
_BY_TOKEN = _SELECT + "WHERE token IN (SELECT value FROM json_each(?))"  # noqa: S608 - both parts are constants
_BY_WORKER = _SELECT + "WHERE worker = ?"


def fetched(step: Step, leases: Sequence[Lease], asked: bool) -> None:
    held = _held(step, leases)
    _end_requests(step, held.values(), asked=asked)
    step.sql.executemany("UPDATE lease SET fetched = 1 WHERE token = ?", [(token,) for token in held])


def renew(step: Step, leases: Sequence[Lease]) -> list[Lease]:
    held = _held(step, leases)
    deadline = step.now + step.limits.lease_seconds
    step.sql.executemany("UPDATE lease SET deadline = ? WHERE token = ?", [(deadline, token) for token in held])
    return [replace(lease, deadline=deadline) for lease in leases if lease.token in held]


def complete(step: Step, visits: Sequence[Visit], found: Sequence[Entry]) -> set[int]:
    """Acks first, so that a page's own novelty pays for the links that it brought; all in this one transaction.

    Were the last transactions lost to a power cut, the acks would be lost together with the links: the pages are
    fetched again and bring them again. Links are added for stale visits too: they are true whoever found them.
    """
    held = _held(step, [visit.lease for visit in visits])
    valid = {visit.lease.token: visit for visit in visits if visit.lease.token in held}
    _end(step, held.values())
    record_visits(step, [(held[token].url, visit) for token, visit in valid.items()])
    if step.limits.family_budget is not None:
        credit_families(step, [v.lease.family for v in valid.values() if v.novel and v.lease.family is not None])
    step.tally.done += len(valid)
    step.tally.run_done += sum(visit.counted for visit in valid.values())
    add(step, found)
    return set(valid)


def fail(step: Step, lease: Lease, reason: str, retry_at: float | None) -> bool:
    held = _held(step, [lease]).get(lease.token)
    if held is None:
        return False
    _end(step, [held])
    if retry_at is None or held.attempt >= step.limits.max_attempts:
        bury(step, held.url, reason, held.attempt)
    else:
        set_back(step, Returning(held.url, held.host, held.attempt), retry_at)
    return True


def release(step: Step, worker: str) -> int:
    held = [_Held(*row) for row in step.sql.execute(_BY_WORKER, (worker,))]
    _end(step, held, told=False)
    put_back(step, [Returning(row.url, row.host, row.attempt - 1) for row in held])
    return len(held)


def _held(step: Step, leases: Iterable[Lease]) -> dict[int, _Held]:
    """Those that are still valid, by token."""
    rows = step.sql.execute(_BY_TOKEN, listed({lease.token for lease in leases}))
    return {row[0]: _Held(*row) for row in rows}


def _end_requests(step: Step, held: Iterable[_Held], *, told: bool = True, asked: bool = True) -> None:
    """Once for each lease, however often and in whatever way it is said to be over."""
    under_way = [row for row in held if not row.fetched]
    hosts = step.hosts.numbered(row.host for row in under_way)
    for row in under_way:
        hosts[row.host].end_request(step.now, told=told, asked=asked)


def _end(step: Step, held: Iterable[_Held], *, told: bool = True) -> None:
    rows = list(held)
    _end_requests(step, rows, told=told)
    step.sql.executemany("DELETE FROM lease WHERE token = ?", [(row.token,) for row in rows])
    step.tally.leased -= len(rows)
