"""Records as values that any format can carry: the one place that mends what a page may contain and JSON may not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
import xxhash

from nephila.record import Record


def json_lines(records: Sequence[Record]) -> bytes:
    return b"".join(_line(record) for record in records)


def plain_row(record: Record) -> dict[str, Any]:
    """The record as a dictionary of valid text, numbers, lists and dictionaries."""
    row = record.to_dict()
    try:
        orjson.dumps(row)
    except TypeError:
        row = _plain(row)
    return row


def row_ids(records: Sequence[Record]) -> list[str]:
    """The identity of each record of one delivery, 32 hexadecimal digits: its URL, and its place among those of the
    same URL. A later visit of the page gives the same ones, so that stores replace instead of adding.
    """
    seen: dict[str, int] = {}
    ids = []
    for record in records:
        place = seen[record.url] = seen.get(record.url, -1) + 1
        name = record.url if not place else f"{record.url}\n{place}"
        ids.append(xxhash.xxh3_128_hexdigest(name.encode("utf-8", "replace")))
    return ids


def _line(record: Record) -> bytes:
    try:
        return record.to_json() + b"\n"
    except TypeError:  # a half of a surrogate pair, an integer beyond 64 bits: one odd page must not hold up a segment
        return orjson.dumps(_plain(record.to_dict())) + b"\n"


def _plain(value: Any) -> Any:
    """The nearest value that JSON can carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_plain(str(name)): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(inner) for inner in value]
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and -(2**63) <= value < 2**63):
        return value
    return _plain(str(value))
