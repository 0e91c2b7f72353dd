"""The view `NAME_fields`: the learned fields of the records as typed columns, such as `price` and `price_currency`.

The records hold them as JSON; a view costs nothing to write and is never behind. A small table remembers which fields
there are and what their values look like; with a new one the view is made anew. Knows databases, nothing of commits.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from nephila.sinks.columns import DATE, KIND, LIST, NUMBER, OTHER, PAGE, Column, columns_of

Shape = tuple[str, str]
"""A field, and what a value of it looks like."""


class FieldView:
    def __init__(self, records: sa.Table, metadata: sa.MetaData) -> None:
        self._records = records
        self.name = f"{records.name}_fields"
        self._shapes = sa.Table(
            f"{records.name}_shapes",
            metadata,
            sa.Column("field", sa.String(60), primary_key=True),
            sa.Column("shape", sa.String(20), primary_key=True),
            mysql_charset="utf8mb4",
            mysql_collate="utf8mb4_bin",
        )

    def extend(self, connection: sa.Connection, shapes: Collection[Shape]) -> set[Shape]:
        """Makes the view anew when one of the shapes is new; returns all that are known."""
        known = {(field, shape) for field, shape in connection.execute(sa.select(self._shapes))}
        fresh = sorted(set(shapes) - known)
        if fresh:
            connection.execute(sa.insert(self._shapes), [{"field": field, "shape": shape} for field, shape in fresh])
            known.update(fresh)
            quote = connection.dialect.identifier_preparer.quote
            connection.exec_driver_sql(f"DROP VIEW IF EXISTS {quote(self.name)}")
            connection.exec_driver_sql(self._definition(connection.dialect, columns_of(sorted(known))))
        return known

    def _definition(self, dialect: sa.Dialect, columns: Collection[Column]) -> str:
        """Names of fields are letters, digits and underscores, so that none can end a quotation."""
        quote = dialect.identifier_preparer.quote
        value = _VALUES.get(dialect.name, _mysql)
        parts = [f"url AS {quote(PAGE)}", f"kind AS {quote(KIND)}"]
        parts += [f"{value(column)} AS {quote(column.name)}" for column in columns]
        chosen = f"SELECT {', '.join(parts)} FROM {quote(self._records.name)} WHERE fields IS NOT NULL"  # noqa: S608
        return f"CREATE VIEW {quote(self.name)} AS {chosen}"


def _path(column: Column) -> str:
    return f'$."{column.field}"' + (f'."{column.part}"' if column.part else "")


def _sqlite(column: Column) -> str:
    value = f"json_extract(fields, '{_path(column)}')"
    if column.kind == NUMBER:
        return f"CASE WHEN json_type(fields, '{_path(column)}') IN ('integer', 'real') THEN {value} END"
    return value


def _postgresql(column: Column) -> str:
    steps = [column.field, *([column.part] if column.part else [])]
    value = "fields" + "".join(f"->'{step}'" for step in steps)
    if column.kind in (LIST, OTHER):
        return value
    text = "fields" + "".join(f"->'{step}'" for step in steps[:-1]) + f"->>'{steps[-1]}'"
    if column.kind == NUMBER:
        return f"CASE WHEN jsonb_typeof({value}) = 'number' THEN ({text})::double precision END"
    if column.kind == DATE:
        return f"CASE WHEN {text} ~ '^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}$' THEN ({text})::date END"
    return text


def _mysql(column: Column) -> str:
    if column.kind in (LIST, OTHER):
        return f"JSON_EXTRACT(fields, '{_path(column)}')"
    value = f"JSON_UNQUOTE(JSON_EXTRACT(fields, '{_path(column)}'))"
    if column.kind == NUMBER:
        kind = f"JSON_TYPE(JSON_EXTRACT(fields, '{_path(column)}'))"
        return f"CASE WHEN {kind} IN ('INTEGER', 'DOUBLE', 'DECIMAL') THEN {value} + 0e0 END"
    return f"CAST({value} AS DATE)" if column.kind == DATE else value


_VALUES: dict[str, Any] = {"sqlite": _sqlite, "postgresql": _postgresql}
