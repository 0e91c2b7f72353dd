"""The memory's contract: small facts by name, shared by all workers and kept between crawls.

Rooms keep their own facts in a space of their own (`robots`, `counters`, `site`, ...) through a typed wrapper of
theirs; the memory knows bytes only (JSON or msgpack, never pickle).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class Memory(Protocol):
    async def get(self, space: str, key: str) -> bytes | None:
        """None when absent or expired."""
        ...

    async def put(self, space: str, key: str, value: bytes, ttl: float | None = None) -> None:
        """Replaces what was there, its ttl too; with `ttl`, the fact is gone after so many seconds."""
        ...

    async def update(self, space: str, key: str, change: Callable[[bytes | None], bytes | None]) -> bytes | None:
        """Reads, changes and writes in one atomic step, and returns what was written (None deletes).

        `change` must be pure and short: it may run twice, and in another thread. A fact with a ttl keeps it; an
        expired one counts as absent.
        """
        ...

    async def items(self, space: str, prefix: str = "") -> Sequence[tuple[str, bytes]]:
        """The facts of a space whose keys begin with `prefix`, in the order of their keys (by code point)."""
        ...

    async def close(self) -> None: ...
