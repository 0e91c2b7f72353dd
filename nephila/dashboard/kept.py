"""The stores of crawls, kept open between two looks: to open them takes longer than the look itself.

A visitor's page looks every second. What is another version of a crawl (begun anew under its old name, or its job
changed) says who opens it; the stores of the version before are closed when nobody uses them any more.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from nephila.frontier import Frontier
from nephila.memory import Memory

_MOST = 8
"""Crawls whose stores are kept open: each takes two files and two threads, or two connections."""


@dataclass(slots=True)
class _Open:
    version: Hashable
    frontier: Frontier
    memory: Memory
    users: int = 0

    async def close(self) -> None:
        await self.frontier.close()
        await self.memory.close()


class KeptStores:
    def __init__(self) -> None:
        self._open: OrderedDict[str, _Open] = OrderedDict()
        """By name; who was looked at last is last."""
        self._left: list[_Open] = []
        """Replaced while somebody was using them."""

    @asynccontextmanager
    async def of(
        self, name: str, version: Callable[[], Hashable], opened: Callable[[], tuple[Frontier, Memory]]
    ) -> AsyncIterator[tuple[Frontier, Memory]]:
        while (kept := self._open.get(name)) is not None and kept.version != version():
            await self.forget(name)  # somebody else may open them anew meanwhile
        if kept is None:
            stores = opened()
            kept = self._open[name] = _Open(version(), *stores)
        self._open.move_to_end(name)
        kept.users += 1
        try:
            yield kept.frontier, kept.memory
        finally:
            kept.users -= 1
            await self._tidy()

    async def forget(self, name: str) -> None:
        """The crawl's files may go."""
        if (kept := self._open.pop(name, None)) is not None:
            self._left.append(kept)
            await self._tidy()

    async def close(self) -> None:
        for name in list(self._open):
            await self.forget(name)

    async def _tidy(self) -> None:
        while len(self._open) > _MOST:
            self._left.append(self._open.popitem(last=False)[1])
        idle = [kept for kept in self._left if not kept.users]
        self._left = [kept for kept in self._left if kept.users]
        for kept in idle:
            await kept.close()
