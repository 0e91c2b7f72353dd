"""Small answers that unpack to ten gigabytes, made from one packed piece that repeats: they cost nothing here."""

from __future__ import annotations

import zlib
from functools import cache

import brotli

from tests.sites.hostile.expected import failed, ok, page
from tests.sites.hostile.traps import html
from tests.sites.hostile.wire import Client

PIECE = 16 * 1024 * 1024
PIECES = 640
"""640 times 16 MB: ten gigabytes."""


@cache
def _deflate_piece() -> bytes:
    """A fully flushed deflate block of blanks: it may stand behind itself any number of times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(b" " * PIECE) + packer.flush(zlib.Z_FULL_FLUSH)


@cache
def _gzip_member() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return packer.compress(b" " * PIECE) + packer.flush()


@cache
def _brotli_pieces() -> tuple[bytes, bytes]:
    """The first piece, with the stream's head, and the one that repeats behind it."""
    packer = brotli.Compressor(quality=5)
    first, second = (packer.process(b" " * PIECE) + packer.flush() for _ in range(2))
    return first, second


async def _packed(client: Client, coding: str) -> None:
    await client.head(200, [("Content-Encoding", coding)], "text/html; charset=utf-8")


@page("/bomb/gzip", failed("too-large"))
async def gzip_bomb(client: Client) -> None:
    """Its trailer is missing; nobody should get that far."""
    await _packed(client, "gzip")
    await client.raw(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")
    for _ in range(PIECES):
        await client.raw(_deflate_piece())


@page("/bomb/gzip-members", failed("too-large"))
async def gzip_members(client: Client) -> None:
    """Complete gzip members, one behind the other."""
    await _packed(client, "gzip")
    for _ in range(PIECES):
        await client.raw(_gzip_member())


@page("/bomb/deflate", failed("too-large"))
async def deflate_bomb(client: Client) -> None:
    await _packed(client, "deflate")
    await client.raw(b"\x78\xda")
    for _ in range(PIECES):
        await client.raw(_deflate_piece())


@page("/bomb/brotli", failed("too-large"))
async def brotli_bomb(client: Client) -> None:
    first, second = _brotli_pieces()
    await _packed(client, "br")
    await client.raw(first)
    for _ in range(PIECES):
        await client.raw(second)


@page("/bomb/zstd", failed("too-large"))
async def zstd_bomb(client: Client) -> None:
    """One frame of run-length blocks, written by hand: four bytes for every 128 KB."""
    await _packed(client, "zstd")
    block = (0 | 1 << 1 | 131_072 << 3).to_bytes(3, "little") + b" "
    await client.raw(b"\x28\xb5\x2f\xfd\x00\x58")
    for _ in range(PIECES):
        await client.raw(block * (PIECE // 131_072))


@page("/bomb/nested", failed("too-large"))
async def nested_bomb(client: Client) -> None:
    """Gzip within gzip: a few kilobytes on the wire."""
    await _packed(client, "gzip, gzip")
    await client.raw(_nested())


@cache
def _nested() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    parts = [packer.compress(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")]
    parts += [packer.compress(_deflate_piece()) for _ in range(PIECES)]
    return b"".join(parts) + packer.flush()


@page("/coding/gzip", ok(contains="properly packed"))
async def good_gzip(client: Client) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    body = packer.compress(html("Packed", [], "This page is properly packed.").encode()) + packer.flush()
    await client.send(body, headers=[("Content-Encoding", "gzip")])


@page("/coding/broken-gzip", failed("bad-encoding"))
async def broken_gzip(client: Client) -> None:
    await client.send(
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + b"not deflate at all", headers=[("Content-Encoding", "gzip")]
    )


@page("/coding/not-gzip", failed("bad-encoding", either=True))
async def not_gzip(client: Client) -> None:
    """Says gzip, is plain text."""
    await client.send(html("Plain", [], "This page is not packed."), headers=[("Content-Encoding", "gzip")])


@page("/coding/unknown", failed("bad-encoding", either=True))
async def unknown_coding(client: Client) -> None:
    await client.send(html("Plain", [], "This page is not packed."), headers=[("Content-Encoding", "x-rot13")])


@page("/coding/cut-gzip", failed("truncated", either=True))
async def cut_gzip(client: Client) -> None:
    """Half of a gzip stream."""
    await client.send(_gzip_member()[: len(_gzip_member()) // 2], headers=[("Content-Encoding", "gzip")])
