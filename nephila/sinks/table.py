"""`NAME.table.parquet`: the fields of a crawl as a typed table, a row a page and a column a field.

Which fields there are shows only as the crawl goes on, and a Parquet file has the same columns throughout. So the
ledger holds the fields of every delivery (they are small; the text of the page is not among them), and the file is made
of all of them, whole and in one step, when the crawl ends or is stopped. A later visit of a page replaces its row.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from nephila.errors import SinkError
from nephila.sinks.appendfile import output_name
from nephila.sinks.base import Delivery
from nephila.sinks.columns import (
    BOOLEAN,
    DATE,
    KIND,
    LIST,
    NUMBER,
    OTHER,
    PAGE,
    Column,
    columns_of,
    own_fields,
    shape_of,
)
from nephila.sinks.format import Format
from nephila.sinks.ledger import Committed, Ledger
from nephila.sinks.ledgered import LedgeredSink
from nephila.sinks.plain import plain_row, row_ids

logger = logging.getLogger(__name__)

_TYPES = {NUMBER: pa.float64(), BOOLEAN: pa.bool_(), DATE: pa.date32(), LIST: pa.list_(pa.string())}
Row = tuple[str, str, str | None, dict[str, Any]]
"""Identity, page, kind, fields."""


class Rows(Format):
    """What the ledger holds: the fields of deliveries, a JSON list each."""

    suffix = ".rows"

    def encode(self, deliveries: Sequence[Delivery]) -> bytes:
        rows = []
        for delivery in deliveries:
            for identity, record in zip(row_ids(delivery.records), map(plain_row, delivery.records), strict=True):
                # A page that lost its fields since the last visit loses its row as well.
                rows.append((identity, record["url"], record["kind"], own_fields(record["fields"])))
        return zstandard.compress(orjson.dumps(rows)) if rows else b""


class TableSink(LedgeredSink):
    def __init__(self, path: Path | str, ledger: Ledger, *, overwrite: bool = False) -> None:
        super().__init__(str(path), output_name(path), ledger, Rows())
        self.path = Path(path)
        self.overwrite = overwrite
        self._is_open = False

    def open(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SinkError(f"cannot create the directory of {self.uri}: {error.strerror}") from error
        with self.ledger.writing():
            if self.ledger.committed(self.output) is None:
                if self.path.exists() and self.path.stat().st_size and not self.overwrite:
                    raise SinkError(
                        f"{self.uri} exists and was not written by this crawl:"
                        " move it away, choose another -o, or pass --overwrite to replace it"
                    )
                self.ledger.forget(self.output)
            self._write()
        self._is_open = True

    def store(self, committed: Committed, encoded: bytes) -> Committed:
        self.ledger.hold(self.output, encoded)
        return committed

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            try:
                with self.ledger.writing():
                    self._write()
            except SinkError as error:
                logger.warning("%s; the rows wait in %s: run again to write them", error, self.ledger.path)
        super().close()

    def _write(self) -> None:
        """The file anew, in the place of the old one at once; the ledger is told its size. Call within `writing`."""
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with beside.open("wb") as file:
                pq.write_table(to_table(_unpacked(self.ledger.held(self.output))), file, compression="zstd")
                file.flush()
                os.fsync(file.fileno())
                size = file.tell()
            beside.replace(self.path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise SinkError(f"cannot write {self.uri}: {error.strerror}") from error
        committed = self.ledger.committed(self.output)
        if committed is not None:
            self.ledger.enter(self.output, replace(committed, size=size))


def _unpacked(pieces: Sequence[bytes]) -> Iterator[Row]:
    for piece in pieces:
        yield from orjson.loads(zstandard.decompress(piece))


def to_table(rows: Iterator[Row]) -> pa.Table:
    """The newest row of each page that has fields."""
    newest: dict[str, Row] = {}
    for row in rows:
        newest[row[0]] = row
    kept = [row for row in newest.values() if row[3]]
    shapes = dict.fromkeys((name, shape_of(value)) for row in kept for name, value in row[3].items())
    columns = columns_of(shapes)
    return pa.table(
        {
            PAGE: pa.array([row[1] for row in kept], pa.string()),
            KIND: pa.array([row[2] for row in kept], pa.string()),
            **{column.name: _array(column, kept) for column in columns},
        }
    )


def _array(column: Column, rows: Sequence[Row]) -> pa.Array:
    values = [column.of(row[3]) for row in rows]
    if column.kind == OTHER:
        texts = [None if value is None else orjson.dumps(value).decode() for value in values]
        return pa.array(texts, pa.string()).cast(pa.json_())
    return pa.array(values, _TYPES.get(column.kind, pa.string()))
