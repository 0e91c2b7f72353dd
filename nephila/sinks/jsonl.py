"""JSON Lines: one record a line, in a file (plain, gzip or Zstandard) or on standard output.

Each segment of a compressed file is one gzip member or one Zstandard frame, so `zcat`, `zstdcat` and every reader of
the formats sees one stream, and a torn tail never spoils what was committed before it.
"""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import orjson

from nephila.errors import SinkError
from nephila.record import Record
from nephila.sinks.appendfile import AppendFileSink
from nephila.sinks.base import Delivery
from nephila.sinks.ledger import Ledger

Compression = Literal["gzip", "zstd"]

GZIP_LEVEL = 6
ZSTD_LEVEL = 6
_STDOUT_MEMORY = 10_000


class JsonlSink(AppendFileSink):
    """One line a record, exactly once."""

    def __init__(
        self,
        path: Path | str,
        ledger: Ledger,
        compression: Compression | None = None,
        *,
        overwrite: bool = False,
    ) -> None:
        super().__init__(path, ledger, overwrite=overwrite)
        self._compress = _compressor(compression)

    def encode(self, records: Sequence[Record]) -> bytes:
        return self._compress(_lines(records))


class StdoutSink:
    """Lines on standard output, best effort: what a reader has taken cannot be taken back after a crash.

    A process does not repeat the deliveries that it wrote lately. `lock` is a file that the workers of one crawl share,
    so that no line of one ends up inside a line of another.
    """

    uri = "-"

    def __init__(self, lock: Path | None = None) -> None:
        self._lock = lock
        self._written: deque[int] = deque(maxlen=_STDOUT_MEMORY)

    def open(self) -> None:
        if self._lock is not None:
            self._lock.parent.mkdir(parents=True, exist_ok=True)

    def commit(self, segment: Sequence[Delivery]) -> int:
        written = set(self._written)
        fresh = {delivery.key: delivery for delivery in segment if delivery.key not in written}
        data = _lines([record for delivery in fresh.values() for record in delivery.records])
        try:
            with self._turn():
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
        except BrokenPipeError as error:
            raise SinkError("standard output was closed by its reader; run again to resume") from error
        except OSError as error:
            raise SinkError(f"cannot write to standard output: {error.strerror}") from error
        self._written.extend(fresh)
        return len(fresh)

    def close(self) -> None:
        """Nothing to give back: standard output is not ours to close."""

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        if self._lock is None:
            yield
            return
        fd = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)


def _lines(records: Sequence[Record]) -> bytes:
    return b"".join(_line(record) for record in records)


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


def _compressor(compression: Compression | None) -> Callable[[bytes], bytes]:
    if compression is None:
        return bytes
    if compression == "gzip":
        return lambda data: gzip.compress(data, compresslevel=GZIP_LEVEL, mtime=0)
    import zstandard  # only who asks for it pays for it

    return zstandard.ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True).compress
