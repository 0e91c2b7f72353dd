"""Adding: dedupe by fingerprint, the trap budget of URL families, and the better rank for what is still queued.

What a family has no budget for is parked, not forgotten: a trap never earns it, a long list of real pages does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace

import orjson

from nephila.frontier.base import Entry, rank
from nephila.frontier.sqlite.queues import QUEUE, Returning, put_back
from nephila.frontier.sqlite.step import Step, listed

NOVEL_EARNS = 2
"""More URLs that a family may queue for each visit that brought something new."""

MERGE_ABOVE = 200_000
"""Rows of `seen_new` (about 6 MB, always cached) above which the rolling merge moves some to `seen`."""
_MERGED_AT_ONCE = 1024
_UNPARKED_AT_ONCE = 1000
_LOWEST, _HIGHEST = -(1 << 63), (1 << 63) - 1

_INSERT_URL = "INSERT INTO url (id, fingerprint, host, url, depth, priority, modified, family, meta) \
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_PARKED = "SELECT p.url, u.host FROM parked p JOIN url u ON u.id = p.url WHERE p.family = ? ORDER BY p.url LIMIT ?"
_KNOWN = """
SELECT fingerprint, url FROM seen WHERE fingerprint IN (SELECT value FROM json_each(?1))
UNION ALL
SELECT fingerprint, url FROM seen_new WHERE fingerprint IN (SELECT value FROM json_each(?1))
"""


def known(sql: sqlite3.Connection, fingerprints: Iterable[int]) -> dict[int, int]:
    """Fingerprint to url.id, of those that were ever let in."""
    return dict(sql.execute(_KNOWN, listed(fingerprints)).fetchall())


def add(step: Step, entries: Sequence[Entry]) -> int:
    """Returns how many were new."""
    if not entries:
        return 0
    if step.limits.family_budget is None and step.tally.refused:  # the job was given no bound since
        families = step.sql.execute("SELECT DISTINCT family FROM parked LIMIT 100").fetchall()
        unpark(step, [family for (family,) in families])
    seen = known(step.sql, {entry.fingerprint for entry in entries})
    budget = FamilyBudget(step, entries)
    fresh: dict[int, Entry] = {}
    over: dict[int, Entry] = {}
    again: dict[int, Entry] = {}
    for entry in entries:
        if entry.fingerprint in seen:
            _keep_better(again, entry)
        elif entry.fingerprint in fresh:
            _keep_better(fresh, entry)
        elif entry.fingerprint in over:
            _keep_better(over, entry)
        elif budget.admits(entry):
            fresh[entry.fingerprint] = entry
        else:
            over[entry.fingerprint] = entry
    budget.save()
    if again:
        _improve(step, {seen[fingerprint]: entry for fingerprint, entry in again.items()})
    if fresh or over:
        _insert(step, list(fresh.values()), list(over.values()))
    return len(fresh)


class FamilyBudget:
    """How many more URLs of each family may come in: `Limits.family_budget`, and two for every novel visit."""

    def __init__(self, step: Step, entries: Sequence[Entry]) -> None:
        self._sql = step.sql
        self._start = step.limits.family_budget
        self._families: dict[int, list[int]] = {}
        if self._start is not None:
            families = {entry.family for entry in entries if entry.family is not None}
            rows = step.sql.execute(
                "SELECT family, taken, novel FROM family WHERE family IN (SELECT value FROM json_each(?))",
                listed(families),
            )
            self._families = {family: [0, 0] for family in families}
            self._families.update({family: [taken, novel] for family, taken, novel in rows})

    def admits(self, entry: Entry) -> bool:
        if self._start is None or entry.family is None:
            return True
        account = self._families[entry.family]
        if account[0] >= self._start + NOVEL_EARNS * account[1]:
            return False
        account[0] += 1
        return True

    def save(self) -> None:
        self._sql.executemany(
            "INSERT INTO family VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET taken = excluded.taken",
            sorted((family, taken, novel) for family, (taken, novel) in self._families.items()),
        )


def credit_families(step: Step, families: Sequence[int]) -> None:
    """Each of these visits brought something that its family had not shown before: parked URLs of it are let in."""
    step.sql.executemany(
        "INSERT INTO family VALUES (?, 0, 1) ON CONFLICT DO UPDATE SET novel = novel + 1",
        [(family,) for family in families],
    )
    if step.tally.refused:
        unpark(step, sorted(set(families)))


def unpark(step: Step, families: Iterable[int]) -> None:
    """Queues parked URLs of these families, the oldest first, as far as their budgets reach."""
    start = step.limits.family_budget
    for family in families:
        (taken, novel) = step.sql.execute("SELECT taken, novel FROM family WHERE family = ?", (family,)).fetchone()
        room = _UNPARKED_AT_ONCE if start is None else start + NOVEL_EARNS * novel - taken
        rows = step.sql.execute(_PARKED, (family, max(0, room))).fetchall()
        if not rows:
            continue
        put_back(step, [Returning(url, host, 0) for url, host in rows])
        step.sql.executemany("DELETE FROM parked WHERE family = ? AND url = ?", [(family, url) for url, _ in rows])
        step.sql.execute("UPDATE family SET taken = taken + ? WHERE family = ?", (len(rows), family))
        step.tally.refused -= len(rows)


def _keep_better(entries: dict[int, Entry], entry: Entry) -> None:
    """Of an entry that comes twice in a batch, the first one stays, with the better rank."""
    first = entries.setdefault(entry.fingerprint, entry)
    if rank(entry.priority, entry.modified) < rank(first.priority, first.modified):
        entries[entry.fingerprint] = replace(first, priority=entry.priority, modified=entry.modified)


def _insert(step: Step, fresh: Sequence[Entry], over: Sequence[Entry]) -> None:
    """`fresh` is queued, `over` parked."""
    entries = [*fresh, *over]
    hosts = step.hosts.named(entry.host for entry in entries)
    urls, parked, seen = [], [], []
    queue: list[tuple[int, int, int, int, int]] = []
    for number, entry in enumerate(entries, step.tally.urls + 1):
        host = hosts[entry.host]
        meta = None if entry.meta is None else orjson.dumps(dict(entry.meta)).decode()
        facts = (entry.depth, entry.priority, entry.modified, entry.family, meta)
        urls.append((number, entry.fingerprint, host.id, entry.url, *facts))
        if len(queue) < len(fresh):
            host.queue(1, step.now)
            queue.append((host.id, rank(entry.priority, entry.modified), number, 0, 0))
        else:
            parked.append((entry.family, number))
        seen.append((entry.fingerprint, number))
    # In key order, so that each page of a B-tree is found once.
    step.sql.executemany(_INSERT_URL, urls)
    step.sql.executemany(QUEUE, sorted(queue))
    step.sql.executemany("INSERT INTO parked VALUES (?, ?)", parked)
    step.sql.executemany("INSERT INTO seen_new VALUES (?, ?)", sorted(seen))
    step.tally.urls += len(entries)
    step.tally.queued += len(fresh)
    step.tally.refused += len(over)
    step.tally.unmerged += len(entries)
    while step.tally.unmerged > MERGE_ABOVE:
        _merge_some(step)


def _merge_some(step: Step) -> None:
    """The next fingerprints in order go from `seen_new` to `seen`; after the highest it begins again at the lowest."""
    low = step.tally.merged_to
    last = step.sql.execute(
        "SELECT fingerprint FROM seen_new WHERE fingerprint >= ? ORDER BY fingerprint LIMIT 1 OFFSET ?",
        (low, _MERGED_AT_ONCE - 1),
    ).fetchone()
    high = last[0] if last else _HIGHEST
    moved = step.sql.execute(
        "INSERT INTO seen SELECT fingerprint, url FROM seen_new WHERE fingerprint BETWEEN ? AND ? ORDER BY fingerprint",
        (low, high),
    ).rowcount
    step.sql.execute("DELETE FROM seen_new WHERE fingerprint BETWEEN ? AND ?", (low, high))
    step.tally.unmerged -= moved
    step.tally.merged_to = _LOWEST if high == _HIGHEST else high + 1


def _improve(step: Step, entries: dict[int, Entry]) -> None:
    """Gives known URLs (by url.id) that are still queued the better rank."""
    rows = step.sql.execute(
        "SELECT id, host, priority, modified FROM url WHERE id IN (SELECT value FROM json_each(?))", listed(entries)
    ).fetchall()
    for url, host, priority, modified in rows:
        entry = entries[url]
        old, new = rank(priority, modified), rank(entry.priority, entry.modified)
        if new < old and _move(step.sql, url, host, old, new):
            step.sql.execute(
                "UPDATE url SET priority = ?, modified = ? WHERE id = ?", (entry.priority, entry.modified, url)
            )


def _move(sql: sqlite3.Connection, url: int, host: int, old: int, new: int) -> bool:
    """Whether the URL is queued, or set back (then it finds its new rank when its date comes)."""
    moved = sql.execute("UPDATE queue SET rank = ? WHERE host = ? AND rank = ? AND url = ?", (new, host, old, url))
    return bool(moved.rowcount) or sql.execute("SELECT 1 FROM setback WHERE url = ?", (url,)).fetchone() is not None
