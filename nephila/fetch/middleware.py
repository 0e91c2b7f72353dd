"""The frontier as a spider middleware, for any Scrapy project (public extension points only).

`process_start` claims leases and yields their requests; `process_spider_output` diverts every new request into the
frontier. A lease is acked when its callback is exhausted *and* each of its items has left the item pipelines; links are
pushed before the ack. Download failures and errors in callbacks never reach spider middlewares, so requests under way
get an errback and `spider_error` is heard as well. What cannot be written as JSON stays with Scrapy's own scheduler.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import uuid
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.spider import iterate_spider_output
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from nephila.fetch.leases import LeaseKeeper
from nephila.fetch.presence import Presence
from nephila.fetch.project import frontier_place, open_feed, open_frontier
from nephila.fetch.requests import OPEN, NotShareableError, entry_of, request_of
from nephila.frontier import Entry, Lease, Visit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.utils.request import RequestFingerprinterProtocol

logger = logging.getLogger(__name__)

_BATCH = 500
_REMEMBERED = 100_000
"""Fingerprints of links pushed lately: a page repeats most of the links of the page before it."""
_TRANSIENT = frozenset({408, 429, *range(500, 600)})


class FrontierMiddleware:
    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._frontier = open_frontier(crawler)
        worker = f"{settings['BOT_NAME']}-{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._place = frontier_place(crawler)
        self._feed = open_feed(crawler)
        path = self._place.path
        self._presence = Presence(path.with_name(f"{path.name}.workers"), worker)
        self._keeper = LeaseKeeper(
            self._frontier,
            worker,
            concurrency=settings.getint("CONCURRENT_REQUESTS"),
            lease_seconds=settings.getfloat("NEPHILA_LEASE"),
        )
        self._local: set[_UnderWay] = set()
        """Requests that the frontier does not know of; while there are any, links may still come."""
        self._ended: list[_UnderWay] = []
        self._settling: asyncio.Task[None] | None = None
        self._feeding: asyncio.Task[None] | None = None
        self._pushed = _Lately(_REMEMBERED)
        self._keeper.on_outage.append(self._pushed.forget)
        self._warned = False
        for handler, signal in (
            (self._item_left, signals.item_scraped),
            (self._item_left, signals.item_dropped),
            (self._item_left, signals.item_error),
            (self._callback_failed, signals.spider_error),
            (self._dropped, signals.request_dropped),
            (self._closed, signals.spider_closed),
        ):
            crawler.signals.connect(handler, signal)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FrontierMiddleware:
        return cls(crawler)

    # -- in: leases become requests --------------------------------------------------------------------------------

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        for worker in self._presence.departed():
            await self._frontier.release(worker)
        found: list[Entry] = []
        async for item in start:
            entry = self._entry(item, dedupe=True) if isinstance(item, Request) else None
            if entry is not None:
                found.append(entry)
            else:
                yield self._kept_local(item) if isinstance(item, Request) else item
            if len(found) >= _BATCH:
                await self._frontier.add(found)
                found = []
        await self._frontier.add(found)
        if self._feed is not None:
            self._feeding = asyncio.create_task(self._feed.pour(self._fed))
        elif await self._frontier.drained() and not self._local:
            remedy = self._place.start_anew
            logger.warning("nothing is left to fetch: this crawl is complete; %s to start anew", remedy)
        async for lease in self._keeper.leases(self._is_busy):
            if self._feed is not None:
                self._feed.busy()
            request = self._leased(lease)
            if request is not None:
                yield request

    def _is_busy(self) -> bool:
        """Links may still come: from requests that the frontier does not know of, or from those who feed it."""
        return bool(self._local) or (self._feed is not None and self._feed.is_open)

    async def _fed(self, requests: Sequence[Request]) -> None:
        entries = [self._entry(request, dedupe=True) for request in requests]
        await self._frontier.add([entry for entry in entries if entry is not None])

    def _leased(self, lease: Lease) -> Request | None:
        account = _UnderWay(lease)
        try:
            return self._watched(request_of(lease, self._spider), account)
        except Exception as error:  # its callback is gone from the spider, its class from the project
            logger.error("%s cannot be made a request of this spider again: %s", lease.url, error)
            account.reason = f"not a request of this spider: {error}"
            self._end(account)
            return None

    def _kept_local(self, request: Request) -> Request:
        account = _UnderWay(None)
        self._local.add(account)
        return self._watched(request, account)

    def _watched(self, request: Request, account: _UnderWay) -> Request:
        request.meta[OPEN] = account
        return request.replace(errback=partial(self._failed, inner=request.errback))

    # -- out: requests become entries ------------------------------------------------------------------------------

    def process_spider_input(self, response: Response) -> None:
        account = _account_of(response)
        if account is not None:
            account.reached_spider = True
            self._request_over(account)

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for item in self._sifted(_account_of(response), result):
            yield item

    async def _sifted(self, account: _UnderWay | None, output: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """What is for Scrapy: the items, counted, and the requests that the frontier cannot take."""
        if account is not None:
            account.outputs += 1
        async for item in output:
            if isinstance(item, Request):
                request = self._diverted(item, account)
                if request is not None:
                    yield request
            elif item is not None:
                if account is not None:
                    account.items += 1
                yield item
        # Not after an error, which `spider_error` tells of, nor when Scrapy closes this generator before its end.
        if account is not None:
            account.outputs -= 1
            self._look_at(account)

    def _diverted(self, request: Request, account: _UnderWay | None) -> Request | None:
        """None when the frontier has it; a request that has to stay in this process otherwise."""
        if self._is_offsite(request):
            return None
        if account is not None and account.lease is not None:
            account.clean(request)
        if not request.dont_filter and self._pushed.knows(self._fingerprinter.fingerprint(request)):
            return None
        entry = self._entry(request, dedupe=not request.dont_filter)
        if entry is None:
            return self._kept_local(request)
        self._keeper.found([entry], account.lease if account is not None else None)
        return None

    def _is_offsite(self, request: Request) -> bool:
        """Judged here: the requests of leases pass Scrapy's filters, where this one is."""
        offsite = self._crawler.get_downloader_middleware(OffsiteMiddleware)
        try:
            if offsite is not None:
                offsite.process_request(request)
        except IgnoreRequest:
            return True
        return False

    def _entry(self, request: Request, *, dedupe: bool) -> Entry | None:
        try:
            return entry_of(request, self._spider, self._fingerprinter, dedupe=dedupe)
        except NotShareableError as error:
            if not self._warned:
                self._warned = True
                logger.warning("%s and others like it stay in this process and are lost if it dies: %s", request, error)
            return None

    # -- failures --------------------------------------------------------------------------------------------------

    def _failed(self, failure: Failure, inner: Any) -> Any:
        """The errback of every request under way; `inner` is the spider's own."""
        account = _account_of(failure)
        if account is None:
            return failure if inner is None else inner(failure)
        self._request_over(account)
        account.reason = _reason(failure)
        output = failure if inner is None else inner(failure)
        if account.reached_spider:
            return output  # a middleware refused the response: what comes of it passes `process_spider_output`
        if isinstance(output, Failure):
            self._look_at(account)
            return output
        return self._sifted(account, _iterated(output))

    def _callback_failed(self, failure: Failure, response: Response | Failure | None) -> None:
        account = _account_of(response)
        if account is not None:
            account.outputs = 0
            account.reason = f"{failure.type.__name__ if failure.type else 'error'}: {failure.value}"[:500]
            self._look_at(account)

    def _dropped(self, request: Request) -> None:
        account = request.meta.get(OPEN)
        if account is not None:
            self._look_at(account)

    def _request_over(self, account: _UnderWay) -> None:
        """Told when the last of a chain of redirects and retries is over: all are requests of one lease."""
        if account.lease is not None:
            self._keeper.request_over(account.lease)

    # -- acks ------------------------------------------------------------------------------------------------------

    def _item_left(self, response: Response | Failure | None) -> None:
        account = _account_of(response)
        if account is not None:
            account.left += 1
            self._look_at(account)

    def _look_at(self, account: _UnderWay) -> None:
        # In a moment: where a middleware mends a callback's error, its output comes right behind the callback's.
        asyncio.get_running_loop().call_soon(self._end_if_done, account)

    def _end_if_done(self, account: _UnderWay) -> None:
        if not account.outputs and account.items <= account.left and not account.ended:
            self._end(account)

    def _end(self, account: _UnderWay) -> None:
        account.ended = True
        self._local.discard(account)
        if account.lease is not None:
            self._ended.append(account)
            if self._settling is None or self._settling.done():
                self._settling = asyncio.create_task(self._settle())

    async def _settle(self) -> None:
        while self._ended:
            ended, self._ended = self._ended, []
            try:
                # Pushes the links as well, those of the failed too, before anything is told of their pages.
                await self._keeper.complete([Visit(a.lease) for a in ended if a.lease and a.reason is None])
                for account in ended:
                    if account.lease is not None and account.reason is not None:
                        await self._keeper.fail(account.lease, account.reason, None)
            except Exception:
                logger.exception("%d pages could not be acked: they will be fetched again", len(ended))

    async def _closed(self) -> None:
        self._keeper.drain()
        if self._feed is not None and self._feeding is not None:
            self._feeding.cancel()
            await self._feed.close()
        await asyncio.sleep(0)  # for those that ended just now
        if self._settling is not None:
            await self._settling
        await self._keeper.give_back()
        await self._frontier.close()
        self._presence.leave()

    @property
    def _fingerprinter(self) -> RequestFingerprinterProtocol:
        assert self._crawler.request_fingerprinter is not None  # noqa: S101
        return self._crawler.request_fingerprinter

    @property
    def _spider(self) -> Spider:
        assert self._crawler.spider is not None  # noqa: S101
        return self._crawler.spider


