"""A server of a few lines that sends what a test tells it to, and keeps what it was asked."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable

Handler = Callable[["Asked", asyncio.StreamWriter], Awaitable[None]]


class Asked:
    """One request as it came over the wire."""

    def __init__(self, head: bytes) -> None:
        first, *lines = head.decode("latin-1").split("\r\n")
        self.line = first
        self.target = first.split(" ")[1] if " " in first else ""
        pairs = [line.partition(":") for line in lines if line]
        self.headers = {name.lower(): value.strip() for name, _, value in pairs}


def answer(status: int = 200, body: bytes = b"fine", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", "Content-Type: text/html", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@contextlib.asynccontextmanager
async def raw_server(
    reply: bytes | Handler, tls: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[int, list[Asked]]]:
    """Gives the port, and the list of requests that grows while they come."""
    asked: list[Asked] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                request = Asked(await reader.readuntil(b"\r\n\r\n"))
                asked.append(request)
                if callable(reply):
                    await reply(request, writer)
                else:
                    writer.write(reply)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1], asked
    finally:
        server.close()
