"""The frontier as a spider middleware, for any Scrapy project (public extension points only).

`process_start` claims leases and yields their requests; `process_spider_output` diverts every new request into the
frontier. A lease is acked when its callback is exhausted *and* each of its items has left the item pipelines; links are
pushed before the ack. Download failures and errors in callbacks never reach spider middlewares, so leased requests get
an errback and `spider_error` is heard as well.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.utils.python import global_object_name

from nephila.fetch.leases import LeaseKeeper
from nephila.fetch.requests import LEASE, NotShareableError, entry_of, request_of
from nephila.frontier import Entry, Frontier, HostRule, Lease, Limits, Politeness, SqliteFrontier, Visit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)

_BATCH = 500


class FrontierMiddleware:
    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._frontier = open_frontier(crawler)
        self._keeper = LeaseKeeper(
            self._frontier,
            f"scrapy-{settings['BOT_NAME']}-{id(self):x}",
            concurrency=settings.getint("CONCURRENT_REQUESTS"),
            lease_seconds=settings.getfloat("NEPHILA_LEASE", 120.0),
        )
        self._open: dict[int, _OpenLease] = {}
        self._unshared = 0
        for handler, signal in (
            (self._left_downloader, signals.request_left_downloader),
            (self._item_left, signals.item_scraped),
            (self._item_left, signals.item_dropped),
            (self._item_left, signals.item_error),
            (self._callback_failed, signals.spider_error),
            (self._closed, signals.spider_closed),
        ):
            crawler.signals.connect(handler, signal)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FrontierMiddleware:
        return cls(crawler)

    # -- in: leases become requests --------------------------------------------------------------------------------

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        found: list[Entry] = []
        async for item in start:
            entry = self._entry(item, dedupe=True) if isinstance(item, Request) else None
            if entry is None:
                yield item
                continue
            found.append(entry)
            if len(found) >= _BATCH:
                await self._frontier.add(found)
                found = []
        await self._frontier.add(found)
        if await self._frontier.drained():
            logger.warning(
                "the frontier holds nothing to fetch: this crawl is complete; remove its state to start anew"
            )
        async for lease in self._keeper.leases():
            request = request_of(lease, self._spider)
            self._open[lease.token] = _OpenLease(lease)
            yield request.replace(errback=_Errback(self, request.errback))

    # -- out: requests become entries ------------------------------------------------------------------------------

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        held = self._held(response)
        async for item in result:
            if isinstance(item, Request):
                if not self._divert(item):
                    yield item
                continue
            if held is not None:
                held.items += 1
            yield item
        if held is not None:
            held.exhausted = True
            await self._settle(held)

    def _divert(self, request: Request) -> bool:
        entry = self._entry(request, dedupe=not request.dont_filter)
        if entry is not None:
            self._keeper.found([entry])
        return entry is not None

    def _entry(self, request: Request, *, dedupe: bool) -> Entry | None:
        assert self._crawler.request_fingerprinter is not None  # noqa: S101
        try:
            return entry_of(request, self._spider, self._crawler.request_fingerprinter, dedupe=dedupe)
        except NotShareableError as error:
            self._unshared += 1
            if self._unshared == 1:
                logger.warning("%s stays in this process, it cannot be written as JSON (%s)", request, error)
            return None

    # -- acks ------------------------------------------------------------------------------------------------------

    def _held(self, response: Response | None) -> _OpenLease | None:
        lease = response.meta.get(LEASE) if response is not None and response.request is not None else None
        return self._open.get(lease.token) if lease is not None else None

    async def _settle(self, held: _OpenLease) -> None:
        if held.exhausted and held.items == held.left and self._open.pop(held.lease.token, None) is not None:
            if held.reason is None:
                await self._keeper.complete([Visit(held.lease)])
            else:
                await self._keeper.fail(held.lease, held.reason, None)

    async def _item_left(self, response: Response | None) -> None:
        held = self._held(response)
        if held is not None:
            held.left += 1
            await self._settle(held)

    async def _callback_failed(self, failure: Failure, response: Response | None) -> None:
        held = self._held(response)
        if held is not None:
            held.exhausted = True
            held.reason = f"{global_object_name(failure.type) if failure.type else 'error'}: {failure.value}"[:500]
            await self._settle(held)

    def _left_downloader(self, request: Request) -> None:
        lease = request.meta.get(LEASE)
        if lease is not None:
            self._keeper.request_over(lease)

    async def failed(self, failure: Failure, output: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """The end of a request that brought no response to a callback; `output` is what the spider's errback gave."""
        lease: Lease = failure.request.meta[LEASE]  # type: ignore[attr-defined]
        held = self._open.get(lease.token)
        async for item in output:
            if not (isinstance(item, Request) and self._divert(item)):
                yield item
        if held is not None:
            self._keeper.request_over(lease)
            held.exhausted = True
            if not isinstance(
                failure.value, IgnoreRequest
            ):  # robots.txt, offsite, an HTTP status that the spider does not handle
                held.reason = f"{type(failure.value).__name__}: {failure.value}"[:500]
            await self._settle(held)

    async def _closed(self) -> None:
        # Items of the last responses may still be on their way out of the pipelines.
        for _ in range(50):
            if not any(held.exhausted for held in self._open.values()):
                break
            await asyncio.sleep(0.1)
        await self._keeper.give_back()
        await self._frontier.close()

    @property
    def _spider(self) -> Spider:
        assert self._crawler.spider is not None  # noqa: S101
        return self._crawler.spider


class _OpenLease:
    """A leased request on its way through callback and pipelines."""

    __slots__ = ("exhausted", "items", "lease", "left", "reason")

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.items = 0
        self.left = 0
        self.exhausted = False
        self.reason: str | None = None


class _Errback:
    """Calls the spider's own errback, if there is one, then settles the lease."""

    def __init__(self, middleware: FrontierMiddleware, inner: Any) -> None:
        self._middleware = middleware
        self._inner = inner

    async def __call__(self, failure: Failure) -> AsyncIterator[Any]:
        async for item in self._middleware.failed(failure, _output_of(self._inner, failure)):
            yield item


async def _output_of(errback: Any, failure: Failure) -> AsyncIterator[Any]:
    output = errback(failure) if errback is not None else None
    if asyncio.iscoroutine(output):
        output = await output
    if output is None:
        return
    if hasattr(output, "__aiter__"):
        async for item in output:
            yield item
    else:
        for item in output if hasattr(output, "__iter__") else [output]:
            yield item


def open_frontier(crawler: Crawler) -> Frontier:
    """The frontier that the project's settings name (NEPHILA_FRONTIER), with the project's politeness."""
    settings = crawler.settings
    place = settings.get("NEPHILA_FRONTIER") or f".nephila/{settings['BOT_NAME']}-{crawler.spidercls.name}.sqlite"
    if "://" in place and not place.startswith("sqlite:///"):
        raise NotConfigured(f"NEPHILA_FRONTIER: {place.split('://', 1)[0]}:// is not a frontier that is installed")
    path = Path(place.removeprefix("sqlite:///"))
    path.parent.mkdir(parents=True, exist_ok=True)
    rule = HostRule(
        delay=settings.getfloat("NEPHILA_DELAY"), parallel=settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
    )
    limits = Limits(family_budget=None, lease_seconds=settings.getfloat("NEPHILA_LEASE", 120.0))
    return SqliteFrontier(path, Politeness(default=rule), limits)
