"""A raw HTTP client that judges nothing: it sends one request and returns the bytes that come."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from selectolax.lexbor import LexborHTMLParser


@dataclass
class Reply:
    raw: bytes
    ended: str
    """`closed`, `reset`, `silent` (nothing within the patience) or `enough` (the limit was reached)."""

    def __post_init__(self) -> None:
        """Interim answers (1xx) are passed over."""
        while self.raw.startswith(b"HTTP/1.1 1"):
            self.raw = self.raw.partition(b"\r\n\r\n")[2]

    @property
    def status(self) -> int | None:
        first = self.raw.split(b"\r\n", 1)[0].split(b" ")
        return int(first[1]) if first[0].startswith(b"HTTP/1.") and len(first) > 1 and first[1].isdigit() else None

    @property
    def body(self) -> bytes:
        return self.raw.partition(b"\r\n\r\n")[2]

    def header(self, name: str) -> str | None:
        for line in self.raw.partition(b"\r\n\r\n")[0].split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name.encode().lower():
                return value.strip().decode("utf-8", "replace")
        return None


def ask(
    url: str, *, headers: dict[str, str] | None = None, method: str = "GET", limit: int = 2**21, patience: float = 0.4
) -> Reply:
    parts = urlsplit(url)
    target = quote(parts.path, safe="/%;=:@") + (f"?{parts.query}" if parts.query else "")
    lines = [f"{method} {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close"]
    if method == "POST":
        lines.append("Content-Length: 0")
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        # The first byte may be long in coming on a busy machine; only a site that stalls is known to be silent.
        connection.settimeout(patience)
        return _read(connection, limit)


def _read(connection: socket.socket, limit: int) -> Reply:
    raw = bytearray()
    try:
        while len(raw) < limit:
            data = connection.recv(65_536)
            if not data:
                return Reply(bytes(raw), "closed")
            raw += data
    except TimeoutError:
        return Reply(bytes(raw), "silent")
    except ConnectionResetError:
        return Reply(bytes(raw), "reset")
    return Reply(bytes(raw), "enough")


def parse(reply: Reply) -> LexborHTMLParser:
    return LexborHTMLParser(reply.body)


def words(text: str) -> str:
    """`text` with its white space made even."""
    return " ".join(text.split())
