"""Early pages: copies of those that were read while little was known of their site, kept till the end of the crawl.

With `refine` they are not delivered when they are fetched: the copy, on disk before the page is acked, stands in for
the record. The workers read them again when nothing is left to fetch, deliver them under the key of their visit and
drop the copies, so that every page is in the output once, whatever is killed and whenever. Knows pages, no other room.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import orjson

from nephila.page import Page
from nephila.sqlite import Database, Schema

_PAGE = """
CREATE TABLE page (
    key INTEGER PRIMARY KEY,     -- of the delivery
    depth INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    head BLOB NOT NULL,          -- JSON: addresses, status, headers
    body BLOB NOT NULL           -- zlib
)"""
SCHEMA = Schema(kind="store of early pages", application_id=0x4E706845, version=1, statements=(_PAGE,))  # "NphE"

MOST_BYTES = 256 * 2**20
"""Of compressed pages; what comes when the store is full is delivered at once."""
_SOME = 32


@dataclass(frozen=True, slots=True)
class Early:
    """A page that waits to be read again."""

    key: int
    """Of its delivery."""
    page: Page
    depth: int
    digest: int
    """Of the first reading."""


class EarlyPages:
    """The copies, in the file `path`, shared by the workers."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self._database = Database(path, SCHEMA)
        self._most = most_bytes

    async def keep(self, early: Early) -> bool:
        """Whether it was kept: then it is on disk."""
        page = early.page
        head = orjson.dumps([page.url, page.final_url, page.status, page.fetched_at, dict(page.headers), page.rendered])
        body = zlib.compress(page.body, 1)
        row = (early.key, early.depth, early.digest, head, body)

        def add(sql: sqlite3.Connection) -> bool:
            (pages,) = sql.execute("PRAGMA page_count").fetchone()
            (free,) = sql.execute("PRAGMA freelist_count").fetchone()
            (size,) = sql.execute("PRAGMA page_size").fetchone()
            if (pages - free) * size + len(body) > self._most:
                return False
            sql.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?)", row)
            return True

        return await self._database.write(add)

    async def some(self) -> list[Early]:
        """A few of those that are there."""
        rows = await self._database.read(lambda sql: sql.execute("SELECT * FROM page LIMIT ?", (_SOME,)).fetchall())
        return [Early(key, _page(head, body), depth, digest) for key, depth, digest, head, body in rows]

    async def drop(self, keys: Iterable[int]) -> None:
        wanted = [(key,) for key in keys]
        await self._database.write(lambda sql: sql.executemany("DELETE FROM page WHERE key = ?", wanted))

    async def empty(self) -> bool:
        return not await self._database.read(lambda sql: sql.execute("SELECT 1 FROM page LIMIT 1").fetchall())

    async def close(self) -> None:
        await self._database.close()


def _page(head: bytes, body: bytes) -> Page:
    url, final_url, status, fetched_at, headers, rendered = orjson.loads(head)
    return Page(url, final_url, status, zlib.decompress(body), fetched_at, headers, rendered)
