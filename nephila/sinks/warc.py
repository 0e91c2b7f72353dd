"""WARC 1.1: what was asked and answered, as archives keep it, with the extracted record beside it.

For each page: a `request`, a `response` (the body as it was after decompression, so without Content-Encoding) and a
`metadata` record with the record as JSON. An answer whose body this file holds already is a `revisit` that names the
first one; so is a 304. Each WARC record is a gzip member of its own, so that a replay tool can seek. Credentials of
requests are left out.
"""

from __future__ import annotations

import base64
import hashlib
import io
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from nephila.page import Page
from nephila.sinks.appendfile import AppendFileSink
from nephila.sinks.base import Delivery
from nephila.sinks.format import Format
from nephila.sinks.ledger import Committed, Ledger
from nephila.sinks.plain import json_lines

_SAME_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
_LEFT_OUT = frozenset({"authorization", "proxy-authorization", "cookie"})
_OF_THE_WIRE = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection"})
_WORTH_A_REVISIT = 256
"""Bytes of a body; a smaller one costs no more than the reference to it."""

RECORD_URN = "urn:nephila:"
"""Before the page's URL in the target of a metadata record: under the URL itself a replay would show it as the page."""

First = Mapping[int, str]
"""Payloads that the file holds: part of their digest -> `date URI`."""


class Warc(Format):
    wants_pages = True

    def __init__(self, *, gzip: bool = True, software: str = "Nephila") -> None:
        self.suffix = ".warc.gz" if gzip else ".warc"
        self._gzip = gzip
        self._software = software
        self.fresh: dict[int, str] = {}
        """Payloads that the last `encode` wrote for the first time."""

    def head(self) -> bytes:
        out = io.BytesIO()
        writer = self._writer(out)
        about = {"software": self._software, "format": "WARC File Format 1.1", "robots": "classic"}
        writer.write_record(writer.create_warcinfo_record("", about))
        return out.getvalue()

    def encode(self, deliveries: Sequence[Delivery]) -> bytes:
        out = io.BytesIO()
        writer = self._writer(out)
        known = self.first([page for delivery in deliveries if (page := delivery.page)])
        self.fresh = {}
        for delivery in deliveries:
            answer = delivery.page and self._exchange(writer, delivery, delivery.page, known | self.fresh)
            for record in delivery.records:
                headers = {"WARC-Refers-To": answer, "WARC-Concurrent-To": answer} if answer else {}
                metadata = writer.create_warc_record(
                    f"{RECORD_URN}{record.final_url or record.url}",
                    "metadata",
                    payload=io.BytesIO(json_lines([record])),
                    warc_content_type="application/json",
                    warc_headers_dict=headers,
                )
                writer.write_record(metadata)
        return out.getvalue()

    def first(self, pages: Sequence[Page]) -> dict[int, str]:  # noqa: ARG002
        """Which bodies the file holds already; a format alone knows of none."""
        return {}

    def _writer(self, out: io.BytesIO) -> WARCWriter:
        return WARCWriter(out, gzip=self._gzip, warc_version="1.1")

    def _exchange(self, writer: WARCWriter, delivery: Delivery, page: Page, known: First) -> str:
        """Writes request and answer; returns the answer's record id."""
        identity = f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{page.final_url} {delivery.key}')}>"
        date = datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        answer = self._answer(writer, page, date, known)
        answer.rec_headers.replace_header("WARC-Record-ID", identity)
        writer.write_record(answer)
        if page.request_headers is not None:
            writer.write_record(_request(writer, page, {"WARC-Date": date, "WARC-Concurrent-To": identity}))
        return identity

    def _answer(self, writer: WARCWriter, page: Page, date: str, known: First) -> ArcWarcRecord:
        http, about = _response_headers(page), {"WARC-Date": date}
        if page.status == HTTPStatus.NOT_MODIFIED:
            return writer.create_warc_record(
                page.final_url,
                "revisit",
                http_headers=http,
                warc_headers_dict=about | {"WARC-Profile": _NOT_MODIFIED, "WARC-Refers-To-Target-URI": page.final_url},
            )
        key = payload_key(page.body)
        original = known.get(key) if len(page.body) >= _WORTH_A_REVISIT else None
        if original is not None:
            when, _, uri = original.partition(" ")
            return writer.create_revisit_record(
                page.final_url, _digest(page.body), uri, when, http, about | {"WARC-Profile": _SAME_PAYLOAD}
            )
        self.fresh[key] = f"{date} {page.final_url}"
        return writer.create_warc_record(
            page.final_url, "response", payload=io.BytesIO(page.body), http_headers=http, warc_headers_dict=about
        )


class WarcSink(AppendFileSink):
    """The ledger remembers the bodies that the file holds."""

    def __init__(self, path: Path | str, ledger: Ledger, *, gzip: bool, software: str, overwrite: bool = False) -> None:
        self._warc = Warc(gzip=gzip, software=software)
        super().__init__(path, ledger, self._warc, overwrite=overwrite)
        self._warc.first = self._first  # type: ignore[method-assign]

    def _first(self, pages: Sequence[Page]) -> dict[int, str]:
        return self.ledger.notes(self.output, [payload_key(page.body) for page in pages])

    def store(self, committed: Committed, encoded: bytes) -> Committed:
        state = super().store(committed, encoded)
        self.ledger.note(self.output, self._warc.fresh)
        return state


def payload_key(body: bytes) -> int:
    return int.from_bytes(hashlib.sha1(body).digest()[:8], "big", signed=True)


def _digest(body: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()


def _request(writer: WARCWriter, page: Page, about: dict[str, str]) -> ArcWarcRecord:
    parts = urlsplit(page.final_url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = [(name, value) for name, value in (page.request_headers or {}).items() if name.lower() not in _LEFT_OUT]
    if not any(name.lower() == "host" for name, _ in headers):
        headers.insert(0, ("Host", parts.netloc.rpartition("@")[2]))
    http = StatusAndHeaders(f"GET {path} HTTP/1.1", headers, is_http_request=True)
    return writer.create_warc_record(page.final_url, "request", http_headers=http, warc_headers_dict=about)


def _response_headers(page: Page) -> StatusAndHeaders:
    headers = [(name.title(), value) for name, value in page.headers.items() if name.lower() not in _OF_THE_WIRE]
    headers.append(("Content-Length", str(len(page.body))))
    return StatusAndHeaders(f"{page.status} {_phrase(page.status)}", headers, protocol="HTTP/1.1")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
