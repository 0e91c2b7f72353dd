"""Any place that fsspec reaches (S3, GCS, Azure, HDFS, WebHDFS, SFTP, ...): a directory of whole files.

    s3://bucket/crawl/pages.parquet  ->  s3://bucket/crawl/pages.parquet/part-3f9a1c20-000001.parquet, ...

Such places cannot append, so the ledger gathers until a file is worth its name. A file's name is fixed by the crawl and
its number: one that a crash left unnoted is written again under the same name, over itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import fsspec

from nephila.errors import SinkError
from nephila.sinks.base import UnreachableError, shown
from nephila.sinks.format import Format
from nephila.sinks.gathering import GatheringSink
from nephila.sinks.ledger import Committed, Ledger
from nephila.sinks.patience import patiently

_OBJECTS = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "az"})


class RemoteSink(GatheringSink):
    def __init__(self, uri: str, ledger: Ledger, format_: Format) -> None:
        super().__init__(shown(uri), uri, ledger, format_)
        self._place = uri.rstrip("/")
        self._identity = ""

    def open(self) -> None:
        with self.ledger.writing():
            self._identity = self.ledger.identity()
            if self.ledger.committed(self.output) is None:
                self.ledger.forget(self.output)
        with self._explained():
            files, directory = self._reach()
            if not _OBJECTS & set(_names(files)):  # there, making a directory could mean making a bucket
                files.makedirs(directory, exist_ok=True)
            # A place that can be read only is refused before the first fetch.
            probe = f"{directory}/.probe-{self._identity}"
            files.pipe_file(probe, b"nephila")
            files.rm_file(probe)
        self.is_open = True

    def write_out(self, committed: Committed, pieces: Sequence[bytes]) -> Committed:
        number = committed.mark + 1
        data = self.format.whole(pieces)
        patiently(lambda: self._put(f"part-{self._identity}-{number:06d}{self.format.suffix}", data), self.uri)
        return replace(committed, size=committed.size + len(data), mark=number)

    def _put(self, name: str, data: bytes) -> None:
        with self._explained():
            files, directory = self._reach()
            files.pipe_file(f"{directory}/{name}", data)

    def _reach(self) -> tuple[Any, str]:
        # Not cached by fsspec: a connection that broke must be made anew, and instances do not outlive a fork.
        files, directory = fsspec.core.url_to_fs(self._place, skip_instance_cache=True)
        return files, directory.rstrip("/")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except ImportError as error:
            raise SinkError(f"writing {self.uri} needs a library that is not installed: {error}") from error
        except (ValueError, PermissionError, FileNotFoundError, NotADirectoryError) as error:
            raise SinkError(f"cannot write {self.uri}: {_reason(error)}") from error
        except Exception as error:  # every place has errors of its own kind
            raise UnreachableError(f"cannot write {self.uri}: {_reason(error)}") from error


def _names(files: Any) -> tuple[str, ...]:
    return (files.protocol,) if isinstance(files.protocol, str) else tuple(files.protocol)


def _reason(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
