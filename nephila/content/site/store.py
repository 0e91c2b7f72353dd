"""The memories of the sites of a crawl, shared by its workers. Knows the memory's contract and site memories.

A worker learns into a memory of its own and, every few pages, adds what is new to the shared one, whose whole it takes
back. What was not yet shared when a worker dies is lost; it is a matter of statistics, not of records.
"""

from __future__ import annotations

from collections import OrderedDict

from nephila.content.features.page import Floats
from nephila.content.site.memory import PageView, SiteMemory
from nephila.memory.base import Memory

SPACE = "content.site"
SHARED_EVERY = 10
MOST_SITES = 200
"""Sites that a worker keeps at hand; the one that was not used for longest is shared and dropped."""


class SiteStore:
    """Site memories by name, at hand and shared."""

    def __init__(self, memory: Memory, shared_every: int = SHARED_EVERY, most_sites: int = MOST_SITES) -> None:
        self._memory = memory
        self._every = shared_every
        self._most = most_sites
        self._whole: OrderedDict[str, SiteMemory] = OrderedDict()
        self._news: dict[str, SiteMemory] = {}

    async def site(self, name: str) -> SiteMemory:
        """What is known of a site, by all workers."""
        known = self._whole.get(name)
        if known is None:
            data = await self._memory.get(SPACE, name)
            # Another page may have brought it meanwhile, and have added what it says.
            known = self._whole.setdefault(name, SiteMemory.from_bytes(data) if data else SiteMemory())
            self._whole.move_to_end(name)
            while len(self._whole) > self._most:
                oldest = next(iter(self._whole))
                await self.share(oldest)
                self._whole.pop(oldest, None)
        else:
            self._whole.move_to_end(name)
        return known

    async def learn(self, name: str, view: PageView, probabilities: Floats) -> None:
        """Adds one page to what is known, and shares from time to time."""
        known = await self.site(name)
        known.learn(view, probabilities)
        news = self._news.setdefault(name, SiteMemory())
        news.learn(view, probabilities)
        # Often while little is known, rarely when a few pages change little.
        if news.pages >= max(self._every, min(known.pages / 4, 10 * self._every)):
            await self.share(name)

    async def share(self, name: str) -> None:
        """Adds what is new of one site to the shared memory, in one atomic step, and takes the whole back."""
        news = self._news.pop(name, None)
        if news is None:
            return

        def add(data: bytes | None) -> bytes:
            whole = SiteMemory.from_bytes(data) if data else SiteMemory()
            whole.merge(news)
            return whole.to_bytes()

        data = await self._memory.update(SPACE, name, add)
        if data is not None and name in self._whole:
            self._whole[name] = SiteMemory.from_bytes(data)

    async def close(self) -> None:
        """Shares all that is new."""
        for name in list(self._news):
            await self.share(name)
