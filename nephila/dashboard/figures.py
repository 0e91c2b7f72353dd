"""What the dashboard tells Prometheus: how long the queue of each crawl is. The workers tell the rest themselves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from nephila.dashboard.crawls import Crawls, UnknownError
from nephila.telemetry import Metric, Snapshot


def frontier_figures(make: Callable[[], Crawls]) -> list[Snapshot]:
    """One snapshot a crawl that is not over, named after it.

    Called from the endpoint's thread, which has an event loop of its own for the moment: hence crawls of its own too.
    """
    return asyncio.run(_look(make()))


async def _look(crawls: Crawls) -> list[Snapshot]:
    try:
        found = [await _figures(crawls, name) for name in await crawls.names()]
    finally:
        await crawls.close()
    return [snapshot for snapshot in found if snapshot is not None]


async def _figures(crawls: Crawls, name: str) -> Snapshot | None:
    try:
        if await crawls.word(name) in ("done", "cancelled"):
            return None
        async with crawls.stores(name) as stores:
            if stores is None:
                return None
            stats = await stores[0].stats()
    except UnknownError:  # removed in this very moment
        return None
    sizes = {
        Metric.QUEUED: stats.queued,
        Metric.LEASED: stats.leased,
        Metric.DEAD: stats.dead,
        Metric.HOSTS: stats.hosts,
    }
    return Snapshot(name, "", 0.0, time.time(), gauges={str(metric): float(value) for metric, value in sizes.items()})
