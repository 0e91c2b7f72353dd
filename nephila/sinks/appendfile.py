"""Exactly-once appending to a file: the commit protocol that every single-file sink shares.

Within the ledger's lock: leave out what is known, cut a torn tail, append one encoded segment, fsync, then let the
ledger commit. A file that this crawl did not write is never cut: the ledger keeps a hash
of the last committed bytes and it must match, and a new output must be empty and in no one else's hands.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from dataclasses import replace
from pathlib import Path

import xxhash

from nephila.errors import SinkError
from nephila.sinks.format import Format
from nephila.sinks.ledger import Committed, Ledger
from nephila.sinks.ledgered import LedgeredSink

_MARK_BYTES = 4096


class AppendFileSink(LedgeredSink):
    """Writes one growing file. Safe for several processes that share the ledger.

    `overwrite` replaces a file that is not this crawl's own; what this crawl has committed itself is always kept, so
    every worker may be given the same flag.
    """

    def __init__(self, path: Path | str, ledger: Ledger, format_: Format, *, overwrite: bool = False) -> None:
        super().__init__(str(path), output_name(path), ledger, format_)
        self.path = Path(path)
        self.overwrite = overwrite
        self._presence: int | None = None

    def open(self) -> None:
        _check_kind(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SinkError(f"cannot create the directory of {self.uri}: {_reason(error)}") from error
        with self.ledger.writing():
            committed = self.ledger.committed(self.output)
            if committed is None:
                self._begin()
                return
            try:
                with contextlib.closing(_Appender(self.path, self.uri, committed)):
                    pass
            except ForeignFileError:
                if not self.overwrite:
                    raise
                self._begin()
                return
        self._show_presence()

    def close(self) -> None:
        if self._presence is not None:
            os.close(self._presence)
            self._presence = None
        super().close()

    def cut_torn_tail(self, committed: Committed) -> None:
        """The file as it was committed. Call within the ledger's lock."""
        _Appender(self.path, self.uri, committed).close()

    def store(self, committed: Committed, encoded: bytes) -> Committed:
        if not committed.size:
            encoded = self.format.head() + encoded
        with contextlib.closing(_Appender(self.path, self.uri, committed)) as file:
            file.append(encoded)
        tail = encoded[-_MARK_BYTES:]
        return replace(committed, size=committed.size + len(encoded), mark_length=len(tail), mark=_hash(tail))

    def _begin(self) -> None:
        """First sight of this output: it must be new or empty, or the user must have said to overwrite it."""
        self._show_presence(alone=True)
        try:
            size = self.path.stat().st_size
            if size and not self.overwrite:
                raise ForeignFileError(
                    f"{self.uri} exists and was not written by this crawl:"
                    " move it away, choose another -o, or pass --overwrite to replace it"
                )
            os.truncate(self.path, 0)
            _sync_directory(self.path.parent)
        except OSError as error:
            raise SinkError(f"cannot write {self.uri}: {_reason(error)}") from error
        self.ledger.forget(self.output)

    def _show_presence(self, *, alone: bool = False) -> None:
        """Holds a shared lock on the file while the sink is open, so that a second crawl does not take it for free."""
        if self._presence is None:
            try:
                self._presence = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise SinkError(f"cannot write {self.uri}: {_reason(error)}") from error
        try:
            if alone:
                fcntl.flock(self._presence, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(self._presence, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if alone:
                raise SinkError(
                    f"another crawl is writing {self.uri}: choose another -o, or wait until it has ended"
                ) from error
        except OSError:
            pass  # a file system without locks: the guard is an extra, the ledger is what counts


class ForeignFileError(SinkError):
    """The file is not what this crawl left there; only an explicit overwrite may touch it."""


class _Appender:
    """The file, open and cut back to its committed size, for one segment."""

    def __init__(self, path: Path, uri: str, committed: Committed) -> None:
        self._uri = uri
        self._committed = committed
        try:
            create = os.O_CREAT if committed.size == 0 else 0
            self._fd = os.open(path, os.O_RDWR | os.O_CLOEXEC | create, 0o666)
        except FileNotFoundError as error:
            raise self._foreign("is gone") from error
        except OSError as error:
            raise SinkError(f"cannot write {uri}: {_reason(error)}") from error
        try:
            self._cut_torn_tail()
        except BaseException:
            self.close()
            raise

    def append(self, data: bytes) -> None:
        offset, view = self._committed.size, memoryview(data)
        try:
            while view:
                written = os.pwrite(self._fd, view, offset)
                offset, view = offset + written, view[written:]
            os.fsync(self._fd)
        except OSError as error:
            with contextlib.suppress(OSError):  # gives the space of a full disk back at once
                os.ftruncate(self._fd, self._committed.size)
            raise SinkError(
                f"cannot write {self._uri}: {_reason(error)}; nothing is lost: mend it and run again to resume"
            ) from error

    def close(self) -> None:
        os.close(self._fd)

    def _cut_torn_tail(self) -> None:
        size = os.fstat(self._fd).st_size
        if size < self._committed.size:
            raise self._foreign(f"has {size:,} bytes")
        length = self._committed.mark_length
        if length and _hash(os.pread(self._fd, length, self._committed.size - length)) != self._committed.mark:
            raise self._foreign("was changed")
        if size > self._committed.size:
            os.ftruncate(self._fd, self._committed.size)

    def _foreign(self, what: str) -> ForeignFileError:
        return ForeignFileError(
            f"{self._uri} {what}, but this crawl has committed {self._committed.size:,} bytes to it:"
            " put the file back, choose another -o, or pass --overwrite to start it anew"
            " (pages that are done are not fetched again)"
        )


def output_name(path: Path | str) -> str:
    """The name under which the ledger knows a file: its real absolute path."""
    return os.path.realpath(path)


def _check_kind(path: Path) -> None:
    """A device, pipe or directory would block or lose data; say so before it is opened."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise SinkError(f"cannot write {path}: {_reason(error)}") from error
    if not stat.S_ISREG(mode):
        what = "a directory" if stat.S_ISDIR(mode) else "no regular file"
        raise SinkError(f"cannot write {path}: it is {what}; name a file, or use -o - for standard output")


def _sync_directory(directory: Path) -> None:
    """Makes the file's name durable; file systems that cannot do it say EINVAL."""
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(fd)


def _hash(data: bytes) -> int:
    """Signed, as SQLite likes its integers."""
    return int.from_bytes(xxhash.xxh3_64_digest(data), "big", signed=True)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
