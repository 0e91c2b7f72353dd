"""Dead letters: URLs that were given up, kept with the reason until a person replays them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from nephila.frontier.base import DeadLetter
from nephila.frontier.sqlite.queues import Returning, put_back
from nephila.frontier.sqlite.step import Step, listed

_LETTERS = """
SELECT u.url, u.fingerprint, h.name, d.reason, d.attempts, d.died_at
FROM dead d JOIN url u ON u.id = d.url JOIN host h ON h.id = u.host
ORDER BY d.died_at, d.url LIMIT ? OFFSET ?
"""


def bury(step: Step, url: int, reason: str, attempts: int) -> None:
    step.sql.execute("INSERT INTO dead VALUES (?, ?, ?, ?)", (url, reason, attempts, step.now))
    step.tally.dead += 1


def dead_letters(sql: sqlite3.Connection, limit: int, offset: int) -> list[DeadLetter]:
    """The oldest first."""
    return [DeadLetter(*row) for row in sql.execute(_LETTERS, (limit, offset))]


def replay_some(step: Step, limit: int) -> int:
    rows = step.sql.execute(
        "SELECT d.url, u.host FROM dead d JOIN url u ON u.id = d.url ORDER BY d.died_at LIMIT ?", (limit,)
    ).fetchall()
    return _revive(step, rows)


def replay_urls(step: Step, urls: Sequence[int]) -> int:
    """Those of these (by url.id) that are dead."""
    rows = step.sql.execute(
        "SELECT d.url, u.host FROM dead d JOIN url u ON u.id = d.url WHERE d.url IN (SELECT value FROM json_each(?))",
        listed(urls),
    ).fetchall()
    return _revive(step, rows)


def _revive(step: Step, rows: Sequence[tuple[int, int]]) -> int:
    step.sql.executemany("DELETE FROM dead WHERE url = ?", [(url,) for url, _ in rows])
    put_back(step, [Returning(url, host, 0) for url, host in rows])
    step.tally.dead -= len(rows)
    return len(rows)
