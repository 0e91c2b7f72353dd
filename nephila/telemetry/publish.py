"""Counters on their way: each worker puts its snapshot into the memory, whoever wants the picture collects them.

    async with publishing(memory, counters):      # in a worker
        ...
    progress.update(await collect(memory))        # in the supervisor, `nephila status`, the dashboard

Telemetry never stops a crawl: a memory that fails for a while is logged, and the next second tries again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from nephila.memory.base import Memory
from nephila.telemetry.counters import Counters, Snapshot

SPACE = "counters"

logger = logging.getLogger(__name__)


async def publish(memory: Memory, counters: Counters) -> None:
    """Puts the counters as they are now."""
    snapshot = counters.snapshot()
    await memory.put(SPACE, snapshot.key, snapshot.to_json())


async def collect(memory: Memory) -> list[Snapshot]:
    """The newest snapshot of every run of every worker; one that cannot be read is left out."""
    snapshots = []
    for key, value in await memory.items(SPACE):
        try:
            snapshots.append(Snapshot.from_json(value))
        except (ValueError, TypeError, KeyError, AttributeError):
            logger.debug("counters of %s cannot be read", key)
    return snapshots


@asynccontextmanager
async def publishing(memory: Memory, counters: Counters, every: float = 1.0) -> AsyncIterator[None]:
    """Publishes once a second while it is entered, and once more at the end, with the final counts."""
    task = asyncio.create_task(_regularly(memory, counters, every), name="nephila-counters")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await _try(memory, counters)


async def _regularly(memory: Memory, counters: Counters, every: float) -> None:
    while True:
        await _try(memory, counters)
        await asyncio.sleep(every)


async def _try(memory: Memory, counters: Counters) -> None:
    try:
        await publish(memory, counters)
    except Exception as error:
        logger.warning("counters of %s were not published: %s", counters.worker, error)
