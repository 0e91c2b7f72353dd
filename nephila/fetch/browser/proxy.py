"""The browser's only way out: an HTTP proxy on loopback that resolves names and dials by the network guard.

Chromium is told to send everything here and resolves no name itself, so that whatever a page asks for (scripts, frames,
sockets) passes the same gates as a plain request. Only processes of our own user are served: Chromium cannot be given
the proxy's password without its asking us about every request.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

from nephila.fetch.browser.names import Names
from nephila.fetch.browser.peer import is_own_process
from nephila.fetch.browser.talk import CHUNK, SILENT, Talk, pour
from nephila.fetch.guard import AddressRefused, AllowPrivate, GuardedResolver, check_url

logger = logging.getLogger(__name__)

REFUSED = "x-nephila-refused"
"""Header of an answer that is the proxy's own."""
_MAX_HEAD = 64 * 1024
_LONGEST_NUMBER = 16
_DIAL_SECONDS = 6.0
_LATE = b"HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_IDLE_SECONDS = 60.0
_HOP_HEADERS = (b"proxy-", b"connection:", b"keep-alive:", b"te:", b"upgrade:")


class ProxyRefusal(Exception):  # noqa: N818 - an answer, not a fault
    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class ProxyOptions:
    allow_private: AllowPrivate = False
    upstream: str | None = None
    site_upstreams: Mapping[str, str] | None = None
    blocked: Callable[[str], bool] = lambda _: False
    """Whether a host is not to be asked at all."""
    max_traffic: int = 64 * 2**20


