"""The ledger: what each append-only output of a crawl holds, so that a file can be written exactly once.

One small SQLite file (WAL) in the crawl's state directory, shared by all worker processes of one machine. For each
output it keeps the committed size, the mark of its last bytes, and the set of delivery keys. Its commit is the commit
point of every file sink: bytes beyond the committed size are a crash's torn tail, and the next writer cuts them off.
`BEGIN IMMEDIATE` serialises the writers; a process that is killed gives the lock back to the kernel.

Keys live in one `WITHOUT ROWID` table an output: with 10 million random keys, 14.3 bytes a key, 3 us to look one up and
4 us to add one; the commit itself is bound by the disk. Knows nothing of records, formats or the files themselves.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from nephila.errors import StateError
from nephila.sqlite import turn_to_wal

_APPLICATION_ID = 0x4E50484C  # "NPHL"
_SCHEMA_VERSION = 2
_BUSY_SECONDS = 120.0
"""Longer than the slowest segment of the slowest disk: who waits longer faces a stopped process, not a busy one."""
_CHECKPOINT_PAGES = 4000
"""Random keys touch a page each; moving them home 16 MB at a time lets one move serve several commits."""

_inherited: list[sqlite3.Connection] = []
"""Connections that came over a fork. SQLite forbids a child even to close them, so they are kept from the collector."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What an output holds for certain."""

    size: int = 0
    records: int = 0
    deliveries: int = 0
    mark_length: int = 0
    """How many of the last committed bytes `mark` stands for."""
    mark: int = 0
    """Hash of those bytes: tells this crawl's file from another that took its name."""


