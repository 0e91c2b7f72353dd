"""Connections that stall, break, or do not speak HTTP."""

from __future__ import annotations

import asyncio

from tests.sites.hostile.expected import failed, ok, page
from tests.sites.hostile.wire import Client

_START = b"<html><head><title>Start</title></head><body><p>This is the beginning of a page."


@page("/stall/headers", failed("timeout"))
async def stall_headers(client: Client) -> None:
    await client.stall()


@page("/stall/half-headers", failed("timeout"))
async def stall_half_headers(client: Client) -> None:
    await client.raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/ht", 200)
    await client.stall()


@page("/stall/body", failed("timeout"))
async def stall_body(client: Client) -> None:
    await client.head(200, [("Content-Length", "100000")])
    await client.raw(_START)
    await client.stall()


@page("/stall/drip", failed("timeout"))
async def drip(client: Client) -> None:
    """One byte a second: never idle for long, never done."""
    await client.head(200, [("Content-Length", "100000")])
    for _ in range(55):
        await client.raw(b" ")
        await asyncio.sleep(1)


@page("/reset/before-headers", failed("reset"))
async def reset_before(client: Client) -> None:
    client.reset()


@page("/reset/closed", failed("reset"))
async def closed(client: Client) -> None:
    """Closed properly, with no answer."""
    client.noted(None)


@page("/reset/mid-headers", failed("reset"))
async def reset_mid_headers(client: Client) -> None:
    await client.raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", 200)
    await asyncio.sleep(0.05)
    client.reset()


@page("/reset/mid-body", failed("reset"))
async def reset_mid_body(client: Client) -> None:
    await client.head(200, [("Content-Length", "100000")])
    await client.raw(_START)
    await asyncio.sleep(0.05)
    client.reset()


@page("/length/long", failed("truncated"))
async def length_long(client: Client) -> None:
    """More is promised than comes."""
    await client.head(200, [("Content-Length", "100000")])
    await client.raw(_START)


@page("/length/short", ok(either=True, cause="protocol"))
async def length_short(client: Client) -> None:
    """More comes than was promised."""
    await client.head(200, [("Content-Length", "40")])
    await client.raw(_START * 3)


@page("/length/negative", failed("protocol"))
async def length_negative(client: Client) -> None:
    await client.head(200, [("Content-Length", "-1")])
    await client.raw(_START)


@page("/length/two", failed("protocol"))
async def length_two(client: Client) -> None:
    await client.head(200, [("Content-Length", "40"), ("Content-Length", "50")])
    await client.raw(_START)


@page("/length/none", ok(contains="beginning of a page"))
async def length_none(client: Client) -> None:
    """No length, no chunks: the end of the connection is the end of the page, as in HTTP/1.0."""
    await client.head(200)
    await client.raw(_START + b"</body></html>")


@page("/chunks/bad-size", failed("protocol"))
async def bad_chunk(client: Client) -> None:
    await client.head(200, [("Transfer-Encoding", "chunked")])
    await client.raw(b"10\r\n0123456789abcdef\r\nZZ\r\nbroken\r\n0\r\n\r\n")


@page("/chunks/no-end", failed("truncated"))
async def chunks_no_end(client: Client) -> None:
    await client.head(200, [("Transfer-Encoding", "chunked")])
    await client.raw(b"%x\r\n%s\r\n" % (len(_START), _START))


@page("/chunks/huge-size", failed("too-large", either=True))
async def chunk_huge(client: Client) -> None:
    """A chunk of sixteen exabytes is announced."""
    await client.head(200, [("Transfer-Encoding", "chunked")])
    await client.raw(b"FFFFFFFFFFFFFFFF\r\n" + _START)


@page("/garbage/http09", failed("protocol"))
async def http09(client: Client) -> None:
    await client.raw(b"<html><body>No status line, as in 1991.</body></html>")


@page("/garbage/bytes", failed("protocol"))
async def garbage(client: Client) -> None:
    await client.raw(bytes(range(256)) * 64)


@page("/garbage/ssh", failed("protocol"))
async def ssh(client: Client) -> None:
    await client.raw(b"SSH-2.0-OpenSSH_9.2\r\n")


@page("/garbage/status", failed("protocol"))
async def bad_status(client: Client) -> None:
    await client.raw(b"HTTP/1.1 abc Perhaps\r\nContent-Length: 0\r\n\r\n")


@page("/garbage/header-line", failed("protocol", either=True))
async def bad_header(client: Client) -> None:
    await client.raw(b"HTTP/1.1 200 OK\r\nthis is no header\r\nContent-Length: 2\r\n\r\nok", 200)


@page("/endless/headers", failed("too-large"))
async def endless_headers(client: Client) -> None:
    await client.raw(b"HTTP/1.1 200 OK\r\n", 200)
    for number in range(16_384):
        await client.raw(b"X-Header-%d: %s\r\n" % (number, b"x" * 1000))
    await client.stall()


@page("/endless/header-line", failed("too-large"))
async def endless_header_line(client: Client) -> None:
    await client.raw(b"HTTP/1.1 200 OK\r\nX-Long: ", 200)
    for _ in range(256):
        await client.raw(b"x" * 65_536)
    await client.stall()


@page("/endless/body", failed("too-large"))
async def endless_body(client: Client) -> None:
    """Chunks without end: 256 MB as fast as they are read, then slowly."""
    await client.head(200, [("Transfer-Encoding", "chunked")])
    chunk = b"10000\r\n" + b"<p>more</p>     " * 4096 + b"\r\n"
    for _ in range(4096):
        await client.raw(chunk)
    while True:
        await client.raw(chunk)
        await asyncio.sleep(0.2)
