"""Parquet: one file that is always whole, with row groups of a good size, typed and nested columns.

A commit leaves an Arrow piece in the ledger. When 64 MiB have gathered, or at the end, they become one row group: it is
appended behind the old footer, and a new footer behind it names every row group. The old footer stays as dead bytes, a
few kilobytes for each row group.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from nephila.errors import SinkError
from nephila.record import FIELD_NAMES, Record
from nephila.sinks import parquet_footer as footer
from nephila.sinks.appendfile import AppendFileSink
from nephila.sinks.base import Delivery, records_of
from nephila.sinks.format import Format
from nephila.sinks.gathering import GatheringSink
from nephila.sinks.ledger import Committed, Ledger
from nephila.sinks.plain import plain_row

_SAID = ("author", "published", "text")
"""What a comment or a post has a column for; whatever else it says is JSON, in `more`."""
_TYPES: dict[str, pa.DataType] = {
    "str": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "list[str]": pa.list_(pa.string()),
    "list[dict[str, Any]]": pa.list_(pa.struct([*((name, pa.string()) for name in _SAID), ("more", pa.json_())])),
    "dict[str, Any]": pa.json_(),
}
_TIMES = frozenset({"fetched_at"})
_REPEATING = ["kind", "language", "site", "site_name", "content_type", "extractor", "fetched_at", "status", "depth"]
"""Columns that few values fill: those alone are worth a dictionary."""


def _type_of(field: str) -> pa.DataType:
    if field in _TIMES:
        return pa.timestamp("ms", "UTC")
    return _TYPES[str(Record.__dataclass_fields__[field].type).removesuffix(" | None")]


SCHEMA = pa.schema([pa.field(name, _type_of(name), nullable=name != "url") for name in FIELD_NAMES])


class Parquet(Format):
    """A piece is an Arrow stream; only whole files and row groups are Parquet."""

    suffix = ".parquet"

    def encode(self, deliveries: Sequence[Delivery]) -> bytes:
        records = records_of(deliveries)
        if not records:
            return b""
        out = io.BytesIO()
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_stream(out, SCHEMA, options=options) as stream:
            stream.write_batch(to_batch(records))
        return out.getvalue()

    def whole(self, pieces: Sequence[bytes]) -> bytes:
        out = io.BytesIO()
        with pq.ParquetWriter(
            out, SCHEMA, compression="zstd", use_dictionary=_REPEATING, write_statistics=[*_REPEATING, "url"]
        ) as writer:
            if pieces:
                table = pa.concat_tables(pa.ipc.open_stream(piece).read_all() for piece in pieces)
                writer.write_table(table, row_group_size=max(1, table.num_rows))
        return out.getvalue()


class ParquetSink(GatheringSink, AppendFileSink):
    gather_bytes = 16 * 2**20
    """Compressed as the ledger holds them: about 64 MiB of text."""

    def __init__(self, path: Path | str, ledger: Ledger, *, overwrite: bool = False) -> None:
        AppendFileSink.__init__(self, path, ledger, Parquet(), overwrite=overwrite)

    def open(self) -> None:
        super().open()
        with self.ledger.writing():
            committed = self.ledger.committed(self.output)
            if committed is not None and not committed.size:  # a valid file from the first moment on
                self.ledger.enter(self.output, self.write_out(committed, []))
            else:
                self._known_metadata()
        self.is_open = True

    def write_out(self, committed: Committed, pieces: Sequence[bytes]) -> Committed:
        file = self.format.whole(pieces)
        if committed.size:
            pages, own = footer.split(file)
            metadata = self._known_metadata()
            metadata.append_row_groups(pq.read_metadata(_alone(footer.moved(own, committed.size))))
            joined = io.BytesIO()
            metadata.write_metadata_file(joined)
            file = pages + footer.framed(footer.split(joined.getvalue())[1])
        return AppendFileSink.store(self, committed, file)

    def _known_metadata(self) -> pq.FileMetaData:
        """The committed footer; bytes of a crash behind it are cut off before."""
        committed = self.ledger.committed(self.output)
        self.cut_torn_tail(committed or Committed())
        metadata = pq.read_metadata(self.path)
        if not metadata.schema.to_arrow_schema().equals(SCHEMA):
            raise SinkError(
                f"{self.uri} was written by another version of Nephila, with other columns: choose another -o"
            )
        return metadata


def to_batch(records: Sequence[Record]) -> pa.RecordBatch:
    rows = [plain_row(record) for record in records]
    return pa.RecordBatch.from_arrays(
        [_column(name, [row[name] for row in rows]) for name in FIELD_NAMES], schema=SCHEMA
    )


def _column(name: str, values: list[Any]) -> pa.Array:
    kind = SCHEMA.field(name).type
    if name in _TIMES:
        return pa.array([_time(value) for value in values], kind)
    if kind == pa.json_():
        texts = [None if value is None else orjson.dumps(value).decode() for value in values]
        return pa.array(texts, pa.string()).cast(kind)
    if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
        storage = pa.list_(pa.struct([*((said, pa.string()) for said in _SAID), ("more", pa.string())]))
        items = [None if value is None else [_said(item) for item in value] for value in values]
        return pa.array(items, storage).cast(kind)
    try:
        return pa.array(values, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # a value of a type that the record does not promise
        return pa.array([_fitting(value, kind) for value in values], kind)


def _said(item: Any) -> dict[str, str | None]:
    item = item if isinstance(item, dict) else {"value": item}
    said: dict[str, str | None] = {name: item[name] for name in _SAID if isinstance(item.get(name), str)}
    more = {name: value for name, value in item.items() if name not in said}
    return said | {"more": orjson.dumps(more).decode() if more else None}


def _time(value: Any) -> datetime | None:
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _fitting(value: Any, kind: pa.DataType) -> Any:
    try:
        return pa.scalar(value, kind).as_py()
    except (pa.ArrowInvalid, pa.ArrowTypeError, ValueError, OverflowError):
        return str(value) if pa.types.is_string(kind) else None


def to_record(row: dict[str, Any]) -> Record:
    """A row as pyarrow gives it, as the record that it was."""
    data = {name: value for name, value in row.items() if value is not None}
    if "fetched_at" in data:
        data["fetched_at"] = data["fetched_at"].isoformat(timespec="seconds")
    if "fields" in data:
        data["fields"] = orjson.loads(data["fields"])
    for name in ("comments", "posts", "related"):
        if name in data:
            data[name] = [_item(item) for item in data[name]]
    return Record.from_dict(data)


def _item(item: dict[str, Any]) -> dict[str, Any]:
    more = item.get("more")
    return {name: item[name] for name in _SAID if item[name] is not None} | (orjson.loads(more) if more else {})


def _alone(moved: bytes) -> io.BytesIO:
    """A footer without its pages, as a file that the reader of metadata takes."""
    return io.BytesIO(footer.MAGIC + footer.framed(moved))
