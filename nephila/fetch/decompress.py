"""Content-Encoding undone within a bound: gzip, deflate, br, zstd. A bomb costs no more memory than the bound."""

from __future__ import annotations

import io
import zlib

import brotli
import zstandard

from nephila.fetch.errors import Cause, FetchError

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
_MAX_LAYERS = 3
_BOMB_RATIO = 100
"""A body that grows more than this is called a bomb; real pages compress 3 to 20 times."""
_ZSTD_WINDOW = 8 * 2**20
"""RFC 9659 bounds the window of the zstd content coding to 8 MB."""


def decompress(body: bytes, content_encoding: str, limit: int) -> bytes:
    """The body without its content codings, at most `limit` bytes; raises FetchError otherwise."""
    codings = [coding.strip().lower() for coding in content_encoding.split(",")]
    codings = [coding for coding in codings if coding not in ("", "identity")]
    if len(codings) > _MAX_LAYERS:
        raise FetchError(Cause.BOMB, f"{len(codings)} nested content codings")
    for coding in reversed(codings):
        if body:
            body = _undo(coding, body, limit)
    return body


def _undo(coding: str, body: bytes, limit: int) -> bytes:
    try:
        if coding in ("gzip", "x-gzip"):
            plain = _gunzip(body, limit)
        elif coding == "deflate":
            plain = _inflate(body, limit)
        elif coding == "br":
            plain = _unbrotli(body, limit)
        elif coding == "zstd":
            plain = _unzstd(body, limit)
        else:
            return body  # an unknown coding is left to the parser, as browsers do with nonsense values
    except (zlib.error, brotli.error, zstandard.ZstdError) as error:
        raise FetchError(Cause.ENCODING, f"{coding}: {error}") from None
    if len(plain) > limit:
        raise _too_much(coding, len(body), limit)
    if not plain:
        raise FetchError(Cause.TRUNCATED, f"{coding} stream ends early")
    return plain


def _too_much(coding: str, consumed: int, limit: int) -> FetchError:
    cause = Cause.BOMB if limit > _BOMB_RATIO * consumed else Cause.TOO_LARGE
    return FetchError(cause, f"{consumed} bytes of {coding} hold more than {limit}")


def _gunzip(body: bytes, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while body:
        member = zlib.decompressobj(wbits=31)
        part = member.decompress(body, limit + 1 - size)
        parts.append(part)
        size += len(part)
        if size > limit:
            raise _too_much("gzip", len(body) - len(member.unconsumed_tail), limit)
        if not member.eof:
            raise FetchError(Cause.TRUNCATED, "gzip stream ends early")
        body = member.unused_data
        if not body.startswith(b"\x1f\x8b"):
            break  # trailing garbage after the last member, which browsers ignore too
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _inflate(body: bytes, limit: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(body, limit + 1)
    except zlib.error:
        return zlib.decompressobj(wbits=-15).decompress(body, limit + 1)  # raw deflate, sent by some servers


def _unbrotli(body: bytes, limit: int) -> bytes:
    stream = brotli.Decompressor()
    plain = bytearray(stream.process(body, output_buffer_limit=limit + 1))
    while len(plain) <= limit and not stream.is_finished() and not stream.can_accept_more_data():
        plain += stream.process(b"", output_buffer_limit=limit + 1 - len(plain))
    if len(plain) <= limit and not stream.is_finished():
        raise FetchError(Cause.TRUNCATED, "brotli stream ends early")
    return bytes(plain)


def _unzstd(body: bytes, limit: int) -> bytes:
    reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).stream_reader(
        io.BytesIO(body), read_across_frames=True
    )
    return reader.read(limit + 1)