class Ledger:
    """Opens its file at the first use, and again after `close` or in a forked child; threads may share it."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._lock = threading.RLock()
        self._open: sqlite3.Connection | None = None
        self._pid = 0
        self._ids: dict[str, int] = {}

    def committed(self, output: str) -> Committed | None:
        """None when this crawl has never opened the output."""
        with self._explained(), self._lock:
            row = (
                self._connection()
                .execute(
                    "SELECT size, records, deliveries, mark_length, mark FROM outputs WHERE name = ?",
                    (output,),
                )
                .fetchone()
            )
        return None if row is None else Committed(*row)

    def outputs(self) -> dict[str, Committed]:
        """Every output by name, in the order in which they were first opened."""
        with self._explained(), self._lock:
            rows = (
                self._connection()
                .execute("SELECT name, size, records, deliveries, mark_length, mark FROM outputs ORDER BY id")
                .fetchall()
            )
        return {name: Committed(*rest) for name, *rest in rows}

    def known(self, output: str, keys: Collection[int]) -> set[int]:
        """Those of `keys` that the output holds already."""
        with self._explained(), self._lock:
            table = self._table(output)
            if table is None or not keys:
                return set()
            rows = self._connection().execute(
                f"SELECT key FROM {table} WHERE key IN (SELECT value FROM json_each(?))",  # noqa: S608
                (orjson.dumps(list(keys)).decode(),),
            )
            return {key for (key,) in rows}

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The lock over all writers of all processes; leaving it commits, an exception takes everything back."""
        with self._explained(), self._lock:
            connection = self._connection()
            with self._turn():
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield
                    connection.execute("COMMIT")
                except BaseException:
                    self._ids.clear()
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise

    def enter(self, output: str, state: Committed) -> None:
        """Stores what the output holds now. Call within `writing`."""
        self._connection().execute(
            "INSERT INTO outputs (name, size, records, deliveries, mark_length, mark) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET size = excluded.size, records = excluded.records,"
            " deliveries = excluded.deliveries, mark_length = excluded.mark_length, mark = excluded.mark",
            (output, state.size, state.records, state.deliveries, state.mark_length, state.mark),
        )
        self._connection().execute(
            f"CREATE TABLE IF NOT EXISTS {self._table(output)} (key INTEGER PRIMARY KEY) WITHOUT ROWID"
        )

    def add(self, output: str, keys: Collection[int]) -> None:
        """Keeps keys that `known` has just not named. Call within `writing`, after `enter`."""
        self._connection().executemany(
            f"INSERT INTO {self._table(output)} (key) VALUES (?)",  # noqa: S608
            ((key,) for key in sorted(keys)),  # in order: neighbours share a page
        )

    def forget(self, output: str) -> None:
        """The output starts anew, empty. Call within `writing`."""
        self.enter(output, Committed())
        self._connection().execute(f"DELETE FROM {self._table(output)}")  # noqa: S608
        self.release(output)
        self._connection().execute("DELETE FROM notes WHERE output = ?", (self._number(output),))

    # -- pieces that wait for their place, and notes of a format -----------------------------------------------------

    def hold(self, output: str, piece: bytes) -> None:
        """Keeps bytes of the output till they are released. Call within `writing`."""
        self._connection().execute("INSERT INTO held (output, piece) VALUES (?, ?)", (self._number(output), piece))

    def held(self, output: str) -> list[bytes]:
        """The pieces in their order."""
        rows = self._connection().execute(
            "SELECT piece FROM held WHERE output = ? ORDER BY id", (self._number(output),)
        )
        return [piece for (piece,) in rows]

    def held_size(self, output: str) -> int:
        row = self._connection().execute(
            "SELECT coalesce(sum(length(piece)), 0) FROM held WHERE output = ?", (self._number(output),)
        )
        return int(row.fetchone()[0])

    def release(self, output: str) -> None:
        self._connection().execute("DELETE FROM held WHERE output = ?", (self._number(output),))

    def note(self, output: str, notes: Mapping[int, str]) -> None:
        """Small facts by number; the first one stays. Call within `writing`."""
        number = self._number(output)
        self._connection().executemany(
            "INSERT OR IGNORE INTO notes (output, key, note) VALUES (?, ?, ?)",
            ((number, key, note) for key, note in notes.items()),
        )

    def notes(self, output: str, keys: Collection[int]) -> dict[int, str]:
        with self._explained(), self._lock:
            rows = self._connection().execute(
                "SELECT key, note FROM notes WHERE output = ? AND key IN (SELECT value FROM json_each(?))",
                (self._number(output), orjson.dumps(list(keys)).decode()),
            )
            return dict(rows.fetchall())

    def identity(self) -> str:
        """Tells this ledger from every other: eight hexadecimal digits, made once. Call within `writing`."""
        row = self._connection().execute("SELECT note FROM notes WHERE output = 0 AND key = 0").fetchone()
        if row is None:
            row = (secrets.token_hex(4),)
            self._connection().execute("INSERT INTO notes (output, key, note) VALUES (0, 0, ?)", row)
        return str(row[0])

    def close(self) -> None:
        with self._lock:
            if self._open is not None and self._pid == os.getpid():
                self._open.close()
                self._open = None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Queues for SQLite's lock in the kernel: SQLite itself polls, up to 100 ms apart, and lets waiters starve."""
        fd = os.open(self.path.with_name(self.path.name + "-turn"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            with suppress(OSError):  # a file system without it: SQLite's own lock is what counts
                fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)

    def _table(self, output: str) -> str | None:
        """Name of the output's key table; built from a number alone, so it is safe in a statement."""
        number = self._number(output)
        return None if number is None else f"delivered_{number:d}"

    def _number(self, output: str) -> int | None:
        number = self._ids.get(output)
        if number is None:
            row = self._connection().execute("SELECT id FROM outputs WHERE name = ?", (output,)).fetchone()
            if row is None:
                return None
            number = self._ids[output] = int(row[0])
        return number

    def _connection(self) -> sqlite3.Connection:
        if self._open is not None and self._pid != os.getpid():
            _inherited.append(self._open)
            self._open = None
        if self._open is None:
            self._open, self._pid = self._connect(), os.getpid()
        return self._open

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        turn_to_wal(connection)
        # FULL: an acked record must outlive the machine, and in WAL mode NORMAL may lose the last commits with it.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES:d}")
        connection.execute("PRAGMA cache_size = -32768")
        if self._recognised(connection):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            if not self._recognised(connection):  # another process may have been first
                connection.execute(
                    "CREATE TABLE outputs (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL,"
                    " records INTEGER NOT NULL, deliveries INTEGER NOT NULL, mark_length INTEGER NOT NULL,"
                    " mark INTEGER NOT NULL)"
                )
                connection.execute(
                    "CREATE TABLE held (id INTEGER PRIMARY KEY, output INTEGER NOT NULL, piece BLOB NOT NULL)"
                )
                connection.execute(
                    "CREATE TABLE notes (output INTEGER, key INTEGER, note TEXT NOT NULL, PRIMARY KEY (output, key))"
                    " WITHOUT ROWID"
                )
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID:d}")
                connection.execute(f"PRAGMA user_version = {_SCHEMA_VERSION:d}")
        finally:
            connection.execute("COMMIT")

    def _recognised(self, connection: sqlite3.Connection) -> bool:
        """True for a ledger of this version, False for an empty file; anything else is an error."""
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if application == _APPLICATION_ID and version == _SCHEMA_VERSION:
            return True
        if application == _APPLICATION_ID:
            raise StateError(
                f"{self.path} was written by another version of Nephila (ledger format {version}, this one reads"
                f" {_SCHEMA_VERSION}): resume with that version, or start anew with another --state directory"
            )
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise StateError(f"{self.path} is not a ledger of Nephila: choose another --state directory")
        return False

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turns what SQLite and the file system say into one line that a person can act upon."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise StateError(
                    f"{self.path} is held by another process for more than {_BUSY_SECONDS:.0f} s:"
                    " end the crawl that is stopped or hung, then run again"
                ) from error
            raise StateError(
                f"cannot write the crawl's ledger {self.path}: {error}; check the disk's free space"
                " and the permissions of the directory, then run again to resume"
            ) from error
        except OSError as error:
            raise StateError(f"cannot use the state directory {self.path.parent}: {error.strerror}") from error
        except sqlite3.DatabaseError as error:
            raise StateError(
                f"{self.path} cannot be read as a ledger ({error}): choose another --state directory"
            ) from error


def output_totals(ledger_path: Path | str) -> dict[str, Committed]:
    """What a crawl has delivered so far, by output; empty when it has not begun."""
    if not Path(ledger_path).exists():
        return {}
    ledger = Ledger(ledger_path)
    try:
        return ledger.outputs()
    finally:
        ledger.close()
