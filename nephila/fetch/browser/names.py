"""Addresses of the hosts that pages name, each asked for once: most pages name the same hosts as the one before them.

A script from a host that is gone holds up the page that waits for it, so what cannot be found is remembered too.
"""

from __future__ import annotations

import asyncio
import socket
import time

from nephila.fetch.guard import GuardedResolver

KEPT_SECONDS = 60.0
_MOST_NAMES = 5000


class Names:
    def __init__(self, resolver: GuardedResolver) -> None:
        self._resolver = resolver
        self._asked: dict[str, tuple[float, asyncio.Task[list[str]]]] = {}

    async def addresses(self, host: str) -> list[str]:
        """Those that passed the guard; raises what the resolver raised, without asking it again for a while."""
        now = time.monotonic()
        known = self._asked.get(host)
        if known is None or known[0] < now:
            if len(self._asked) >= _MOST_NAMES:
                self._asked.pop(next(iter(self._asked)))
            task = asyncio.create_task(self._ask(host))
            task.add_done_callback(_take_note)
            known = self._asked[host] = (now + KEPT_SECONDS, task)
        # Others wait for the same answer: who gives up does not take it from them.
        return await asyncio.shield(known[1])

    async def _ask(self, host: str) -> list[str]:
        return [found["host"] for found in await self._resolver.resolve(host, 0, socket.AF_UNSPEC)]

    async def close(self) -> None:
        asked = [task for _, task in self._asked.values()]
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


def _take_note(task: asyncio.Task[list[str]]) -> None:
    """Of a failure that all who waited for it have turned away from: else asyncio reports it."""
    if not task.cancelled():
        task.exception()
