"""The SQL sink: keys and rows of a segment in one transaction; known keys are left out, known URLs replaced."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError

from nephila.errors import SinkError
from nephila.sinks.base import Delivery, UnreachableError, shown
from nephila.sinks.columns import own_fields, shape_of
from nephila.sinks.patience import patiently
from nephila.sinks.plain import plain_row, row_ids
from nephila.sinks.sql.schema import TIMES, Tables, column_name
from nephila.sinks.sql.view import Shape
from nephila.sinks.sql.writing import Row, upsert
from nephila.sqlite import turn_to_wal

logger = logging.getLogger(__name__)

DEFAULT_TABLE = "pages"
_DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}
_DRIVERS |= {"mysql": "mysql+pymysql", "mariadb": "mariadb+pymysql", "sqlite": "sqlite"}
_CONNECT_SECONDS = 10
_TURNS = 5
"""Transactions that lost a race are tried again, so many times."""
_MANY_KEYS = 500


class SqlSink:
    """`postgresql://user@host/database?table=pages`, `mysql://...`, `mariadb://...`, `sqlite:///file`."""

    def __init__(self, uri: str) -> None:
        self.uri = shown(uri)
        url, table = _address(uri)
        self._url = url
        self._tables = Tables(table)
        self._engine: sa.Engine | None = None
        self._shown: set[Shape] = set()
        """The shapes of fields that the view of them has."""
        self._view_turns = _TURNS

    def open(self) -> None:
        if self._url.drivername == "sqlite" and self._url.database:
            _make_parent(Path(self._url.database), self.uri)
        self._engine = _engine(self._url)
        for last in (False, True):
            try:
                with self._engine.begin() as connection:
                    self._tables.prepare(connection, self.uri)
                break
            except SQLAlchemyError as error:
                # Two workers may make the same table at the same moment; the second look finds it there.
                if last or (isinstance(error, DBAPIError) and error.connection_invalidated):
                    raise UnreachableError(f"cannot use {self.uri}: {_reason(error)}") from error

    def commit(self, segment: Sequence[Delivery]) -> int:
        if not segment:
            return 0
        rows = {delivery.key: _rows(delivery) for delivery in reversed(segment)}
        written = patiently(lambda: self._commit(rows), self.uri)
        self._show(
            {
                (name, shape_of(value))
                for delivery in segment
                for record in delivery.records
                for name, value in own_fields(record.fields).items()
            }
        )
        return written

    def _show(self, shapes: set[Shape]) -> None:
        """Gives new fields their columns. Apart from the commit: the view says nothing that the rows do not hold."""
        if self._engine is None or shapes <= self._shown or not self._view_turns:
            return
        try:
            with self._engine.begin() as connection:
                self._shown = self._tables.view.extend(connection, shapes)
            self._view_turns = _TURNS
        except SQLAlchemyError as error:  # another writer was at it in the same moment; the next commit comes by again
            self._view_turns -= 1  # or views are forbidden here
            logger.debug("the view of the fields in %s is not up to date: %s", self.uri, _reason(error))

    def count(self) -> int:
        if self._engine is None:
            raise SinkError(f"{self.uri} was not opened before it was counted")
        try:
            with self._engine.connect() as connection:
                return int(connection.scalar(sa.select(sa.func.count()).select_from(self._tables.records)) or 0)
        except SQLAlchemyError as error:
            raise UnreachableError(f"cannot read {self.uri}: {_reason(error)}") from error

    def close(self) -> None:
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    def _commit(self, rows: dict[int, list[Row]]) -> int:
        if self._engine is None:
            raise SinkError(f"{self.uri} was not opened before it was written")
        for turn in range(_TURNS):
            try:
                with self._engine.begin() as connection:
                    return self._write(connection, rows)
            except IntegrityError as error:  # another writer has delivered one of these pages in between
                if turn + 1 == _TURNS:
                    raise UnreachableError(f"cannot write {self.uri}: {_reason(error)}") from error
            except DBAPIError as error:
                if isinstance(error, sa.exc.OperationalError | sa.exc.InterfaceError | sa.exc.InternalError):
                    raise UnreachableError(f"cannot write {self.uri}: {_reason(error)}") from error
                raise SinkError(f"cannot write {self.uri}: {_reason(error)}") from error
        raise AssertionError("unreachable")

    def _write(self, connection: sa.Connection, rows: dict[int, list[Row]]) -> int:
        table = self._tables.deliveries
        known = _known(connection, table, list(rows))
        fresh = [key for key in rows if key not in known]
        if fresh:
            # In one order for all writers: they wait for each other, and never in a circle.
            connection.execute(sa.insert(table), [{"key": key} for key in sorted(fresh)])
        latest = {row["id"]: row for key in reversed(fresh) for row in rows[key]}
        if latest:
            upsert(connection, self._tables.records, _in_order(latest, connection.dialect.name))
        return len(fresh)


def _known(connection: sa.Connection, table: sa.Table, keys: list[int]) -> set[int]:
    known: set[int] = set()
    for start in range(0, len(keys), _MANY_KEYS):
        some = keys[start : start + _MANY_KEYS]
        known.update(connection.scalars(sa.select(table.c.key).where(table.c.key.in_(some))))
    return known


def _in_order(rows: dict[str, Row], dialect: str) -> list[Row]:
    # SQLite has one writer, so nobody can wait in a circle; there the order of the crawl is kept.
    return list(rows.values()) if dialect == "sqlite" else [rows[name] for name in sorted(rows)]


def _rows(delivery: Delivery) -> list[Row]:
    return [
        {"id": identity, "delivery": delivery.key, **_values(plain_row(record))}
        for record, identity in zip(delivery.records, row_ids(delivery.records), strict=True)
    ]


def _values(row: dict[str, Any]) -> Row:
    return {column_name(name): _time(value) if name in TIMES else value for name, value in row.items()}


def _time(value: Any) -> datetime | None:
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return time.astimezone(UTC)


def _address(uri: str) -> tuple[URL, str]:
    try:
        url = make_url(uri)
    except ArgumentError:
        raise SinkError(f"{shown(uri)} is not the address of a database: such as postgresql://user@host/name") from None
    table = url.query.get("table", DEFAULT_TABLE)
    if not isinstance(table, str) or not re.fullmatch(r"[A-Za-z_]\w{0,40}", table):
        raise SinkError(f"{shown(uri)}: the name of a table is up to 41 letters, digits and underscores")
    url = url.difference_update_query(["table"]).set(drivername=_DRIVERS[url.drivername])
    if not url.database and url.host and url.drivername.startswith("sqlite"):
        raise SinkError(f"{shown(uri)} names a host, and SQLite has none: write sqlite:///{url.host}")
    if not url.database:
        raise SinkError(
            f"{shown(uri)} names no database: write it after the host, such as {shown(uri).rstrip('/')}/crawl"
        )
    return url, table


def _engine(url: URL) -> sa.Engine:
    options: dict[str, Any] = {"timeout": 60.0} if url.drivername == "sqlite" else {"connect_timeout": _CONNECT_SECONDS}
    if "mysql" in url.drivername or "mariadb" in url.drivername:
        options["charset"] = "utf8mb4"
    engine = sa.create_engine(
        url,
        connect_args=options,
        pool_pre_ping=url.drivername != "sqlite",
        json_serializer=lambda value: orjson.dumps(value).decode(),
        json_deserializer=orjson.loads,
    )
    if url.drivername == "sqlite":
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions are begun here, not guessed by the driver
    turn_to_wal(connection)
    connection.execute("PRAGMA synchronous = FULL")


def _make_parent(path: Path, uri: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SinkError(f"cannot create the directory of {uri}: {error.strerror}") from error


def _reason(error: BaseException) -> str:
    """The database's own words, on one line."""
    inner = getattr(error, "orig", None) or error
    return " ".join(str(inner).split())[:300]
