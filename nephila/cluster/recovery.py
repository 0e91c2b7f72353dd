"""The master's one duty: what a dead worker held goes back to the queue at once, instead of when its leases expire.

It keeps no state: who holds leases stands in each job's memory, who lives in ZooKeeper. A worker registers after it has
joined and before it claims, so the registered are read first and the living second: who is among the first and not
among the second is dead for good, whatever happened in between.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable

import orjson

from nephila.cluster.place import Place
from nephila.cluster.presence import Presence
from nephila.cluster.registry import Submission
from nephila.cluster.shift import WORKERS
from nephila.frontier import Frontier
from nephila.memory import Memory

logger = logging.getLogger(__name__)


class Recovery:
    def __init__(self, place: Place, presence: Presence) -> None:
        self._place, self._presence = place, presence
        self._open: dict[str, tuple[Memory, Frontier]] = {}

    async def run(self, jobs: Iterable[Submission]) -> int:
        """Frees what the dead hold in these jobs; returns how many URLs."""
        shared = {each.id: each for each in jobs if each.job.get("assignment", "shared") == "shared"}
        await self._close(set(self._open) - set(shared))
        registered = {identity: await self._members(submission) for identity, submission in shared.items()}
        if not any(registered.values()):
            return 0
        living = await asyncio.to_thread(self._presence.living)
        freed = 0
        for identity, workers in registered.items():
            memory, frontier = self._open[identity]
            for name, member in workers.items():
                if member not in living:
                    count = await frontier.release(name, dead=True)
                    await memory.update(WORKERS, name, lambda _: None)
                    logger.warning("worker %s is dead: %d URLs of %s given back", name, count, identity)
                    freed += count
        return freed

    async def _members(self, submission: Submission) -> dict[str, str]:
        """The workers of a job, each with its membership."""
        if submission.id not in self._open:
            stores = self._place.job(submission.id)
            self._open[submission.id] = (stores.open_memory(), stores.open_frontier(submission.read()))
        memory, _ = self._open[submission.id]
        return {name: str(orjson.loads(raw).get("member")) for name, raw in await memory.items(WORKERS)}

    async def close(self) -> None:
        await self._close(set(self._open))

    async def _close(self, identities: set[str]) -> None:
        for identity in identities:
            memory, frontier = self._open.pop(identity)
            await memory.close()
            await frontier.close()
