"""The spool: what one worker has finished of one job, in committed segments that nobody else writes.

A segment is one zstd frame (with checksum) of JSON lines, `{"key", "records", "page"}`; a commit appends it and syncs
the file. A file belongs to one life of one worker, whose name is never used again, so no writer ever meets another and
none has to mend what a crash left: a torn last frame was never acked, and readers stop before it.

A page may be in two spools (its worker died, or was taken for dead, between commit and ack): both deliveries have the
same key, and whoever merges keeps one. `zstdcat` reads these files as well. Knows sinks' deliveries, no cluster.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
import zstandard

from nephila.errors import InputError, SinkError
from nephila.page import Page
from nephila.record import Record
from nephila.sinks import Delivery
from nephila.sinks.plain import json_lines

SUFFIX = ".segments.zst"
_LEVEL = 3
_ROTATE = 256 * 2**20
_READ = 1 << 20
_SECRET = frozenset({"authorization", "proxy-authorization", "cookie"})
_MAX_FRAME = 2**30
"""Larger than any segment: what claims to be is no frame of ours."""


class Spool:
    """A `Sink` on the directory of a job, for one life of a worker."""

    def __init__(self, directory: Path, worker: str, *, wants_pages: bool = False) -> None:
        """`wants_pages`: the answers themselves are kept as well, for an export to an archive."""
        self.wants_pages = wants_pages
        self.uri = str(directory / f"{worker}.*{SUFFIX}")
        self._directory, self._worker = directory, worker
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True, write_content_size=True)
        self._fd: int | None = None
        self._size = self._files = 0

    def open(self) -> None:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            probe = self._directory / f".{self._worker}.probe"
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as error:
            raise SinkError(f"cannot write the spool {self._directory}: {_reason(error)}") from None

    def commit(self, segment: Sequence[Delivery]) -> int:
        wanted = [each for each in segment if each.records or (self.wants_pages and each.page)]
        lines = [_line(delivery, with_page=self.wants_pages) for delivery in wanted]
        if lines:
            try:
                self._append(self._compressor.compress(b"\n".join(lines) + b"\n"))
            except OSError as error:
                raise SinkError(f"cannot write {self.uri}: {_reason(error)}") from None
        return len(segment)

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _append(self, frame: bytes) -> None:
        if self._fd is None or self._size >= _ROTATE:
            self._next_file()
        assert self._fd is not None  # noqa: S101
        try:
            view = memoryview(frame)
            while view:
                view = view[os.write(self._fd, view) :]
            os.fsync(self._fd)
        except OSError:
            self.close()  # a torn frame must stay the last of its file
            raise
        self._size += len(frame)

    def _next_file(self) -> None:
        self.close()
        self._files += 1
        path = self._directory / f"{self._worker}.{self._files}{SUFFIX}"
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        self._size = 0
        directory = os.open(self._directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _line(delivery: Delivery, *, with_page: bool) -> bytes:
    records = b",".join(json_lines([each])[:-1] for each in delivery.records)
    page = orjson.dumps(_packed(delivery.page)) if with_page and delivery.page is not None else b"null"
    return b'{"key":%d,"records":[%s],"page":%s}' % (delivery.key, records, page)


def _packed(page: Page) -> list[Any]:
    asked = {name: value for name, value in (page.request_headers or {}).items() if name.lower() not in _SECRET}
    body = base64.b64encode(page.body).decode()
    return [page.url, page.final_url, page.status, body, page.fetched_at, dict(page.headers), page.rendered, asked]


def _page(packed: list[Any] | None) -> Page | None:
    if packed is None:
        return None
    url, final_url, status, body, fetched_at, headers, rendered, asked = packed
    return Page(
        url, final_url, status, base64.b64decode(body), fetched_at, headers, rendered, request_headers=asked or None
    )


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def spool_files(directory: Path) -> list[Path]:
    """The files of a job's spools, the oldest first: who resumes an export meets what it knows first."""
    return sorted(directory.glob(f"*{SUFFIX}"), key=lambda path: (path.stat().st_mtime_ns, path.name))


def read_segments(path: Path) -> Iterator[list[Delivery]]:
    """The committed segments of a file, also of one that is being written; raises InputError on damage within it."""
    return (deliveries for _, deliveries in segments_from(path, 0))


def segments_from(path: Path, start: int) -> Iterator[tuple[int, list[Delivery]]]:
    """Those behind a place where one ends, each with the place of its own end: for who reads on later."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            for end, deliveries in _segments(path, iter(lambda: file.read(_READ), b"")):
                yield start + end, deliveries
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def _segments(path: Path, chunks: Iterator[bytes]) -> Iterator[tuple[int, list[Delivery]]]:
    decompressor = zstandard.ZstdDecompressor()
    frame, parts, size, rest, taken = decompressor.decompressobj(), [], 0, b"", 0
    while True:
        piece = rest or next(chunks, b"")
        taken += 0 if rest else len(piece)
        rest = b""
        if not piece:
            return  # the end, perhaps amid a frame: that one was never acked
        try:
            parts.append(frame.decompress(piece))
        except zstandard.ZstdError as error:
            raise InputError(f"{path} is damaged: {error}") from None
        size += len(parts[-1])
        if size > _MAX_FRAME:
            raise InputError(f"{path} is no spool: a segment without an end")
        if frame.eof:
            rest = frame.unused_data
            yield taken - len(rest), _deliveries(path, b"".join(parts))
            frame, parts, size = decompressor.decompressobj(), [], 0


def _delivery(raw: dict[str, Any]) -> Delivery:
    records = [Record.from_dict(record) for record in raw["records"]]
    return Delivery(int(raw["key"]), records, _page(raw.get("page")))


def _deliveries(path: Path, data: bytes) -> list[Delivery]:
    try:
        raw = [orjson.loads(line) for line in data.splitlines()]
        return [_delivery(each) for each in raw]
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"{path} is no spool of this version: {error}") from None