class GuardProxy:
    """`async with GuardProxy(options) as proxy:` listens on `proxy.port` of 127.0.0.1."""

    def __init__(self, options: ProxyOptions) -> None:
        self._options = options
        self._resolver = GuardedResolver(options.allow_private)
        self._names = Names(self._resolver)
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()
        self.port = 0
        self.refused = 0
        """Requests that led to a private address."""
        self.blocked = 0

    async def __aenter__(self) -> GuardProxy:
        for upstream in (self._options.upstream, *(self._options.site_upstreams or {}).values()):
            if upstream:
                self._resolver.trust(urlsplit(upstream).hostname or "")
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_MAX_HEAD)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None  # noqa: S101
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._names.close()
        await self._resolver.close()

    # -- one connection of the browser -----------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101
        self._serving.add(task)
        line = _Line(reader, writer)
        try:
            if is_own_process(writer.get_extra_info("peername"), writer.get_extra_info("sockname")):
                await self._answer_all(line)
        except SILENT:
            pass
        except asyncio.CancelledError:
            pass  # the end of the proxy; passed on, asyncio would report every connection
        except Exception:
            logger.exception("the browser's proxy failed")
        finally:
            self._serving.discard(task)
            line.close()

    async def _answer_all(self, line: _Line) -> None:
        while True:
            try:
                async with asyncio.timeout(_IDLE_SECONDS):
                    head = await line.reader.readuntil(b"\r\n\r\n")
            except (TimeoutError, asyncio.IncompleteReadError):
                return
            try:
                request = _Request.parse(head)
                if request.method == b"CONNECT":
                    await self._tunnel(line, request)
                    return
                await self._forward(line, request)
            except ProxyRefusal as refusal:
                own = f"HTTP/1.1 {refusal.status}\r\nContent-Length: 0\r\nConnection: close\r\n"
                line.writer.write(f"{own}{REFUSED}: {refusal.status}\r\n\r\n".encode())
                await line.writer.drain()
                return

    async def _tunnel(self, line: _Line, request: _Request) -> None:
        host, port = request.host, request.port
        reader, writer = await self._dial(host, port, tunnel=True)
        line.writer.write(b"HTTP/1.1 200 Connection Established\r\n\r\n")
        try:
            talk = Talk()
            inward = asyncio.create_task(pour(reader, line.writer, self._options.max_traffic, end=True, answers=talk))
            await pour(line.reader, writer, self._options.max_traffic, asks=talk)
            await inward
        finally:
            writer.close()

    async def _forward(self, line: _Line, request: _Request) -> None:
        """Chromium sends the next request after the last byte of the answer: one way at a time is enough."""
        place = (request.host, request.port)
        if line.place != place or line.upstream is None or line.upstream.is_closing():
            line.drop_upstream()
            reader, line.upstream = await self._dial(*place, tunnel=False)
            line.place = place
            line.talk = Talk(_LATE)
            line.inward = asyncio.create_task(
                pour(reader, line.writer, self._options.max_traffic, end=True, answers=line.talk)
            )
        line.talk.asked_at = time.monotonic()
        line.upstream.write(request.rewritten(absolute=self._upstream(request.host)))
        left = request.length
        while left:
            chunk = await line.reader.read(min(left, CHUNK))
            if not chunk:
                return
            line.upstream.write(chunk)
            await line.upstream.drain()
            left -= len(chunk)

    # -- dialling --------------------------------------------------------------------------------------------------

    def _upstream(self, host: str) -> str | None:
        return (self._options.site_upstreams or {}).get(host, self._options.upstream)

    async def _dial(self, host: str, port: int, *, tunnel: bool) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._options.blocked(host):
            self.blocked += 1
            raise ProxyRefusal("403 Blocked")
        try:
            check_url(f"http://{_bracketed(host)}:{port}/", self._options.allow_private)
            upstream = self._upstream(host)
            async with asyncio.timeout(_DIAL_SECONDS):
                if upstream is None:
                    return await self._connect(host, port)
                return await self._through(upstream, f"{_bracketed(host)}:{port}" if tunnel else None)
        except AddressRefused:
            self.refused += 1
            raise ProxyRefusal("403 Private address refused") from None
        except (OSError, TimeoutError, EOFError) as error:
            logger.debug("no way to %s:%s: %s", host, port, error)
            raise ProxyRefusal("502 Bad Gateway") from None

    async def _connect(
        self, host: str, port: int, tls: ssl.SSLContext | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        last: OSError = OSError("no address")
        for address in await self._addresses(host):
            # What is dialled is the address that was judged, never the name.
            if not self._resolver.may_dial(address):
                raise AddressRefused(host, [address])
            try:
                return await asyncio.open_connection(
                    address, port, limit=CHUNK, ssl=tls, server_hostname=host if tls else None
                )
            except OSError as error:
                last = error
        raise last

    async def _addresses(self, host: str) -> list[str]:
        try:
            return [str(ip_address(host))]  # judged by `check_url` already; a resolver is not asked
        except ValueError:
            return await self._names.addresses(host)

    async def _through(self, upstream: str, target: str | None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(upstream)
        tls = ssl.create_default_context() if parts.scheme == "https" else None
        port = parts.port or (443 if tls else 80)
        reader, writer = await self._connect(parts.hostname or "", port, tls)
        if target is not None:
            writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n".encode() + _credentials(upstream) + b"\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            if head.split(b" ", 2)[1][:1] != b"2":
                writer.close()
                raise OSError("the upstream proxy refused")
        return reader, writer


class _Line:
    """A connection of the browser, and the server's that it is joined to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.upstream: asyncio.StreamWriter | None = None
        self.inward: asyncio.Task[None] | None = None
        self.place: tuple[str, int] | None = None
        self.talk = Talk()

    def drop_upstream(self) -> None:
        if self.inward is not None:
            self.inward.cancel()
        if self.upstream is not None:
            self.upstream.close()
        self.upstream = self.inward = self.place = None

    def close(self) -> None:
        self.drop_upstream()
        self.writer.close()


@dataclass(frozen=True, slots=True)
class _Request:
    method: bytes
    target: bytes
    host: str
    port: int
    headers: list[bytes]
    length: int

    @classmethod
    def parse(cls, head: bytes) -> _Request:
        first, *headers = head[:-4].split(b"\r\n")
        try:
            method, target, _ = first.split(b" ")
            if method == b"CONNECT":
                parts = urlsplit(f"//{target.decode('ascii')}")
            else:
                parts = urlsplit(target.decode("ascii"))
                if parts.scheme != "http":
                    raise ValueError
            host, port = parts.hostname, parts.port or 80
        except ValueError:
            raise ProxyRefusal("400 Bad Request") from None
        if not host:
            raise ProxyRefusal("400 Bad Request")
        return cls(method, target, host, port, headers, _content_length(headers))

    def rewritten(self, absolute: str | None) -> bytes:
        """The head as the server wants it, or with the whole address as a further proxy wants it."""
        kept = [line for line in self.headers if not line.lower().startswith(_HOP_HEADERS)]
        target = self.target
        extra = b""
        if absolute is None:
            parts = target.split(b"/", 3)
            target = b"/" + (parts[3] if len(parts) > 3 else b"")
        else:
            extra = _credentials(absolute)
        lines = b"".join(line + b"\r\n" for line in kept)
        return b"%s %s HTTP/1.1\r\n%sConnection: keep-alive\r\n%s\r\n" % (self.method, target, lines, extra)


def _content_length(headers: list[bytes]) -> int:
    for line in headers:
        name, _, value = line.partition(b":")
        if name.lower() == b"transfer-encoding":  # Chromium sends no such request over HTTP/1
            raise ProxyRefusal("411 Length Required")
        if name.lower() == b"content-length":
            if not value.strip().isdigit() or len(value) > _LONGEST_NUMBER:
                raise ProxyRefusal("400 Bad Request")
            return int(value)
    return 0


def _credentials(proxy: str) -> bytes:
    parts = urlsplit(proxy)
    if parts.username is None:
        return b""
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return b"Proxy-Authorization: Basic " + base64.b64encode(pair) + b"\r\n"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
