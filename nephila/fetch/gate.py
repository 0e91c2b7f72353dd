"""The gate before each request: pages that kill, hosts that are down, robots.txt. A downloader middleware of Scrapy.

Whoever waits here (a slow robots.txt, a delay after it) holds up the site that it belongs to, and no other.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, TypeVar

from scrapy import Request
from scrapy.http import Response

from nephila.fetch.clearance import ask_before_sending
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.outages import SILENCE, Outages

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from nephila.fetch.parts import FetchParts, RobotsParts
    from nephila.frontier.base import Lease

R = TypeVar("R", bound=Response)

DELAY = "delay"
"""Key in `Request.meta`: the seconds that this host wants between two requests."""
_BUSY = frozenset({429, 503})
_SAYS_NOTHING = frozenset({Cause.ROBOTS, Cause.ADDRESS, Cause.BAD_URL, Cause.LEASE_LOST, Cause.CRASH})
"""The host was not asked."""
_UNASKED = frozenset({Cause.ROBOTS, Cause.CRASH})
_OF_THE_HOST = frozenset(map(str, SILENCE | {Cause.ADDRESS}))


class Gate:
    def __init__(self, parts: FetchParts) -> None:
        self._parts = parts
        self._outages = Outages(parts.job.limits.retry_base)
        self._met: dict[str, float] = {}
        """Hosts that this worker has met, with the Crawl-delay that each was given in the frontier."""
        parts.keeper.on_outage.append(self._met.clear)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Gate:
        return cls(crawler.spider.parts)  # type: ignore[union-attr]

    async def process_request(self, request: Request) -> None:
        lease: Lease = request.meta["lease"]
        ask_before_sending(lambda: self._parts.keeper.may_ask(lease))
        try:
            if self._parts.condemns(lease.fingerprint):
                raise FetchError(Cause.CRASH, "workers died while they read this page: not read again")
            cause = self._outages.down(lease.host)
            if cause is not None:
                raise FetchError(cause, f"{lease.host} has not answered for minutes: not asked again", final=True)
            request.meta[DELAY] = self._parts.politeness.rule(lease.host).delay
            robots = self._parts.robots
            if robots is not None and self._parts.job.site(lease.host).robots is not False:
                request.meta[DELAY] = await self._pass(lease, robots)
        except FetchError as error:
            self._parts.keeper.request_over(lease, asked=error.cause not in _UNASKED or self._asked_lately(lease))
            raise
        except BaseException:
            self._parts.keeper.request_over(lease)
            raise

    def _asked_lately(self, lease: Lease) -> bool:
        """Whether its robots.txt was asked for so lately that the host's delay has not passed since."""
        asked_at = self._parts.robots.fetcher.asked_at(lease.host) if self._parts.robots is not None else None
        delay = max(self._met.get(lease.host, 0.0), self._parts.politeness.rule(lease.host).delay)
        return asked_at is not None and time.monotonic() < asked_at + delay

    async def process_response(self, request: Request, response: R) -> R:
        lease: Lease = request.meta["lease"]
        if response.status in _BUSY:
            await self._suffer(lease.host, Cause.SERVER_BUSY)
        else:
            self._outages.answered(lease.host)
        return response

    async def process_exception(self, request: Request, exception: Exception) -> None:
        lease: Lease = request.meta["lease"]
        if not isinstance(exception, FetchError) or exception.cause in _SAYS_NOTHING:
            return
        if exception.cause not in SILENCE:
            self._outages.answered(lease.host)
        elif not exception.final:
            await self._suffer(lease.host, exception.cause)

    async def _suffer(self, host: str, cause: Cause) -> None:
        pause = self._outages.failed(host, cause)
        if pause is not None:
            await self._parts.keeper.frontier.slow_down(host, until=time.time() + pause)

    async def _pass(self, lease: Lease, robots: RobotsParts) -> float:
        """Gives the delay between requests to the host; raises when this URL may not be fetched, or not now."""
        found = await robots.cache.for_url(lease.url)
        if found.unreachable:
            # RFC 9309, 2.3.1.4: nothing may be fetched for now; the URL waits, it is not given up.
            raise FetchError(_host_cause(found.reason), f"robots.txt: {found.reason}", retry_at=found.retry_at)
        asked = min(found.crawl_delay(robots.agent) or 0.0, self._parts.job.politeness.max_crawl_delay)
        if self._met.get(lease.host) != asked:
            first = lease.host not in self._met
            await self._parts.keeper.frontier.slow_down(lease.host, delay=asked)
            self._met[lease.host] = asked
            if first:
                self._parts.on_sitemaps(lease, list(found.sitemaps))
        if not found.allows(lease.url, robots.agent):
            raise FetchError(Cause.ROBOTS)
        # robots.txt was itself a request to this host, made under this lease: the page waits for its turn.
        asked_at = robots.fetcher.asked_at(lease.host)
        delay = max(asked, self._parts.politeness.rule(lease.host).delay)
        if asked_at is not None and (left := asked_at + delay - time.monotonic()) > 0:
            await asyncio.sleep(left + _TICKS)
        return delay


_TICKS = 0.002
"""uvloop counts in whole milliseconds, and may wake up as much too soon."""


def _host_cause(reason: str) -> Cause:
    """What keeps us from a robots.txt keeps us from the whole host, unless it is the file's own trouble."""
    return Cause(reason) if reason in _OF_THE_HOST else Cause.ROBOTS_UNREACHABLE
