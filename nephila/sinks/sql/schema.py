"""The tables: one row a record, and the keys of what was delivered. Made, and brought up to date, by the program."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import mysql, postgresql

from nephila.errors import SinkError
from nephila.record import FIELD_NAMES, Record
from nephila.sinks.sql.view import FieldView

TIMES = frozenset({"fetched_at"})
_TEXT = sa.Text().with_variant(mysql.LONGTEXT(charset="utf8mb4", collation="utf8mb4_bin"), "mysql", "mariadb")
_TYPES: dict[str, sa.types.TypeEngine[Any]] = {
    "str": _TEXT,
    "int": sa.BigInteger(),
    "float": sa.Double(),
    "bool": sa.Boolean(),
    "list[str]": sa.JSON().with_variant(postgresql.JSONB(), "postgresql"),
    "list[dict[str, Any]]": sa.JSON().with_variant(postgresql.JSONB(), "postgresql"),
    "dict[str, Any]": sa.JSON().with_variant(postgresql.JSONB(), "postgresql"),
}
_NAMES = {"schema": "record_schema"}
"""Fields whose name is a word of the language in one of the databases."""


def column_name(field: str) -> str:
    return _NAMES.get(field, field)


def _type_of(field: str) -> sa.types.TypeEngine[Any]:
    if field in TIMES:
        return sa.DateTime(timezone=True)
    return _TYPES[str(Record.__dataclass_fields__[field].type).removesuffix(" | None")]


class Tables:
    """`name` holds the records, `name_deliveries` the keys; `name_fields` shows what was learned, column by column."""

    def __init__(self, name: str) -> None:
        metadata = sa.MetaData()
        self.records = sa.Table(
            name,
            metadata,
            # A URL may be longer than an index allows: its hash identifies the row.
            sa.Column("id", sa.CHAR(32), primary_key=True),
            sa.Column("delivery", sa.BigInteger(), nullable=False),
            *(sa.Column(column_name(field), _type_of(field), nullable=field != "url") for field in FIELD_NAMES),
            mysql_charset="utf8mb4",
            mysql_row_format="DYNAMIC",
        )
        self.deliveries = sa.Table(
            f"{name}_deliveries",
            metadata,
            sa.Column("key", sa.BigInteger(), primary_key=True, autoincrement=False),
        )
        self.view = FieldView(self.records, metadata)
        sa.Index(f"{name}_site", self.records.c.site, mysql_length=64)
        self._metadata = metadata

    def prepare(self, connection: sa.Connection, uri: str) -> None:
        """Makes what is missing: tables, and columns that this version has and an older one had not."""
        inspector = sa.inspect(connection)
        name = self.records.name
        if inspector.has_table(name):
            there = {column["name"] for column in inspector.get_columns(name)}
            if not {"id", "delivery", "url"} <= there:
                raise SinkError(
                    f"{uri}: the table {name} was not made by Nephila: name another one, such as {uri}?table=crawl"
                )
            for column in self.records.columns:
                if column.name not in there:
                    connection.execute(_add_column(self.records, column, connection.dialect))
        self._metadata.create_all(connection)


def _add_column(table: sa.Table, column: sa.Column[Any], dialect: sa.Dialect) -> sa.TextClause:
    quote = dialect.identifier_preparer.quote
    return sa.text(f"ALTER TABLE {quote(table.name)} ADD COLUMN {quote(column.name)} {column.type.compile(dialect)}")
