"""Reading JSON Lines outputs back: whole files, and the committed part of one that is still growing.

A crawl that runs may have bytes at the end of its file that are not committed; with the ledger's path the readers stop
where the ledger says. Every segment is a whole number of lines and of compressed frames, so any committed size is a
place where decompression can start and stop.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import itertools
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import IO

import orjson

from nephila.errors import InputError
from nephila.record import Record
from nephila.sinks.appendfile import output_name
from nephila.sinks.ledger import Ledger

_BATCH = 256
"""Records that `tail` reads in one go off the event loop."""


def read_records(path: Path | str, ledger_path: Path | str | None = None) -> Iterator[Record]:
    """The records of a .jsonl, .jsonl.gz or .jsonl.zst file; with the ledger, those that are committed."""
    if ledger_path is None:
        yield from _read_range(Path(path), 0, None)
        return
    progress = _CommittedSize(path, ledger_path)
    try:
        size = progress()
    finally:
        progress.close()
    if size:
        yield from _read_range(Path(path), 0, size)


def follow(
    path: Path | str,
    ledger_path: Path | str,
    *,
    finished: Callable[[], bool],
    start: int = 0,
    poll: float = 0.2,
) -> Iterator[Record]:
    """Records in the order of their commit, waiting for more until `finished()` and all is read.

    `start` is a committed size seen before: what came up to it is left out.
    """
    follower = _Follower(path, ledger_path, finished, start)
    try:
        while (batch := follower.step()) is not None:
            yield from batch
            if not batch:
                time.sleep(poll)
    finally:
        follower.close()


async def tail(
    path: Path | str,
    ledger_path: Path | str,
    *,
    finished: Callable[[], bool],
    start: int = 0,
    poll: float = 0.2,
) -> AsyncIterator[Record]:
    """`follow` for the event loop: files and ledger are read in a thread."""
    follower = _Follower(path, ledger_path, finished, start)
    try:
        while (batch := await asyncio.to_thread(follower.step)) is not None:
            for record in batch:
                yield record
            if not batch:
                await asyncio.sleep(poll)
    finally:
        follower.close()


class _Follower:
    """Where a reader stands in a growing file."""

    def __init__(self, path: Path | str, ledger_path: Path | str, finished: Callable[[], bool], start: int) -> None:
        self._path = Path(path)
        self._committed = _CommittedSize(path, ledger_path)
        self._finished = finished
        self._offset = start
        self._growth: Iterator[Record] = iter(())

    def step(self) -> list[Record] | None:
        """The next records, few enough to hold; none when there are none yet; None when it is over."""
        if batch := list(itertools.islice(self._growth, _BATCH)):
            return batch
        last = self._finished()  # asked before the size, so that what was committed just before the end is not missed
        size = self._committed()
        if size > self._offset:
            self._growth, self._offset = _read_range(self._path, self._offset, size), size
            return list(itertools.islice(self._growth, _BATCH))
        return None if last else []

    def close(self) -> None:
        self._committed.close()


class _CommittedSize:
    """Asks the ledger how far the file is committed; 0 while the crawl has not begun."""

    def __init__(self, path: Path | str, ledger_path: Path | str) -> None:
        self._output = output_name(path)
        self._ledger = Ledger(ledger_path)

    def __call__(self) -> int:
        if not self._ledger.path.exists():  # reading must not create the state directory of a crawl to come
            return 0
        state = self._ledger.committed(self._output)
        return 0 if state is None else state.size

    def close(self) -> None:
        self._ledger.close()


def _read_range(path: Path, start: int, end: int | None) -> Iterator[Record]:
    try:
        with path.open("rb") as file:
            file.seek(start)
            raw = file if end is None else io.BufferedReader(_Bounded(file, end - start), 1 << 16)
            with _decompressed(raw, path) as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield _parse(line, path, number, start)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _parse(line: bytes, path: Path, number: int, start: int) -> Record:
    try:
        return Record.from_dict(orjson.loads(line))
    except (orjson.JSONDecodeError, TypeError, AttributeError) as error:
        place = f"line {number:,}" + (f" after byte {start:,}" if start else "")
        raise InputError(f"{path}, {place}, is not a record of Nephila: {error}") from error


def _decompressed(raw: IO[bytes], path: Path) -> IO[bytes] | gzip.GzipFile:
    if path.name.lower().endswith(".gz"):
        return gzip.GzipFile(fileobj=raw)
    if path.name.lower().endswith(".zst"):
        import zstandard  # only who reads it pays for it

        stream = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True, closefd=False)
        return io.BufferedReader(_Raised(stream), 1 << 16)
    return raw


class _Bounded(io.RawIOBase):
    """The next `length` bytes of a file, and no more."""

    def __init__(self, file: IO[bytes], length: int) -> None:
        self._file = file
        self._left = length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._file.read(min(len(buffer), self._left))
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)


class _Raised(io.RawIOBase):
    """A Zstandard stream whose complaints are those of any broken file."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        import zstandard

        try:
            data = self._stream.read(len(buffer))
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from error
        buffer[: len(data)] = data
        return len(data)
