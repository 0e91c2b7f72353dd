"""The store on a Redis server, for the workers of many machines: the file's layout in two strings, asked by a script.

URLs lie in small hashes of 100, which Redis keeps packed. Knows no other room.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from nephila.dedupe.base import SKETCH_BYTES, Limits, position
from nephila.dedupe.sketches import Sketch
from nephila.redis import PATIENCE, Server, key_prefix, load_script

_AT_ONCE = 64
"""Texts of one script run: some milliseconds, during which the server does nothing else."""


class RedisDuplicates:
    """`Duplicates` on the server at `url`, under the name `job`."""

    def __init__(self, url: str, job: str, limits: Limits | None = None, *, patience: float = PATIENCE) -> None:
        self._key = key_prefix(job) + b"near"
        self._limits = limits or Limits()
        self._server = Server(url, patience=patience)

    async def judge(self, texts: Sequence[tuple[Sketch, str]]) -> list[str | None]:
        found: list[str | None] = []
        for start in range(0, len(texts), _AT_ONCE):
            found += await self._judge(texts[start : start + _AT_ONCE])
        return found

    async def close(self) -> None:
        await self._server.close()

    async def _judge(self, texts: Sequence[tuple[Sketch, str]]) -> list[str | None]:
        arguments: list[bytes | float | str] = [self._limits.capacity]
        for text, url in texts:
            places = b"".join(struct.pack("<IB", *position(key, self._limits.buckets)) for key in text.keys)
            allowed = self._limits.distance if text.near else 0
            arguments += [text.bits.to_bytes(SKETCH_BYTES, "big"), allowed, places, url.encode("utf-8", "replace")]
        script = load_script("nephila.dedupe", "judge")
        found: list[bytes] = await self._server.run(script, self._key, *arguments)
        return [url.decode() if url else None for url in found]
