"""SQL in a thread of its own: how the embedded frontier and memory open and share a SQLite file.

`Database` runs every transaction of one instance in one dedicated thread, so that the event loop never waits for a
disk or for another process (SQLite lets the GIL go while it works). Several processes may have the same file open:
writers queue up with BEGIN IMMEDIATE, and a file that is busy is tried again here, never reported to the caller before
a minute has passed. Those who open a file of their own turn it to WAL with `turn_to_wal`. This module knows how to
open, lock and retry; it knows no table.

Durability. WAL with synchronous=NORMAL: a committed transaction is in the operating system's hands, so killing the
process at any moment loses nothing; a power cut may lose the last transactions, always a *suffix* of them, never one
from the middle and never half of one. Callers must therefore put what belongs together into one transaction.
WAL needs shared memory: the file must lie on a local disk, not on a network share.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from nephila.errors import StateError

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds that a busy file is tried again before the caller hears of it."""

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_NOT_A_DATABASE = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


@dataclass(frozen=True, slots=True)
class Schema:
    """What a file of this kind must hold; written into its header, so that no other file is taken for it."""

    kind: str
    """For messages: `frontier`, `memory`."""
    application_id: int
    version: int
    statements: tuple[str, ...]
    page_size: int = 4096


class Database:
    """One open file of one schema; `write` and `read` run a function of the connection as one transaction.

    The function may run more than once (after a rollback, when the file was busy): it must change nothing but the
    database.
    """

    def __init__(self, path: str | Path, schema: Schema, *, cache_mib: int = 8, wal_mib: int = 4) -> None:
        self.path = Path(path)
        self._schema = schema
        self._closed = False
        self._connection = self._open(cache_mib, wal_mib)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"nephila-{schema.kind}")

    async def write(self, step: Callable[[sqlite3.Connection], T]) -> T:
        return await self._run("BEGIN IMMEDIATE", step)

    async def read(self, step: Callable[[sqlite3.Connection], T]) -> T:
        """One snapshot for all statements of `step`; never waits for a writer."""
        return await self._run("BEGIN", step)

    async def close(self) -> None:
        """Waits for what is under way; may be called twice."""
        if self._closed:
            return
        self._closed = True
        await asyncio.get_running_loop().run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown(wait=False)

    async def _run(self, begin: Literal["BEGIN", "BEGIN IMMEDIATE"], step: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise StateError(f"{self.path}: this {self._schema.kind} was closed")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._thread, self._patiently, lambda: _transact(self._connection, begin, step)
        )

    def _patiently(self, attempt: Callable[[], T]) -> T:
        try:
            return _while_busy(attempt)
        except sqlite3.Error as error:
            if not _is_busy(error):
                raise self._explained(error) from error
            raise StateError(
                f"{self.path}: another process has kept this file locked for {PATIENCE:.0f} seconds; "
                "stop it or choose another state directory"
            ) from error

    def _explained(self, error: sqlite3.Error) -> Exception:
        """A person can mend a full disk or a wrong file; anything else is a fault of ours and stays what it is."""
        code = _primary_code(error)
        if code in _NOT_A_DATABASE:
            return StateError(
                f"{self.path}: not a SQLite file, or a damaged one; move it away or choose another state directory"
            )
        if isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
            return StateError(f"{self.path}: the {self._schema.kind} cannot be read or written: {error}")
        return error

    def _open(self, cache_mib: int, wal_mib: int) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self.path, timeout=0, isolation_level=None, check_same_thread=False, cached_statements=256
            )
        except sqlite3.Error as error:
            raise self._explained(error) from error
        try:
            complete = self._patiently(lambda: self._identify(connection))
            connection.execute(f"PRAGMA page_size = {self._schema.page_size}")
            if self._patiently(lambda: turn_to_wal(connection)) != "wal":
                raise StateError(f"{self.path}: this place cannot hold a shared SQLite file; use a local disk")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = {-1024 * cache_mib}")
            connection.execute(f"PRAGMA wal_autocheckpoint = {wal_mib * 1024 * 1024 // self._schema.page_size}")
            if not complete:  # otherwise nobody who writes is held up
                self._patiently(lambda: _transact(connection, "BEGIN IMMEDIATE", self._create_if_empty))
        except BaseException:
            connection.close()
            raise
        return connection

    def _identify(self, connection: sqlite3.Connection) -> bool:
        """Whether the file holds our schema; False when it is empty. Someone else's file is left untouched."""
        return _transact(connection, "BEGIN", self._holds_schema)

    def _holds_schema(self, connection: sqlite3.Connection) -> bool:
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if not tables and not application_id:
            return False
        kind = self._schema.kind
        if application_id != self._schema.application_id:
            raise StateError(f"{self.path}: not a Nephila {kind}; move it away or choose another state directory")
        if version != self._schema.version:
            raise StateError(
                f"{self.path}: this {kind} has schema version {version}, this Nephila reads version "
                f"{self._schema.version}; use the Nephila that wrote it, or choose another state directory"
            )
        return True

    def _create_if_empty(self, connection: sqlite3.Connection) -> None:
        if self._holds_schema(connection):
            return
        for statement in self._schema.statements:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {self._schema.application_id}")
        connection.execute(f"PRAGMA user_version = {self._schema.version}")


def turn_to_wal(connection: sqlite3.Connection) -> str:
    """Returns the mode that the file has then: another, where the place cannot hold a shared file.

    Of two that turn a new file to WAL at once, SQLite tells one that it is locked, whatever its timeout: it would wait
    for the other in a circle. So it is tried again here.
    """
    (mode,) = _while_busy(lambda: connection.execute("PRAGMA journal_mode = WAL").fetchone())
    return str(mode)


def _while_busy(attempt: Callable[[], T]) -> T:
    """Runs `attempt` until the file is not busy, or the patience is over.

    SQLite's own busy handler sleeps up to 100 ms between tries, by a fixed table: under steady writers the one who has
    waited longest is the least likely to get in. Short sleeps of random length give everyone the same chance.
    """
    deadline = time.monotonic() + PATIENCE
    pause = 0.0005
    while True:
        try:
            return attempt()
        except sqlite3.Error as error:
            if not _is_busy(error) or time.monotonic() > deadline:
                raise
        time.sleep(random.uniform(pause / 2, pause))
        pause = min(0.016, pause * 2)


def _transact(
    connection: sqlite3.Connection, begin: Literal["BEGIN", "BEGIN IMMEDIATE"], step: Callable[[sqlite3.Connection], T]
) -> T:
    connection.execute(begin)
    try:
        result = step(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # some errors, such as a full disk, have rolled back already
            connection.execute("ROLLBACK")
        raise
    return result


def _primary_code(error: sqlite3.Error) -> int | None:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _is_busy(error: sqlite3.Error) -> bool:
    return _primary_code(error) in _BUSY
