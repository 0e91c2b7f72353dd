"""The shelf: the newest records of a crawl in one SQLite file, searchable, with copies of the newest pages.

It is what the dashboard looks into while a crawl runs (by way of `shelved`); bounded, so it is no archive: the oldest
make room. And cheap, some 60 microseconds a record: a crawl that is watched may not be slower for it. Hence words and
not trigrams in the index (a tenth of the time), and copies of a few pages of each commit only.

A delivery's key is kept in the same transaction as its records, so that each is here once, whatever is killed.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson
import zstandard

from nephila.errors import SinkError
from nephila.page import Page
from nephila.record import Record
from nephila.sinks.base import Delivery
from nephila.sinks.plain import plain_row
from nephila.sqlite import turn_to_wal

MOST_RECORDS = 200_000
MOST_PAGES = 1_000
MOST_PAGE_BYTES = 4 * 2**20
"""A larger page is shown without its copy."""
PAGES_A_COMMIT = 25
"""Copies that one commit may bring, about a second's; those of the last deliveries."""
_SEARCHED_TEXT = 600
"""Characters of the text that a search looks at, besides title and address."""
_TRIM = 500
"""How far beyond its bound a table may grow before it is cut back: cutting one by one would cost at each commit."""
_LEVEL = -3
"""Of Zstandard: a quarter of the time of level 1, and one and a half times its size."""
_PATIENCE = 60.0
_APPLICATION = 0x4E706854  # "NphT"
# Scripts without blanks between words (Thai to Myanmar, Khmer, Chinese, Japanese): each character is a word there.
_UNSPACED = re.compile("([\u0e00-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")
_SCHEMA = f"""
CREATE TABLE record (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL, title TEXT, opening TEXT, kind TEXT, at TEXT,
    data BLOB NOT NULL               -- the record: JSON, Zstandard
);
CREATE VIRTUAL TABLE said USING fts5
    (url, title, opening, content='record', content_rowid='id',
     tokenize='unicode61 remove_diacritics 2');
CREATE TABLE page (record INTEGER PRIMARY KEY, head BLOB NOT NULL, body BLOB NOT NULL);
CREATE TABLE delivery (key INTEGER PRIMARY KEY) WITHOUT ROWID;
PRAGMA application_id = {_APPLICATION}
"""


class ShelfSink:
    wants_pages = True

    def __init__(self, path: Path | str) -> None:
        self.uri = str(path)
        self._path = Path(path)
        self._sql: sqlite3.Connection | None = None
        self._pack = zstandard.ZstdCompressor(level=_LEVEL).compress

    def open(self) -> None:
        try:
            self._sql = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            turn_to_wal(self._sql)
            self._sql.execute("PRAGMA synchronous = NORMAL")
            with _transaction(self._sql):
                _prepare(self._sql, self._path)
        except sqlite3.Error as error:
            raise SinkError(f"cannot write the shelf {self._path}: {error}") from error

    def commit(self, segment: Sequence[Delivery]) -> int:
        if self._sql is None:
            raise SinkError(f"the shelf {self._path} is not open")
        try:
            with _transaction(self._sql):
                return _store(self._sql, segment, self._pack)
        except sqlite3.Error as error:
            raise SinkError(f"cannot write the shelf {self._path}: {error}") from error

    def close(self) -> None:
        if self._sql is not None:
            self._sql.close()
            self._sql = None


class _transaction:  # noqa: N801 - reads as a word
    def __init__(self, sql: sqlite3.Connection) -> None:
        self._sql = sql

    def __enter__(self) -> None:
        self._sql.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        self._sql.execute("COMMIT" if kind is None else "ROLLBACK")


def _prepare(sql: sqlite3.Connection, path: Path) -> None:
    if sql.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        make_tables(sql)
    elif sql.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise SinkError(f"{path} is a SQLite file of another kind: choose another name for the shelf")


def make_tables(sql: sqlite3.Connection) -> None:
    for statement in _SCHEMA.split(";"):
        sql.execute(statement)


def _store(sql: sqlite3.Connection, segment: Sequence[Delivery], pack: Callable[[bytes], bytes]) -> int:
    written = 0
    for left, delivery in zip(range(len(segment), 0, -1), segment, strict=True):
        if sql.execute("INSERT OR IGNORE INTO delivery VALUES (?)", (delivery.key,)).rowcount != 1:
            continue
        written += 1
        for place, record in enumerate(delivery.records):
            number = _add(sql, record, pack)
            page = delivery.page
            if place == 0 and page is not None and left <= PAGES_A_COMMIT and len(page.body) <= MOST_PAGE_BYTES:
                sql.execute("INSERT INTO page VALUES (?, ?, ?)", (number, _head(page), pack(page.body)))
    if written:
        _trim(sql)
    return written


def _add(sql: sqlite3.Connection, record: Record, pack: Callable[[bytes], bytes]) -> int:
    row = plain_row(record)
    opening = (row["text"] or row["description"] or "")[:_SEARCHED_TEXT]
    shown = (row["url"], row["title"], opening)
    cursor = sql.execute(
        "INSERT INTO record (url, title, opening, kind, at, data) VALUES (?, ?, ?, ?, ?, ?)",
        (*shown, row["kind"], row["fetched_at"], pack(orjson.dumps(row))),
    )
    number = int(cursor.lastrowid or 0)
    sql.execute("INSERT INTO said (rowid, url, title, opening) VALUES (?, ?, ?, ?)", (number, *map(spaced, shown)))
    return number


def spaced(text: str | None) -> str | None:
    """With blanks between words where the script has none."""
    return text if text is None or text.isascii() else _UNSPACED.sub(r" \1 ", text)


def _head(page: Page) -> bytes:
    return orjson.dumps([page.url, page.final_url, page.status, page.fetched_at, dict(page.headers), page.rendered])


def _trim(sql: sqlite3.Connection) -> None:
    (newest,) = sql.execute("SELECT max(id) FROM record").fetchone()
    (oldest,) = sql.execute("SELECT min(id) FROM record").fetchone()
    bound = (newest or 0) - MOST_RECORDS
    if oldest is not None and oldest < bound - _TRIM:
        old = sql.execute("SELECT id, url, title, opening FROM record WHERE id <= ?", (bound,)).fetchall()
        sql.executemany(  # the index forgets what it is told again
            "INSERT INTO said (said, rowid, url, title, opening) VALUES ('delete', ?, ?, ?, ?)",
            [(number, *map(spaced, shown)) for number, *shown in old],
        )
        sql.execute("DELETE FROM record WHERE id <= ?", (bound,))
    (pages,) = sql.execute("SELECT count(*) FROM page").fetchone()
    if pages > MOST_PAGES + _TRIM // 5:
        sql.execute(
            "DELETE FROM page WHERE record NOT IN (SELECT record FROM page ORDER BY record DESC LIMIT ?)", (MOST_PAGES,)
        )
