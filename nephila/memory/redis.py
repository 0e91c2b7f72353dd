"""The shared memory: small facts on a Redis server, for the workers of one job on many machines. Knows no other room.

A fact that is updated is read, changed here, and written back if nobody else has changed it meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nephila.redis import PATIENCE, Server, key_prefix, load_script

_HEAD = 16
"""Bytes before a value: when it expires, and its version (lua/facts.lua)."""


class RedisMemory:
    """A `Memory` on the server at `url`, under the name `job`; `StateError` when it cannot be used."""

    def __init__(
        self, url: str, job: str, clock: Callable[[], float] | None = None, *, patience: float = PATIENCE
    ) -> None:
        """With a `clock`, its time is used instead of the server's: for tests."""
        self._key = key_prefix(job) + b"facts"
        self._clock = clock
        self._server = Server(url, patience=patience)

    async def get(self, space: str, key: str) -> bytes | None:
        fact: bytes | None = await self._run("get", space, _bytes(key))
        return None if fact is None else fact[_HEAD:]

    async def put(self, space: str, key: str, value: bytes, ttl: float | None = None) -> None:
        await self._run("put", space, _bytes(key), value, b"" if ttl is None else ttl)

    async def update(self, space: str, key: str, change: Callable[[bytes | None], bytes | None]) -> bytes | None:
        fact = await self._run("get", space, _bytes(key))
        while True:
            after = change(None if fact is None else fact[_HEAD:])
            version = 0 if fact is None else int.from_bytes(fact[8:_HEAD], "big")
            written, *others = await self._run(
                "swap", space, _bytes(key), version, b"0" if after is None else b"1", after or b""
            )
            if written:
                return after
            (fact,) = others

    async def items(self, space: str, prefix: str = "") -> Sequence[tuple[str, bytes]]:
        found = await self._run("items", space, _bytes(prefix))
        return [
            (key.decode("utf-8", "surrogatepass"), fact[_HEAD:])
            for key, fact in zip(found[::2], found[1::2], strict=True)
        ]

    async def close(self) -> None:
        await self._server.close()

    async def _run(self, name: str, *arguments: bytes | float | str) -> Any:
        now = b"" if self._clock is None else repr(self._clock()).encode()
        return await self._server.run(load_script("nephila.memory", name), self._key, now, *arguments)


def _bytes(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")
