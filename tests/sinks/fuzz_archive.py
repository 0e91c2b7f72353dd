"""Any bytes as a web archive: pages with bounded bodies come out, or InputError says that it is none."""

from __future__ import annotations

import contextlib
import gzip
import io
import tempfile
import zlib
from pathlib import Path

import brotli
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from nephila.archive import read_archive
from nephila.errors import InputError
from tests.fetch.fuzzing import main

_MOST = 200


def _warc(*, packed: bool) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=packed, warc_version="1.1")
    encodings = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "": bytes}
    for encoding, compress in encodings.items():
        headers = [("Content-Type", "text/html"), *([("Content-Encoding", encoding)] if encoding else [])]
        http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
        body = io.BytesIO(compress(b"<p>words</p>" * 20))
        writer.write_record(writer.create_warc_record("http://e.com/1", "response", body, http_headers=http))
    chunked = StatusAndHeaders("200 OK", [("Transfer-Encoding", "chunked")], protocol="HTTP/1.1")
    body = io.BytesIO(b"5\r\nhello\r\n0\r\n\r\n")
    writer.write_record(writer.create_warc_record("http://e.com/2", "response", body, http_headers=chunked))
    writer.write_record(writer.create_warcinfo_record("a.warc", {"software": "x"}))
    return out.getvalue()


SEEDS = [
    _warc(packed=False),
    _warc(packed=True),
    (
        b"filedesc://a.arc 0.0.0.0 20310101000000 text/plain 75\n1 0 Somebody\nURL IP-address Archive-date Content-type"
        b" Archive-length\n\nhttp://e.com/ 127.0.0.1 20310101000000 text/html 40\nHTTP/1.1 200 OK\n\n<p>x</p>\n\n"
    ),
    (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://e.com/>\r\nWARC-Date: 2031-01-01T00:00:00Z\r\n"
        b"Content-Type: application/http\r\nContent-Length: 31\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n<p>x</p>\r\n\r\n"
    ),
]


def target(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".warc") as file:
        Path(file.name).write_bytes(data)
        with contextlib.suppress(InputError):
            for page in read_archive(file.name, _MOST):
                assert len(page.body) <= _MOST
                assert 0 <= page.status < 10**6
                assert isinstance(page.url, str)


if __name__ == "__main__":
    main(target, SEEDS)
