"""The embedded memory: small facts in one SQLite file, shared by the processes of one machine. Knows no other room."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from nephila.sqlite import Database, Schema

_FACT = """
CREATE TABLE fact (
    space TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    expires REAL,                -- NULL: never
    PRIMARY KEY (space, key)
)"""
_FACT_EXPIRES = "CREATE INDEX fact_expires ON fact (expires) WHERE expires IS NOT NULL"

SCHEMA = Schema(
    kind="memory",
    application_id=0x4E70684D,  # "NphM"
    version=1,
    statements=(_FACT, _FACT_EXPIRES),
)

_GET = "SELECT value FROM fact WHERE space = ? AND key = ? AND (expires IS NULL OR expires > ?)"
_PUT = (
    "INSERT INTO fact VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, expires = excluded.expires"
)
# The byte FF is in no UTF-8 text and sorts after all of them: the range holds exactly the keys with this prefix.
_ITEMS = """
SELECT key, value FROM fact
WHERE space = ?1 AND key >= ?2 AND key < CAST(CAST(?2 AS BLOB) || x'ff' AS TEXT) AND (expires IS NULL OR expires > ?3)
ORDER BY key
"""
_SWEEP = "DELETE FROM fact WHERE rowid IN (SELECT rowid FROM fact WHERE expires <= ? LIMIT 16)"


class SqliteMemory:
    """A `Memory` in the file `path`, made when it is absent; `StateError` when it is something else."""

    def __init__(self, path: str | Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._database = Database(path, SCHEMA)

    async def get(self, space: str, key: str) -> bytes | None:
        return await self._database.read(lambda sql: _get(sql, space, key, self._clock()))

    async def put(self, space: str, key: str, value: bytes, ttl: float | None = None) -> None:
        def transaction(sql: sqlite3.Connection) -> None:
            now = self._clock()
            # A few expired facts go with every new one: the file stays small without anyone's having to clean it.
            sql.execute(_SWEEP, (now,))
            sql.execute(_PUT, (space, key, value, None if ttl is None else now + ttl))

        await self._database.write(transaction)

    async def update(self, space: str, key: str, change: Callable[[bytes | None], bytes | None]) -> bytes | None:
        """`change` runs in the memory's thread while it holds the file's lock."""

        def transaction(sql: sqlite3.Connection) -> bytes | None:
            before = _get(sql, space, key, self._clock())
            after = change(before)
            if before is not None and after is not None:
                sql.execute("UPDATE fact SET value = ? WHERE space = ? AND key = ?", (after, space, key))
            elif after is not None:
                sql.execute(_PUT, (space, key, after, None))
            else:
                sql.execute("DELETE FROM fact WHERE space = ? AND key = ?", (space, key))
            return after

        return await self._database.write(transaction)

    async def items(self, space: str, prefix: str = "") -> Sequence[tuple[str, bytes]]:
        """In the order of their keys."""
        return await self._database.read(lambda sql: sql.execute(_ITEMS, (space, prefix, self._clock())).fetchall())

    async def close(self) -> None:
        await self._database.close()


def _get(sql: sqlite3.Connection, space: str, key: str, now: float) -> bytes | None:
    row = sql.execute(_GET, (space, key, now)).fetchone()
    return None if row is None else row[0]
