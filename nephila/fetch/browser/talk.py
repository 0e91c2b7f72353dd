"""Bytes between the browser and a server, both ways, within bounds of size and of silence."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import time
from dataclasses import dataclass

CHUNK = 64 * 1024
SILENT = (OSError, EOFError, asyncio.LimitOverrunError, ssl.SSLError)
"""What ends a connection without a word: the other side is gone."""
_SILENT_SECONDS = 8.0
"""That a server may leave a request without a byte of an answer: less than the patience that a page is given (10)."""
_LISTEN_SECONDS = 0.5


@dataclass(slots=True)
class Talk:
    """When a connection asked and was answered last."""

    late: bytes = b""
    """What the browser is told when no answer comes; without it, that its connection is closed."""
    asked_at: float = 0.0
    answered_at: float = 0.0

    @property
    def in_vain(self) -> bool:
        return self.asked_at > self.answered_at and time.monotonic() - self.asked_at > _SILENT_SECONDS


async def pour(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    most: int,
    *,
    end: bool = False,
    asks: Talk | None = None,
    answers: Talk | None = None,
) -> None:
    """All bytes from one to the other, up to the bound; then the other is closed (`end`: or when nothing came)."""
    try:
        while most > 0:
            chunk = await (reader.read(CHUNK) if answers is None else _answer(reader, writer, answers))
            if not chunk:
                break
            most -= len(chunk)
            writer.write(chunk)
            await writer.drain()
            if asks is not None:
                asks.asked_at = time.monotonic()
    except SILENT:
        pass
    finally:
        with contextlib.suppress(*SILENT):
            if end or most <= 0 or not writer.can_write_eof():
                writer.close()
            else:
                writer.write_eof()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, talk: Talk) -> bytes:
    """The next bytes of a server; nothing where it has been asked and keeps silent."""
    while True:
        try:
            async with asyncio.timeout(_LISTEN_SECONDS):
                chunk = await reader.read(CHUNK)
        except TimeoutError:
            if talk.in_vain:
                writer.write(talk.late)
                return b""
            continue
        talk.answered_at = time.monotonic()
        return chunk
