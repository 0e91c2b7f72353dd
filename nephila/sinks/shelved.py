"""Looking into a shelf that others may be writing: the newest records, a search, copies of pages.

Each question is answered in milliseconds on a full shelf, since a person waits: by the numbers of records, which grow,
and by the index's own order; nothing counts or sorts what it does not show.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import zstandard

from nephila.errors import InputError
from nephila.page import Page
from nephila.sinks.shelf import make_tables, spaced

_BEGINNING = 3
"""Bytes that a word must have to be sought as the beginning of others too."""
_COMMON = 1_000
"""A word that more records have is sought as it stands."""
_SIGNS_SOUGHT = 10_000
"""The newest records, in which signs are sought that no index has: one after the other."""
_SHORT = "r.id, r.url, r.title, r.opening, r.kind, r.at"
_HAS_PAGE = "EXISTS (SELECT 1 FROM page p WHERE p.record = r.id)"


@dataclass(frozen=True, slots=True)
class Shelved:
    """A record on the shelf, in short."""

    id: int
    url: str
    title: str | None
    opening: str | None
    kind: str | None
    at: str | None
    has_page: bool


def _shelved(row: tuple[Any, ...]) -> Shelved:
    number, url, title, opening, kind, at, has_page = row
    return Shelved(number, url, title, opening, kind, at, bool(has_page))


class Shelf:
    def __init__(self, path: Path) -> None:
        self._path = path

    def _open(self) -> sqlite3.Connection:
        sql = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True, timeout=5.0)
        if sql.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
            sql.close()  # it is being made at this moment: an empty shelf
            sql = sqlite3.connect(":memory:")
            make_tables(sql)
        sql.execute("PRAGMA query_only = 1")
        return sql

    def records(self, search: str = "", before: int | None = None, after: int = 0, limit: int = 50) -> list[Shelved]:
        """The newest first; `before` and `after` are numbers of records: for the next page, and for what is new."""
        words = "".join(character if character.isprintable() else " " for character in search).split()
        said = [word for word in words if any(map(str.isalnum, word))]
        signs = set(words) - set(said)
        # By the index's own order where it is asked: no more of it is read than is shown.
        key, source = ("s.rowid", "said s JOIN record r ON r.id = s.rowid") if said else ("r.id", "record r")
        where = [f"{key} > ?", f"{key} < ?"]
        where += ["said MATCH ?"] if said else []
        where += ["(r.title LIKE ? ESCAPE '\\' OR r.url LIKE ? ESCAPE '\\')"] * len(signs)
        found = f"SELECT {_SHORT}, {_HAS_PAGE} FROM {source} WHERE {' AND '.join(where)} ORDER BY {key} DESC LIMIT ?"  # noqa: S608
        with closing(self._open()) as sql:
            if signs:
                after = max(after, _newest(sql) - _SIGNS_SOUGHT)
            query: list[Any] = [after, before if before is not None else 2**62]
            query += [" ".join(_sought(sql, word) for word in said)] if said else []
            query += [pattern for sign in signs for pattern in [_within(sign)] * 2]
            return [_shelved(row) for row in sql.execute(found, (*query, limit))]

    def with_pages(self, limit: int) -> list[Shelved]:
        """The newest records whose page is kept."""
        query = f"SELECT {_SHORT}, 1 FROM page p JOIN record r ON r.id = p.record ORDER BY r.id DESC LIMIT ?"  # noqa: S608
        with closing(self._open()) as sql:
            return [_shelved(row) for row in sql.execute(query, (limit,))]

    def record(self, number: int) -> dict[str, Any]:
        with closing(self._open()) as sql:
            row = sql.execute("SELECT data FROM record WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise InputError(f"there is no record {number} on the shelf; the oldest make room for the new")
        data: dict[str, Any] = orjson.loads(_unpacked(row[0]))
        return data

    def page(self, number: int) -> Page | None:
        """The copy of the page that a record was read from, while it is kept."""
        with closing(self._open()) as sql:
            row = sql.execute("SELECT head, body FROM page WHERE record = ?", (number,)).fetchone()
        if row is None:
            return None
        url, final_url, status, at, headers, rendered = orjson.loads(row[0])
        return Page(url, final_url, status, _unpacked(row[1]), at, headers, rendered)

    def counts(self) -> tuple[int, int]:
        """Records and pages that it holds."""
        with closing(self._open()) as sql:
            first, last = sql.execute("SELECT min(id), max(id) FROM record").fetchone()
            (pages,) = sql.execute("SELECT count(*) FROM page").fetchone()
        return (0 if last is None else last - first + 1), pages


def _unpacked(data: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompress(data)


def _sought(sql: sqlite3.Connection, word: str) -> str:
    """What to ask the index for: the word and, unless that would be half of all that is there, what begins with it.

    A beginning costs by all its occurrences, a word that stands for itself only by those that are shown.
    """
    phrase = '"' + str(spaced(word)).replace('"', '""') + '"'
    if len(word.encode()) < _BEGINNING:
        return phrase
    common = sql.execute("SELECT 1 FROM said WHERE said MATCH ? LIMIT 1 OFFSET ?", (phrase, _COMMON)).fetchone()
    return phrase if common else f"{phrase} *"


def _within(sign: str) -> str:
    """The pattern of a text that has it somewhere."""
    return "%" + sign.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"


def _newest(sql: sqlite3.Connection) -> int:
    return int(sql.execute("SELECT max(id) FROM record").fetchone()[0] or 0)


def shelves(directory: Path) -> Iterable[Path]:
    return sorted(directory.glob("*.shelf"))