class _UnderWay:
    """The account of a request on its way through downloader, callback and pipelines."""

    __slots__ = ("ended", "items", "lease", "left", "outputs", "reached_spider", "reason")

    def __init__(self, lease: Lease | None) -> None:
        self.lease = lease
        """None: the frontier does not know this request."""
        self.outputs = 0
        """Iterators of its callback or errback that are not exhausted."""
        self.items = 0
        self.left = 0
        """Items that are out of the pipelines."""
        self.reached_spider = False
        self.ended = False
        self.reason: str | None = None
        """Why it failed, if it did."""

    def clean(self, request: Request) -> None:
        """Takes out what a callback copied with `meta=response.meta`: the slot that Scrapy had given to this one."""
        packed = (self.lease.meta or {}).get("request", {}) if self.lease is not None else {}
        if "download_slot" not in packed.get("meta", {}):
            request.meta.pop("download_slot", None)


class _Lately:
    """The keys seen lately, at most `room` of them."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._keys: dict[bytes, None] = {}

    def forget(self) -> None:
        self._keys.clear()

    def knows(self, key: bytes) -> bool:
        """Whether it was asked for before."""
        if key in self._keys:
            return True
        self._keys[key] = None
        if len(self._keys) > self._room:
            for old in list(self._keys)[: self._room // 2]:
                del self._keys[old]
        return False


def _account_of(source: Response | Failure | None) -> _UnderWay | None:
    request = getattr(source, "request", None)
    return None if request is None else request.meta.get(OPEN)


def _reason(failure: Failure) -> str | None:
    """None where all went as it should: forbidden by robots.txt, offsite, a status that the spider does not handle."""
    error = failure.value
    if isinstance(error, HttpError):
        return f"HTTP {error.response.status}" if error.response.status in _TRANSIENT else None
    if isinstance(error, IgnoreRequest):
        return None
    return f"{type(error).__name__}: {error}"[:500]


async def _iterated(output: Any) -> AsyncIterator[Any]:
    result: Any = iterate_spider_output(output)
    if isinstance(result, Deferred):
        result = await maybe_deferred_to_future(result)
    if hasattr(result, "__aiter__"):
        async for item in result:
            yield item
    else:
        for item in result:
            yield item
