"""The footer of a Parquet file, moved: a row group that was written at the start of a buffer comes to stand elsewhere.

Arrow cannot append to a Parquet file, but the format can: the footer alone says where each row group lies. This module
reads a footer (Thrift's compact protocol, as generic values), adds a distance to every offset and writes it back.
"""

from __future__ import annotations

import io
from typing import Any, cast

MAGIC = b"PAR1"
_TAIL = 8
"""Length of the footer and the magic."""

_TRUE, _FALSE, _BYTE, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 6, 7, 8, 9, 10, 11, 12

Struct = dict[int, tuple[int, Any]]
"""Field number -> (wire type, value)."""


def split(file: bytes) -> tuple[bytes, bytes]:
    """A whole file as (pages, footer): the pages with the magic before them, the footer without what frames it."""
    length = int.from_bytes(file[-_TAIL:-4], "little")
    return file[: -_TAIL - length], file[-_TAIL - length : -_TAIL]


def framed(footer: bytes) -> bytes:
    """The footer as it stands at the end of a file."""
    return footer + len(footer).to_bytes(4, "little") + MAGIC


def moved(footer: bytes, distance: int) -> bytes:
    """The footer of the same pages, standing `distance` bytes further on."""
    metadata = _Reader(footer).struct()
    for row_group in _structs(metadata, 4):
        _move(row_group, 5, distance)
        for column in _structs(row_group, 1):
            for field in (2, 4, 6):  # the chunk itself, its offset index, its column index
                _move(column, field, distance)
            if 3 in column:
                for field in (9, 10, 11, 14):  # data, index and dictionary pages, the Bloom filter
                    _move(cast("Struct", column[3][1]), field, distance)
    out = io.BytesIO()
    _write_struct(out, metadata)
    return out.getvalue()


def _structs(struct: Struct, field: int) -> list[Struct]:
    return cast("list[Struct]", struct[field][1][1]) if field in struct else []


def _move(struct: Struct, field: int, distance: int) -> None:
    if field in struct and struct[field][1]:  # zero stands for absent
        kind, value = struct[field]
        struct[field] = kind, value + distance


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while (head := self._byte()) != 0:
            kind, step = head & 0x0F, head >> 4
            number = number + step if step else self._zigzag()
            fields[number] = kind, (kind == _TRUE) if kind in (_TRUE, _FALSE) else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        if kind <= _I64:
            return self._zigzag()
        if kind == _DOUBLE:
            return self._take(8)
        if kind == _BINARY:
            return self._take(self._varint())
        if kind in (_LIST, _SET):
            head = self._byte()
            size = self._varint() if head >> 4 == 15 else head >> 4
            return head & 0x0F, [self._value(head & 0x0F) for _ in range(size)]
        if kind == _STRUCT:
            return self.struct()
        raise ValueError(f"no footer of a Parquet file: wire type {kind}")

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _take(self, length: int) -> bytes:
        self._at += length
        return self._data[self._at - length : self._at]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def _zigzag(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)


def _write_struct(out: io.BytesIO, struct: Struct) -> None:
    last = 0
    for number, (kind, value) in struct.items():
        wire = (_TRUE if value else _FALSE) if kind in (_TRUE, _FALSE) else kind
        if 0 < number - last <= 15:
            out.write(bytes([(number - last) << 4 | wire]))
        else:
            out.write(bytes([wire]))
            _write_varint(out, _to_zigzag(number))
        if kind not in (_TRUE, _FALSE):
            _write_value(out, kind, value)
        last = number
    out.write(b"\0")


def _write_value(out: io.BytesIO, kind: int, value: Any) -> None:
    if kind in (_TRUE, _FALSE, _BYTE):
        out.write(bytes([value]))
    elif kind <= _I64:
        _write_varint(out, _to_zigzag(value))
    elif kind == _DOUBLE:
        out.write(value)
    elif kind == _BINARY:
        _write_varint(out, len(value))
        out.write(value)
    elif kind == _STRUCT:
        _write_struct(out, value)
    else:
        element, items = value
        out.write(bytes([min(len(items), 15) << 4 | element]))
        if len(items) >= 15:
            _write_varint(out, len(items))
        for item in items:
            _write_value(out, element, item)


def _to_zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _write_varint(out: io.BytesIO, value: int) -> None:
    while value > 0x7F:
        out.write(bytes([value & 0x7F | 0x80]))
        value >>= 7
    out.write(bytes([value]))
