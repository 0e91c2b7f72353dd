"""Content-Encoding undone within a bound: gzip, deflate, br, zstd. A bomb costs no more memory than the bound."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import brotli
import zstandard

from nephila.fetch.errors import Cause, FetchError

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
_MAX_LAYERS = 3
_BOMB_RATIO = 100
"""A body that grows more than this is called a bomb; real pages compress 3 to 20 times."""
_MAX_MEMBERS = 10_000
"""gzip members or zstd frames of one body: each has its price, and honest files in blocks have some hundred."""
_GZIP_SLICE = 64 * 1024
_ZSTD_SLICE = 256
"""A block of 4 bytes may hold 128 KB: a slice grows to 8 MB at most before the limit is looked at."""
_ZSTD_WINDOW = 8 * 2**20
"""RFC 9659 bounds the window of the zstd content coding to 8 MB."""


def decompress(body: bytes, content_encoding: str, limit: int, *, cut: bool = False) -> bytes:
    """The body without its content codings, at most `limit` bytes; raises FetchError otherwise.

    `cut`: the body may end anywhere and hold more than `limit`; what there is of its beginning is given.
    """
    codings = [coding.strip().lower() for coding in content_encoding.split(",")]
    codings = [coding for coding in codings if coding not in ("", "identity")]
    if len(codings) > _MAX_LAYERS:
        raise FetchError(Cause.BOMB, f"{len(codings)} nested content codings")
    for coding in reversed(codings):
        undo = _UNDO.get(coding)
        if body and undo is not None:  # an unknown coding is left to the parser, as browsers do with nonsense values
            body = _undone(coding, undo, body, limit, cut=cut)
    return body


def _undone(coding: str, undo: Callable[[bytes, _Output], bool], body: bytes, limit: int, *, cut: bool) -> bytes:
    output = _Output(limit)
    try:
        whole = undo(body, output)
    except _FullError:
        if cut:
            return output.joined()[:limit]
        cause = Cause.BOMB if limit > _BOMB_RATIO * len(body) else Cause.TOO_LARGE
        raise FetchError(cause, f"{len(body)} bytes of {coding} hold more than {limit}") from None
    except (zlib.error, brotli.error, zstandard.ZstdError) as error:
        if cut and output.size:
            return output.joined()
        raise FetchError(Cause.ENCODING, f"{coding}: {error}") from None
    if not whole and not cut:
        raise FetchError(Cause.TRUNCATED, f"{coding} stream ends early")
    return output.joined()


class _FullError(Exception):
    """More came out than the limit allows."""


class _Output:
    """What came out so far; taking more than the limit raises."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._parts: list[bytes] = []

    @property
    def room(self) -> int:
        """One byte above what may come, so that a stream that goes on is told from one that ends."""
        return self.limit + 1 - self.size

    def take(self, part: bytes) -> None:
        if part:
            self._parts.append(part)
            self.size += len(part)
        if self.size > self.limit:
            raise _FullError

    def joined(self) -> bytes:
        return self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)


def _gunzip(body: bytes, output: _Output) -> bool:
    """Members one behind the other; garbage after a whole one is ignored, as browsers do."""
    member = zlib.decompressobj(wbits=31)
    members, at = 1, 0
    while at < len(body):
        piece = body[at : at + _GZIP_SLICE]
        output.take(member.decompress(piece, output.room))
        at += len(piece) - len(member.unused_data)
        if member.eof:
            if body[at : at + 2] != b"\x1f\x8b":
                return True
            member, members = zlib.decompressobj(wbits=31), _one_more(members)
    return member.eof


def _inflate(body: bytes, output: _Output) -> bool:
    stream = zlib.decompressobj()
    try:
        output.take(stream.decompress(body, output.room))
    except zlib.error:
        stream = zlib.decompressobj(wbits=-15)  # raw deflate, sent by some servers
        output.take(stream.decompress(body, output.room))
    return stream.eof


def _unbrotli(body: bytes, output: _Output) -> bool:
    stream = brotli.Decompressor()
    output.take(stream.process(body, output_buffer_limit=output.room))
    while not stream.is_finished() and not stream.can_accept_more_data():
        output.take(stream.process(b"", output_buffer_limit=output.room))
    return bool(stream.is_finished())


def _unzstd(body: bytes, output: _Output) -> bool:
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    frame = decompressor.decompressobj()
    frames, at = 1, 0
    while at < len(body):
        piece = body[at : at + _ZSTD_SLICE]
        output.take(frame.decompress(piece))
        at += len(piece)
        if frame.eof:
            at -= len(frame.unused_data)
            if at < len(body):
                frame, frames = decompressor.decompressobj(), _one_more(frames)
    return frame.eof


def _one_more(members: int) -> int:
    if members >= _MAX_MEMBERS:
        raise FetchError(Cause.BOMB, f"more than {_MAX_MEMBERS} compressed pieces")
    return members + 1


_UNDO: dict[str, Callable[[bytes, _Output], bool]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
