"""A memory for tests that need one but are not about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class DictMemory:
    def __init__(self) -> None:
        self._facts: dict[tuple[str, str], bytes] = {}

    async def get(self, space: str, key: str) -> bytes | None:
        return self._facts.get((space, key))

    async def put(self, space: str, key: str, value: bytes, ttl: float | None = None) -> None:
        self._facts[space, key] = value

    async def update(self, space: str, key: str, change: Callable[[bytes | None], bytes | None]) -> bytes | None:
        value = change(self._facts.pop((space, key), None))
        if value is not None:
            self._facts[space, key] = value
        return value

    async def items(self, space: str, prefix: str = "") -> Sequence[tuple[str, bytes]]:
        return [(key, value) for (own, key), value in self._facts.items() if own == space and key.startswith(prefix)]

    async def close(self) -> None:
        self._facts.clear()
