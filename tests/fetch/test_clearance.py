"""The last question before a request: asked when the connection is there, before a byte is sent."""

from __future__ import annotations

import asyncio

import pytest

from nephila.fetch.clearance import ask_before_sending
from nephila.fetch.client import Client, ClientOptions
from nephila.fetch.errors import Cause, FetchError


def test_request_is_not_sent_when_the_lease_lapses_while_connecting() -> None:
    async def scenario() -> None:
        received: list[bytes] = []
        ours = True

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            received.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await writer.drain()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        client = Client(ClientOptions("test", allow_private=True))
        try:
            ask_before_sending(lambda: ours)
            assert (await client.get(f"http://127.0.0.1:{port}/a")).body == b"ok"
            ours = False
            with pytest.raises(FetchError) as lost:
                await client.get(f"http://127.0.0.1:{port}/b")
            assert lost.value.cause is Cause.LEASE_LOST
            assert [request.split()[1] for request in received] == [b"/a"]
        finally:
            await client.close()
            server.close()

    asyncio.run(scenario())
