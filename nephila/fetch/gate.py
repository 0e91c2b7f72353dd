"""The gate before each request: robots.txt. A downloader middleware: a slow robots.txt holds up its own site only."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from scrapy import Request

from nephila.fetch.errors import Cause, FetchError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from nephila.fetch.parts import FetchParts, RobotsParts
    from nephila.frontier.base import Lease


class RobotsGate:
    def __init__(self, parts: FetchParts) -> None:
        self._parts = parts
        self._met: dict[str, float] = {}
        """Hosts that this worker has met, with the Crawl-delay that each was given in the frontier."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsGate:
        return cls(crawler.spider.parts)  # type: ignore[union-attr]

    async def process_request(self, request: Request) -> None:
        lease: Lease = request.meta["lease"]
        robots = self._parts.robots
        if robots is None or self._parts.job.site(lease.host).robots is False:
            return
        try:
            await self._pass(lease, robots)
        except BaseException:
            self._parts.keeper.request_over(lease)
            raise

    async def _pass(self, lease: Lease, robots: RobotsParts) -> None:
        found = await robots.cache.for_url(lease.url)
        if found.unreachable:
            # RFC 9309, 2.3.1.4: nothing may be fetched for now; the URL waits, it is not given up.
            raise FetchError(Cause.ROBOTS_UNREACHABLE, retry_at=found.retry_at)
        asked = min(found.crawl_delay(robots.agent) or 0.0, self._parts.job.politeness.max_crawl_delay)
        if self._met.get(lease.host) != asked:
            first = lease.host not in self._met
            self._met[lease.host] = asked
            await self._parts.keeper.frontier.slow_down(lease.host, delay=asked)
            if first:
                self._parts.on_sitemaps(lease, list(found.sitemaps))
        if not found.allows(lease.url, robots.agent):
            raise FetchError(Cause.ROBOTS)
        # robots.txt was itself a request to this host, made under this lease: the page waits for its turn.
        asked_at = robots.fetcher.asked_at(lease.host)
        delay = max(asked, self._parts.politeness.rule(lease.host).delay)
        if asked_at is not None and delay:
            await asyncio.sleep(max(0.0, asked_at + delay - time.monotonic()))
