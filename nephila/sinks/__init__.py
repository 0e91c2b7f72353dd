"""Sinks: where records go. `open_sink` finds the right one by the output's name.

    with the frontier's state in `state/`:
    sink = open_sink("pages.jsonl.zst", "state/ledger.sqlite")
    sink.commit([Delivery(key, [record])])     # returns when it is durable; a known key is left out
    sink.close()

A new format is one file here and one line in `_BY_SUFFIX` or `_BY_SCHEME`; tests/sinks/conformance.py is its test.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from nephila import __version__
from nephila.errors import SinkError
from nephila.sinks.appendfile import AppendFileSink
from nephila.sinks.base import Counted, Delivery, Sink, shown, wants_pages
from nephila.sinks.csv import Csv
from nephila.sinks.format import Format
from nephila.sinks.jsonl import Compression, JsonLines, JsonlSink, StdoutSink
from nephila.sinks.ledger import Committed, Ledger, output_totals

__all__ = [
    "Committed",
    "Counted",
    "Delivery",
    "Ledger",
    "Sink",
    "count_records",
    "create_sink",
    "open_sink",
    "output_totals",
    "shown",
    "supported",
    "wants_pages",
]

logger = logging.getLogger(__name__)

Factory = Callable[[str, Path, bool], Sink]
"""(uri or path, the ledger's path, overwrite) -> a sink that is not open yet."""


def open_sink(uri: str, ledger_path: Path | str, *, overwrite: bool = False) -> Sink:
    """The sink for a file name, a URI, or `-` (standard output), open; SinkError says what to change.

    `overwrite` replaces a file that this crawl did not write; what it has committed itself stays.
    """
    sink = create_sink(uri, ledger_path, overwrite=overwrite)
    try:
        sink.open()
    except BaseException:
        sink.close()
        raise
    return sink


def create_sink(uri: str, ledger_path: Path | str, *, overwrite: bool = False) -> Sink:
    """As `open_sink`, without touching the place: checks the name alone."""
    ledger_path = Path(ledger_path)
    if uri == "-":
        return StdoutSink(lock=ledger_path.with_name("stdout.lock"))
    scheme = uri.partition("://")[0].lower() if "://" in uri else ""
    if scheme == "file":
        uri = unquote(urlsplit(uri).path)
    elif scheme:
        factory = _BY_SCHEME.get(scheme)
        if factory is None:
            raise SinkError(f"cannot write to {scheme}://: supported outputs are {supported()}")
        return factory(uri, ledger_path, overwrite)
    else:
        meant = uri.partition(":")[0].lower()
        if ":" in uri and meant in _BY_SCHEME:  # a slash was forgotten: it would become a directory of that name
            raise SinkError(f"cannot write to {shown(uri)}: did you mean {meant}://...?")
    name = Path(uri).name.lower()
    for suffix, factory in _BY_SUFFIX.items():
        if name.endswith(suffix):
            return factory(uri, ledger_path, overwrite)
    raise SinkError(f"cannot tell the format of the output {uri!r}: supported outputs are {supported()}")


def count_records(uri: str, ledger_path: Path | str) -> int | None:
    """What the place itself says that it holds; None where it cannot be asked, or does not answer."""
    try:
        sink = create_sink(uri, ledger_path)
        if not isinstance(sink, Counted):
            return None
        try:
            sink.open()
            return sink.count()
        finally:
            sink.close()
    except SinkError as error:
        logger.warning("its records are not counted: %s", error)
        return None


def supported() -> str:
    """What may stand after -o, for messages and help."""
    places = [f"FILE{suffix}" for suffix in _BY_SUFFIX] + [f"{scheme}://..." for scheme in _BY_SCHEME]
    return ", ".join([*places, "- (standard output)"])


def _jsonl(compression: Compression | None) -> Factory:
    return lambda path, ledger, overwrite: JsonlSink(path, Ledger(ledger), compression, overwrite=overwrite)


def _csv(compression: Compression | None) -> Factory:
    return lambda path, ledger, overwrite: AppendFileSink(path, Ledger(ledger), Csv(compression), overwrite=overwrite)


def _parquet(path: str, ledger: Path, overwrite: bool) -> Sink:
    with _needs("parquet", path):
        from nephila.sinks.parquet import ParquetSink
    return ParquetSink(path, Ledger(ledger), overwrite=overwrite)


def _table(path: str, ledger: Path, overwrite: bool) -> Sink:
    with _needs("parquet", path):
        from nephila.sinks.table import TableSink
    return TableSink(path, Ledger(ledger), overwrite=overwrite)


def _warc(gzip: bool) -> Factory:
    def make(path: str, ledger: Path, overwrite: bool) -> Sink:
        with _needs("warc", path):
            from nephila.sinks.warc import WarcSink
        return WarcSink(path, Ledger(ledger), gzip=gzip, software=f"Nephila/{__version__}", overwrite=overwrite)

    return make


def _shelf(path: str, _ledger: Path, _overwrite: bool) -> Sink:
    from nephila.sinks.shelf import ShelfSink

    return ShelfSink(path)


def _sql(uri: str, ledger: Path, overwrite: bool) -> Sink:  # noqa: ARG001 - the database keeps its own account
    with _needs("sql", uri):
        from nephila.sinks.sql import SqlSink
    return SqlSink(uri if "://" in uri else f"sqlite:///{uri}")


def _mongo(uri: str, ledger: Path, overwrite: bool) -> Sink:  # noqa: ARG001
    with _needs("mongo", uri):
        from nephila.sinks.mongo import MongoSink
    return MongoSink(uri)


def _search(uri: str, ledger: Path, overwrite: bool) -> Sink:  # noqa: ARG001
    with _needs("search", uri):
        from nephila.sinks.search import SearchSink
    return SearchSink(uri)


def _remote(uri: str, ledger: Path, overwrite: bool) -> Sink:  # noqa: ARG001 - names of files are the crawl's own
    with _needs("remote", uri):
        from nephila.sinks.remote import RemoteSink
    name = urlsplit(uri).path.rstrip("/").lower()
    for suffix, make in _FORMATS.items():
        if name.endswith(suffix):
            with _needs(suffix.split(".")[1], uri):
                return RemoteSink(uri, Ledger(ledger), make())
    raise SinkError(f"cannot tell the format of {shown(uri)}: end it with {', '.join(_FORMATS)}")


def _parquet_format() -> Format:
    from nephila.sinks.parquet import Parquet

    return Parquet()


def _warc_format() -> Format:
    from nephila.sinks.warc import Warc

    return Warc(software=f"Nephila/{__version__}")


_FORMATS: dict[str, Callable[[], Format]] = {
    ".jsonl": JsonLines,
    ".jsonl.gz": lambda: JsonLines("gzip"),
    ".jsonl.zst": lambda: JsonLines("zstd"),
    ".csv": Csv,
    ".csv.gz": lambda: Csv("gzip"),
    ".parquet": _parquet_format,
    ".warc.gz": _warc_format,
}
"""What may lie in a place that cannot append."""


@contextmanager
def _needs(extra: str, uri: str) -> Iterator[None]:
    """Heavy libraries are extras: who asks for the output learns how to get them."""
    try:
        yield
    except ImportError as error:
        raise SinkError(
            f"writing {shown(uri)} needs {error.name}, which is not installed: pip install 'nephila[{extra}]'"
        ) from None


_BY_SUFFIX: dict[str, Factory] = {
    ".jsonl": _jsonl(None),
    ".jsonl.gz": _jsonl("gzip"),
    ".jsonl.zst": _jsonl("zstd"),
    ".ndjson": _jsonl(None),
    ".csv": _csv(None),
    ".csv.gz": _csv("gzip"),
    ".csv.zst": _csv("zstd"),
    ".table.parquet": _table,
    ".parquet": _parquet,
    ".warc.gz": _warc(gzip=True),
    ".warc": _warc(gzip=False),
    ".sqlite": _sql,
    ".db": _sql,
    ".shelf": _shelf,
}
"""One that ends in another stands before it."""

_BY_SCHEME: dict[str, Factory] = {
    "sqlite": _sql,
    "postgresql": _sql,
    "postgres": _sql,
    "mysql": _sql,
    "mariadb": _sql,
    "mongodb": _mongo,
    "mongodb+srv": _mongo,
    **dict.fromkeys(("elasticsearch", "elasticsearch+http", "opensearch", "opensearch+http"), _search),
    **dict.fromkeys(("s3", "gs", "gcs", "abfs", "hdfs", "webhdfs", "sftp", "ssh", "memory"), _remote),
}
