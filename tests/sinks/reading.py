"""Every output read back as records, by the libraries that its readers would use."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
from warcio.archiveiterator import ArchiveIterator

from nephila.record import Record
from nephila.sinks.ledger import Ledger
from nephila.sinks.parquet import Parquet, to_record
from nephila.sinks.reader import read_records

_NUMBERS = {"status", "content_length", "depth", "schema"}
_NESTED = {"tags", "captions", "related", "comments", "fields", "posts", "post", "links"}


def read_back(path: Path, ledger: Path) -> list[Record]:
    """What is durable: the file, and what the ledger holds for it."""
    name = path.name
    if name.endswith(".parquet"):
        return [to_record(row) for row in pq.read_table(path).to_pylist() + _held(path, ledger)]
    if ".csv" in name:
        data = path.read_bytes()
        return _csv(gzip.decompress(data) if name.endswith(".gz") else data)
    if ".warc" in name:
        return _warc(path)
    return list(read_records(path))


def _held(path: Path, ledger_path: Path) -> list[dict[str, Any]]:
    ledger = Ledger(ledger_path)
    try:
        pieces = ledger.held(str(path.resolve()))
    finally:
        ledger.close()
    rows: list[dict[str, Any]] = pq.read_table(io.BytesIO(Parquet().whole(pieces))).to_pylist()
    return rows


def _csv(data: bytes) -> list[Record]:
    rows = csv.DictReader(io.StringIO(data.decode(), newline=""))
    return [Record.from_dict({name: _value(name, cell) for name, cell in row.items() if cell != ""}) for row in rows]


def _value(name: str, cell: str) -> Any:
    if name in _NUMBERS:
        return int(cell)
    if name == "confidence":
        return float(cell)
    if name == "rendered":
        return cell == "true"
    return orjson.loads(cell) if name in _NESTED else cell


def _warc(path: Path) -> list[Record]:
    with path.open("rb") as file:
        return [
            Record.from_dict(orjson.loads(record.content_stream().read()))
            for record in ArchiveIterator(file)
            if record.rec_type == "metadata"
        ]
