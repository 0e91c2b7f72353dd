"""Reading web archives: the pages of a WARC file, compressed or not, as a fetch would have brought them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from nephila.errors import InputError
from nephila.fetch.decompress import decompress
from nephila.fetch.errors import FetchError
from nephila.page import Page

SUFFIXES = (".warc", ".warc.gz", ".arc", ".arc.gz")
MAX_BODY = 64 * 2**20
_PART = 2**20


def is_archive(name: str) -> bool:
    return name.lower().endswith(SUFFIXES)


def read_archive(path: Path | str, max_body: int = MAX_BODY) -> Iterator[Page]:
    """Each answer of a server that the file holds, with its body decoded; of a longer body, the first `max_body` bytes.

    Requests, metadata and revisits are passed over. An archive that ends in the middle of a record gives those before.
    """
    try:
        from warcio.archiveiterator import ArchiveIterator
    except ImportError:
        raise InputError("reading WARC files needs warcio: pip install 'nephila[warc]'") from None
    try:
        with Path(path).open("rb") as file:
            for record in ArchiveIterator(file, arc2warc=True):
                if record.rec_type == "response" and record.http_headers is not None:
                    yield _page(record, max_body)
    except Exception as error:  # warcio has errors of many kinds for what is no archive
        raise InputError(f"cannot read the archive {path}: {error}") from error


def _page(record: object, max_body: int) -> Page:
    from warcio.recordloader import ArcWarcRecord

    assert isinstance(record, ArcWarcRecord)  # noqa: S101
    url = str(record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
    headers: dict[str, str] = {}
    for name, value in record.http_headers.headers:
        name = name.lower()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    status = record.http_headers.get_statuscode() or ""
    return Page(
        url=url,
        final_url=url,
        status=int(status) if status.isascii() and status.isdigit() and len(status) == 3 else 0,
        body=_body(record, headers, max_body),
        fetched_at=_seconds(record.rec_headers.get_header("WARC-Date")),
        headers=headers,
    )


def _body(record: Any, headers: dict[str, str], most: int) -> bytes:
    """Decoded by our own hands: warcio has no bound on what a few bytes unfold to, no zstd, and trips over brotli.

    Archives are known that keep the name of a coding and not the coding; such a body is taken as it is.
    """
    from warcio.bufferedreaders import ChunkedDataReader

    chunked = "chunked" in headers.get("transfer-encoding", "").lower()
    stream = ChunkedDataReader(record.raw_stream) if chunked else record.raw_stream
    parts, size = list[bytes](), 0
    while size < most and (part := stream.read(min(_PART, most - size))):
        parts.append(part)
        size += len(part)
    body = b"".join(parts)
    try:
        return decompress(body, headers.get("content-encoding", ""), most, cut=True)
    except FetchError:
        return body


def _seconds(date: str | None) -> float:
    try:
        return datetime.fromisoformat(date or "").timestamp()
    except ValueError:
        return 0.0
