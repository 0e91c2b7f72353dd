"""From a page to its record: what the document room and the content room say of it, in the shape of a Record."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlsplit

from nephila.document import Document, plain_text
from nephila.page import Page
from nephila.record import Record
from nephila.urls import registered_domain

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
_SNIFFED_TYPES = frozenset(
    {"", "text/plain", "application/octet-stream", "application/xml", "text/xml", "unknown/unknown"}
)
_HTML_STARTS = (b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<meta", b"<title", b"<div", b"<p>", b"<h1")
_SNIFFED_BYTES = 512
_BINARY = bytes(set(range(32)) - {9, 10, 12, 13, 27})


def is_html(page: Page) -> bool:
    """Whether the body is to be read as HTML: by its type, and by its first bytes where the type says little."""
    start = page.body[:_SNIFFED_BYTES]
    if page.content_type in _HTML_TYPES:
        return not _is_binary(start)
    if page.content_type in _SNIFFED_TYPES:
        return start.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_HTML_STARTS)
    return False


def _is_binary(start: bytes) -> bool:
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16
        return False
    return len(start.translate(None, _BINARY)) < len(start) - 2


def read_page(page: Page, document: Document, depth: int, *, with_links: bool) -> Record:
    metadata = document.metadata
    record = _frame(page, depth)
    record.title = metadata.title
    record.text = plain_text(document)
    record.author = metadata.author
    record.published = metadata.published
    record.modified = metadata.modified
    record.language = metadata.language
    record.site_name = metadata.site_name
    record.description = metadata.description
    record.image = metadata.image
    record.canonical_url = document.relations.canonical
    record.tags = metadata.tags or None
    record.extractor = "plain"
    if with_links:
        record.links = [link.url for link in document.links]
    return record


def read_file(page: Page, depth: int) -> Record:
    """What is not HTML is recorded, not parsed."""
    record = _frame(page, depth)
    record.kind = "file"
    return record


def _frame(page: Page, depth: int) -> Record:
    return Record(
        url=page.url,
        final_url=page.final_url,
        fetched_at=datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="seconds"),
        status=page.status,
        site=registered_domain(urlsplit(page.final_url).hostname or ""),
        content_type=page.content_type or None,
        content_length=len(page.body),
        depth=depth,
        rendered=page.rendered,
    )
