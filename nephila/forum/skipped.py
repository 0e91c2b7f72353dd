"""Links that were left out on a site taken for a forum: kept, so that none is lost where that proves wrong.

By address pattern, since evidence may turn for one of them (articles beside the forum) or for the whole site. Knows
the memory alone; what is followed again, and how, is decided elsewhere.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import orjson

from nephila.memory import Memory

SPACE = "forum-skipped"
_MOST = 50_000
"""Links kept of a site; by then a forum has shown itself for thousands of pages."""


@dataclass(frozen=True, slots=True)
class Left:
    """A link that was left out."""

    url: str
    refused: bool
    """It was in the queue already, and not fetched when its turn came."""


class Skipped:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._links: dict[str, dict[str, dict[str, bool]]] = {}
        """Site -> pattern -> link -> whether it was refused."""
        self._count: dict[str, int] = {}
        self._fresh: dict[str, list[tuple[str, str, bool]]] = {}

    def add(self, host: str, pattern: str, url: str, *, refused: bool = False) -> None:
        links = self._links.setdefault(host, {}).setdefault(pattern, {})
        if (url in links and not refused) or self._count.get(host, 0) >= _MOST:
            return
        self._count[host] = self._count.get(host, 0) + (url not in links)
        links[url] = refused
        self._fresh.setdefault(host, []).append((pattern, url, refused))

    def has(self, host: str) -> bool:
        return host in self._links

    async def share(self) -> None:
        """Writes what is new where the other workers, and the next run, find it."""
        while self._fresh:
            host, links = self._fresh.popitem()
            try:
                await self._memory.put(SPACE, f"{host} {time.time_ns()}", orjson.dumps(links))
            except BaseException:  # told with the next
                self._fresh[host] = links + self._fresh.get(host, [])
                raise

    async def of(self, host: str, pattern: str | None = None) -> list[Left]:
        """What was left out of a site, or of one of its patterns."""
        found: dict[str, bool] = {}
        await self.share()
        for _, data in await self._memory.items(SPACE, f"{host} "):
            for known, url, refused in orjson.loads(data):
                if pattern is None or known == pattern:
                    found[url] = found.get(url, False) or refused
        if pattern is None:
            self._links.pop(host, None)
        return [Left(url, refused) for url, refused in found.items()]
