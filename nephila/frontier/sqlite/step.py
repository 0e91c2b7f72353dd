"""One transaction of the frontier: the connection, the time, the limits, and the counts that it changes.

The counts and the hosts are read when a step begins to need them, changed in memory and written once at its end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import astuple, dataclass

import orjson

from nephila.frontier.base import Limits, Politeness
from nephila.frontier.sqlite.hosts import HostBook


@dataclass(slots=True)
class Tally:
    """The one row of the table `tally`, in the order of its columns."""

    queued: int
    leased: int
    done: int
    dead: int
    hosts: int
    refused: int
    run_done: int
    token: int
    urls: int
    unmerged: int
    merged_to: int

    @classmethod
    def load(cls, sql: sqlite3.Connection) -> Tally:
        return cls(*sql.execute("SELECT * FROM tally").fetchone())

    def save(self, sql: sqlite3.Connection) -> None:
        sql.execute(_SAVE, astuple(self))


_SAVE = "UPDATE tally SET queued = ?, leased = ?, done = ?, dead = ?, hosts = ?, refused = ?, run_done = ?, token = ?, \
urls = ?, unmerged = ?, merged_to = ?"


class Step:
    """What the functions of this package work on; `save` must come last in every transaction that writes."""

    __slots__ = ("hosts", "limits", "now", "sql", "tally")

    def __init__(self, sql: sqlite3.Connection, politeness: Politeness, limits: Limits, now: float) -> None:
        self.sql = sql
        self.now = now
        self.limits = limits
        self.tally = Tally.load(sql)
        self.hosts = HostBook(sql, politeness, now)

    def save(self) -> None:
        self.hosts.save()
        self.tally.hosts += self.hosts.created
        self.tally.save(self.sql)


def listed(values: Iterable[int | str]) -> tuple[str]:
    """The argument of `IN (SELECT value FROM json_each(?))`: one statement for a batch of any length."""
    return (orjson.dumps(list(values)).decode(),)
