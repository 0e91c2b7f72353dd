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
from typing import Literal

from nephila.errors import SinkError
from nephila.sinks.appendfile import AppendFileSink
from nephila.sinks.base import Delivery, records_of
from nephila.sinks.format import Format
from nephila.sinks.ledger import Ledger
from nephila.sinks.plain import json_lines

Compression = Literal["gzip", "zstd"]
SUFFIXES: dict[Compression | None, str] = {None: "", "gzip": ".gz", "zstd": ".zst"}

GZIP_LEVEL = 6
ZSTD_LEVEL = 6
_STDOUT_MEMORY = 10_000


class JsonLines(Format):
    def __init__(self, compression: Compression | None = None) -> None:
        self.suffix = ".jsonl" + SUFFIXES[compression]
        self._compress = compressor(compression)

    def encode(self, deliveries: Sequence[Delivery]) -> bytes:
        lines = json_lines(records_of(deliveries))
        return self._compress(lines) if lines else b""


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
        super().__init__(path, ledger, JsonLines(compression), overwrite=overwrite)


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
        data = json_lines(records_of(list(fresh.values())))
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


def compressor(compression: Compression | None) -> Callable[[bytes], bytes]:
    if compression is None:
        return bytes
    if compression == "gzip":
        return lambda data: gzip.compress(data, compresslevel=GZIP_LEVEL, mtime=0)
    import zstandard  # only who asks for it pays for it

    return zstandard.ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True).compress
