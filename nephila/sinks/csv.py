"""CSV: one row a record, the record's fields as columns, lists and objects as JSON in their cell; RFC 4180, UTF-8."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

import orjson

from nephila.record import FIELD_NAMES
from nephila.sinks.base import Delivery, records_of
from nephila.sinks.format import Format
from nephila.sinks.jsonl import SUFFIXES, Compression, compressor
from nephila.sinks.plain import plain_row


class Csv(Format):
    def __init__(self, compression: Compression | None = None) -> None:
        self.suffix = ".csv" + SUFFIXES[compression]
        self._compress = compressor(compression)

    def head(self) -> bytes:
        return self._compress(_rows([FIELD_NAMES]))

    def encode(self, deliveries: Sequence[Delivery]) -> bytes:
        records = records_of(deliveries)
        if not records:
            return b""
        return self._compress(_rows([[_cell(value) for value in plain_row(r).values()] for r in records]))


def _rows(rows: Sequence[Sequence[Any]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return orjson.dumps(value).decode()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and "\0" in value:  # many readers end a cell there
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return value
