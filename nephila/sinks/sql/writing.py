"""How many rows get into each database quickly, replacing those with the same id. Knows tables, nothing of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.dialects import mysql, postgresql, sqlite

Row = dict[str, Any]


def upsert(connection: sa.Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    if connection.dialect.name == "postgresql":
        _copy(connection, table, rows)
        return
    changed = [column.name for column in table.columns if column.name != "id"]
    if connection.dialect.name == "sqlite":
        lite = sqlite.insert(table)
        connection.execute(
            lite.on_conflict_do_update(index_elements=["id"], set_={name: lite.excluded[name] for name in changed}),
            rows,
        )
    else:
        my = mysql.insert(table)
        connection.execute(my.on_duplicate_key_update({name: my.inserted[name] for name in changed}), rows)


def _copy(connection: sa.Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """COPY into a table of this transaction, then one upsert from there: three times as fast as INSERT."""
    quote = connection.dialect.identifier_preparer.quote
    names = ", ".join(quote(column.name) for column in table.columns)
    json = {column.name for column in table.columns if isinstance(column.type, sa.JSON | postgresql.JSONB)}
    connection.execute(
        sa.text(
            f"CREATE TEMPORARY TABLE IF NOT EXISTS nephila_incoming (LIKE {quote(table.name)}) ON COMMIT DELETE ROWS"
        )
    )
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(f"COPY nephila_incoming ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row([_plain(name, row[name], json) for name in row])
    changed = ", ".join(
        f"{quote(column.name)} = excluded.{quote(column.name)}" for column in table.columns if column.name != "id"
    )
    connection.execute(
        sa.text(
            f"INSERT INTO {quote(table.name)} ({names}) SELECT {names} FROM nephila_incoming"  # noqa: S608
            f" ON CONFLICT (id) DO UPDATE SET {changed}"
        )
    )


def _plain(name: str, value: Any, json: set[str]) -> Any:
    if name in json:
        return None if value is None else orjson.dumps(value).decode().replace("\\u0000", "\\ufffd")
    if isinstance(value, str) and "\0" in value:  # PostgreSQL's text cannot hold it
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return value
