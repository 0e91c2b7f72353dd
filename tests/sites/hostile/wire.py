"""A bare HTTP server on asyncio streams, for answers that no proper server library would send.

Each connection carries one request, lives at most `LIFETIME` seconds and is written to with back-pressure, so that
neither memory nor processor is used up, whatever the client does.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlsplit

from nephila.demo.kit.log import RequestLog, arrival

LIFETIME = 60.0
_MOST_HEAD = 64 * 1024

Headers = Sequence[tuple[str, str]]


@dataclass
class Client:
    """One request, and the means to answer it well or badly."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    method: str
    target: str
    headers: Mapping[str, str]
    """Lower-case names."""
    note: Callable[[int | None], None]
    """Writes the request log's line; called once, by the first answer."""
    state: dict[str, int]
    """Counters that live as long as the site."""
    _noted: bool = field(default=False)

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.target).path)

    @property
    def query(self) -> dict[str, str]:
        return {key: values[0] for key, values in parse_qs(urlsplit(self.target).query).items()}

    @property
    def host(self) -> str:
        return self.headers.get("host", "127.0.0.1")

    def count(self, name: str) -> int:
        """How often this was called for `name` before."""
        self.state[name] = self.state.get(name, 0) + 1
        return self.state[name] - 1

    def noted(self, status: int | None) -> None:
        if not self._noted:
            self._noted = True
            self.note(status)

    async def raw(self, data: bytes, status: int | None = None) -> None:
        """Bytes as they are; `status` is what the log should say of them."""
        self.noted(status)
        self.writer.write(data)
        await self.writer.drain()

    async def head(self, status: int = 200, headers: Headers = (), content_type: str | None = "text/html") -> None:
        lines = [f"HTTP/1.1 {status} Answer", "Connection: close"]
        if content_type:
            lines.append(f"Content-Type: {content_type}")
        lines += [f"{name}: {value}" for name, value in headers]
        await self.raw("\r\n".join([*lines, "", ""]).encode("utf-8"), status)

    async def send(
        self,
        body: bytes | str = b"",
        status: int = 200,
        headers: Headers = (),
        content_type: str | None = "text/html; charset=utf-8",
    ) -> None:
        """A proper answer."""
        data = body.encode() if isinstance(body, str) else body
        await self.head(status, [("Content-Length", str(len(data))), *headers], content_type)
        if self.method != "HEAD":
            await self.raw(data)

    async def redirect(self, location: str, status: int = 302, headers: Headers = ()) -> None:
        await self.send("", status, [("Location", location), *headers])

    async def stall(self) -> None:
        """Nothing more, until the client leaves or the connection's time is over."""
        self.noted(None)
        with contextlib.suppress(ConnectionError):
            await self.reader.read(1)

    def reset(self) -> None:
        """Ends the connection with RST instead of FIN."""
        self.noted(None)
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Answer = Callable[[Client], Awaitable[None]]


class WireSite:
    """Servers that read a request by hand and pass it to a function; one port for each of `hosts`."""

    def __init__(self, name: str, hosts: Mapping[str, Answer]) -> None:
        self.name = name
        self._hosts = hosts
        self._servers: list[asyncio.Server] = []

    async def start(self, host: str, port: int, log: RequestLog) -> Mapping[str, str]:
        urls = {}
        for rank, (name, answer) in enumerate(self._hosts.items()):
            serve = _connection(name, answer, log)
            server = await asyncio.start_server(serve, host, port if rank == 0 else 0, limit=_MOST_HEAD)
            self._servers.append(server)
            urls[name] = f"http://{host}:{server.sockets[0].getsockname()[1]}/"
        return urls

    async def stop(self) -> None:
        for server in self._servers:
            server.close()


def _connection(
    site: str, answer: Answer, log: RequestLog
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    state: dict[str, int] = {}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(LIFETIME):
                client = await _read_request(site, reader, writer, log, state)
                await answer(client)
                client.noted(None)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    return serve


async def _read_request(
    site: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, log: RequestLog, state: dict[str, int]
) -> Client:
    text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    at = arrival()
    first, *lines = text.split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}

    def note(status: int | None) -> None:
        log.write(
            at=at,
            site=site,
            host=headers.get("host", ""),
            method=method,
            path=target,
            status=status,
            agent=headers.get("user-agent", ""),
            peer=str(writer.get_extra_info("peername", [""])[0]),
        )

    return Client(reader, writer, method, target, headers, note, state)
