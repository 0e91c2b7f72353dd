"""Hosts and their politeness: who may be asked, when, and how often at once.

A host may be asked when its two clocks have run out (crawl delay after the end of the last request, back-off) and a
connection is free. `host.next_at` holds that instant, under an index, so that a claim finds the hosts whose turn it is
without looking at the others, be they one or a million. It is a hint for finding: a claim checks the clocks again with
its own `Politeness`, so that a resumed job with a slower rule is obeyed at once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

import orjson

from nephila.frontier.base import FEW, HostRule, HostStats, Politeness

_SELECT = "SELECT id, name, queued, waiting, active, asked_delay, ended, backoff, since, turn, met FROM host "
_BY_NAME = _SELECT + "WHERE name IN (SELECT value FROM json_each(?))"  # noqa: S608 - both parts are constants
_BY_ID = _SELECT + "WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608
_READY = _SELECT + "WHERE next_at <= ? ORDER BY next_at, turn LIMIT ?"
_LONGEST = _SELECT + "WHERE queued > 0 OR active > 0 ORDER BY queued DESC, name LIMIT ?"
_CREATE = "INSERT INTO host (name, queued, waiting, active, asked_delay, ended, backoff, since, turn, met) \
VALUES (?, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0, 0)"
_SAVE = "UPDATE host SET queued = ?, waiting = ?, active = ?, asked_delay = ?, ended = ?, backoff = ?, since = ?, \
turn = ?, met = ?, next_at = ? WHERE id = ?"

_WELL_MET = 255


@dataclass(slots=True)
class Host:
    """A row of the table `host`; schema.py says what the columns mean."""

    id: int
    name: str
    queued: int
    waiting: int
    active: int
    asked_delay: float
    ended: float
    backoff: float
    since: float
    turn: int
    met: int

    @property
    def claimable(self) -> int:
        """URLs that only the host's clocks and connections hold back."""
        return self.queued - self.waiting

    def queue(self, count: int, now: float) -> None:
        """`count` more may be claimed; a host that had none begins to wait for its turn now."""
        if not self.claimable:
            self.since = now
        self.queued += count

    def end_request(self, now: float, *, told: bool, asked: bool = True) -> None:
        """Frees a connection and starts the delay clock; `told` by the worker, not concluded from its silence."""
        self.active -= 1
        if not asked:
            return
        if told:
            self.met = min(self.met + 1, _WELL_MET)
        self.ended = max(self.ended, now)


class HostBook:
    """The hosts that one transaction touches."""

    def __init__(self, sql: sqlite3.Connection, politeness: Politeness, now: float) -> None:
        self._sql = sql
        self._politeness = politeness
        self._now = now
        self._loaded: dict[int, Host] = {}
        self._rules: dict[str, HostRule] = {}
        self.created = 0

    def named(self, names: Iterable[str]) -> dict[str, Host]:
        """These hosts by name; those that nobody knew are created."""
        wanted = dict.fromkeys(names)
        found = {host.name: host for host in self._load(_BY_NAME, (orjson.dumps(list(wanted)).decode(),))}
        for name in wanted:
            if name not in found:
                number = self._sql.execute(_CREATE, (name,)).lastrowid
                assert number is not None  # noqa: S101 - SQLite numbers every insert
                found[name] = self._loaded[number] = Host(number, name, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0, 0)
                self.created += 1
        return found

    def numbered(self, ids: Iterable[int]) -> dict[int, Host]:
        missing = {number for number in ids if number not in self._loaded}
        if missing:
            self._load(_BY_ID, (orjson.dumps(list(missing)).decode(),))
        return self._loaded

    def ready(self, limit: int) -> list[Host]:
        """Up to `limit` hosts that may be asked now, those that have waited longest first."""
        while True:
            self.save()
            window = self._load(_READY, (self._now, limit))
            # A host can be found and yet not be free when its rule became slower than the one `next_at` was made
            # with; saving corrects that, so each round finds fewer of them.
            if all(self.free_connections(host) for host in window):
                return window

    def delay(self, host: Host) -> float:
        return max(self._rule(host).delay, host.asked_delay)

    def free_connections(self, host: Host) -> int:
        """Requests that may start now, as far as politeness goes."""
        if self._opens_at(host) > self._now:
            return 0
        return max(0, self._connections(host) - host.active)

    def save(self) -> None:
        """Writes every loaded host, with the instant of its next turn."""
        rows = []
        for h in self._loaded.values():
            clocks = (h.asked_delay, h.ended, h.backoff, h.since)
            rows.append((h.queued, h.waiting, h.active, *clocks, h.turn, h.met, self._next_turn(h), h.id))
        self._sql.executemany(_SAVE, rows)

    def longest_queues(self, limit: int) -> list[HostStats]:
        """Reads all hosts (some milliseconds for ten thousand): for people, not for the crawl."""
        hosts = self._load(_LONGEST, (limit,))
        return [HostStats(h.name, h.queued, h.active, self.delay(h), self._opens_at(h)) for h in hosts]

    def _load(self, query: str, arguments: tuple[object, ...]) -> list[Host]:
        """One object for a host in a transaction, so that no change is made to a second copy."""
        return [self._loaded.setdefault(row[0], Host(*row)) for row in self._sql.execute(query, arguments)]

    def _connections(self, host: Host) -> int:
        if not host.met or self.delay(host) > 0:
            return 1
        rule = self._rule(host)
        return max(1, min(rule.parallel, FEW) if host.met < rule.shy else rule.parallel)

    def _rule(self, host: Host) -> HostRule:
        """Asked once in a transaction: a job may have to work it out."""
        rule = self._rules.get(host.name)
        if rule is None:
            rule = self._rules[host.name] = self._politeness.rule(host.name)
        return rule

    def _opens_at(self, host: Host) -> float:
        return max(host.ended + self.delay(host), host.backoff)

    def _next_turn(self, host: Host) -> float | None:
        if not host.queued or host.active >= self._connections(host):
            return None
        at = max(self._opens_at(host), host.since)
        if host.claimable:
            return at
        first: float = self._sql.execute("SELECT min(ready_at) FROM setback WHERE host = ?", (host.id,)).fetchone()[0]
        return max(at, first)
