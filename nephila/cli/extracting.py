"""The work of `nephila extract`: reads pages from where they are, and writes what is in them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin

import orjson

from nephila.content import METHODS
from nephila.errors import InputError
from nephila.extraction import extract
from nephila.page import Page
from nephila.record import Record

FORMATS = ("json", "text", "markdown")
_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml", ".php", ".asp", ".aspx", ".jsp", ""})
_MOST_REDIRECTS = 10


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asked for, checked."""

    format: str
    method: str
    rules: Path | None = None
    """A rule file: what its rules find becomes the record's fields."""

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise InputError(f"there is no format {self.format!r}: use --format {', '.join(FORMATS)}")
        if self.method not in METHODS:
            raise InputError(f"there is no method {self.method!r}: use --method {', '.join((*METHODS, 'visual'))}")

    def read(self, body: bytes, url: str | None) -> Record:
        record = extract(body, url, self.method)
        if self.rules is not None:
            from nephila.cli.applying import add_fields

            add_fields(record, body, url, self.rules)
        return record

    def show(self, record: Record, **more: Any) -> bytes:
        if self.format == "json":
            return orjson.dumps(record.to_dict() | more) + b"\n"
        text = record.text if self.format == "text" else record.markdown or record.text
        return (text or "").encode() + b"\n"


def extract_one(source: str, url: str | None, wanted: Wanted, output: Path | None, allow_private: bool) -> None:
    """One page from a file, an address or standard input."""
    if source == "-":
        body = sys.stdin.buffer.read()
    elif source.startswith(("http://", "https://")):
        address, body = asyncio.run(fetch_page(source, allow_private))
        url = url or address
    else:
        body = read_file_bytes(Path(source))
    with open_output(output) as out:
        out.write(wanted.show(wanted.read(body, url)))


def page_files(directory: Path) -> list[Path]:
    """The pages below a directory, in the order of their paths."""
    files = [path for path in sorted(directory.rglob("*")) if path.suffix.lower() in _SUFFIXES and path.is_file()]
    if not files:
        raise InputError(f"no page (*.html, ...) in {directory}: name a directory that holds some")
    return files


def extract_directory(directory: Path, wanted: Wanted, output: Path | None, workers: int | None, quiet: bool) -> int:
    """All pages below a directory, one JSON line each, in the order of their paths; 1 when a page could not be read."""
    if wanted.format != "json":
        raise InputError("a directory gives one JSON line a page: leave --format out, or name a single file")
    files = page_files(directory)
    failed = 0
    with open_output(output) as out, _pool(min(workers or os.cpu_count() or 1, len(files))) as pool:
        results = (
            pool.map(_line, ((path, directory, wanted) for path in files), chunksize=8)
            if pool
            else (_line((path, directory, wanted)) for path in files)
        )
        for line, error in _shown(results, len(files), quiet or output is None):
            out.write(line)
            if error:
                failed += 1
                print(f"nephila: {error}", file=sys.stderr)
    return 1 if failed else 0


def extract_archive(path: Path, wanted: Wanted, output: Path | None) -> int:
    """The HTML pages of a WARC file, one JSON line each, in their order; 1 when there is none."""
    from nephila.archive import read_archive
    from nephila.reading import is_html

    if wanted.format != "json":
        raise InputError("an archive gives one JSON line a page: leave --format out")
    found = 0
    with open_output(output) as out:
        for page in read_archive(path):
            if page.status == 200 and is_html(page):
                found += 1
                out.write(wanted.show(wanted.read(page.body, page.final_url), **_circumstances(page)))
    if not found:
        print(f"nephila: {path} holds no HTML page", file=sys.stderr)
    return 0 if found else 1


def _circumstances(page: Page) -> dict[str, Any]:
    """What the archive knows and the page does not say."""
    when = datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="seconds") if page.fetched_at else None
    return {"fetched_at": when, "status": page.status, "content_type": page.content_type or None}


def _line(job: tuple[Path, Path, Wanted]) -> tuple[bytes, str | None]:
    path, directory, wanted = job
    name = str(path.relative_to(directory))
    try:
        return wanted.show(wanted.read(read_file_bytes(path), None), file=name), None
    except InputError as error:
        return b"", f"{name}: {error}"


def _pool(workers: int) -> Any:
    return nullcontext(None) if workers == 1 else ProcessPoolExecutor(workers)


def _shown(results: Any, total: int, quiet: bool) -> Iterator[tuple[bytes, str | None]]:
    if quiet or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(results, "Extracting", total=total, console=Console(stderr=True))


def read_file_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error


@contextmanager
def open_output(output: Path | None) -> Iterator[IO[bytes]]:
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        with output.open("wb") as out:
            yield out
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}") from error


async def fetch_page(url: str, allow_private: bool) -> tuple[str, bytes]:
    """The page at an address, after redirects, within the bounds of the crawl's own client."""
    from nephila.fetch.client import Client
    from nephila.fetch.errors import FetchError
    from nephila.fetch.identity import client_options
    from nephila.job import Job
    from nephila.urls import canonicalize

    job = Job.from_dict({"seeds": [url], "http": {"allow_private": allow_private}}, "the command line")
    client = Client(client_options(job))
    try:
        for _ in range(_MOST_REDIRECTS):
            answer = await client.get(canonicalize(url) or url)
            target = answer.headers.get("location")
            if not 300 <= answer.status < 400 or not target:
                if answer.status >= 400:
                    raise InputError(f"{url} answered with status {answer.status}: check the address")
                return url, answer.body
            url = urljoin(url, target)
        raise InputError(f"{url} redirects without end: check the address")
    except FetchError as error:
        raise InputError(f"cannot fetch {url}: {error}") from error
    finally:
        await client.close()
