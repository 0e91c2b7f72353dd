"""Scrapy's download handler on our HTTP client, for http and https; the answer travels with the response."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import Response
from w3lib.url import safe_url_string

from nephila.fetch.client import Answer
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.gate import DELAY
from nephila.urls import canonicalize, fingerprint

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from nephila.fetch.parts import FetchParts
    from nephila.frontier.base import Lease


_SAME_PAGE_HOPS = 5


class AnswerResponse(Response):
    """A response that carries the client's answer; its body is already decompressed."""

    answer: Answer


class HttpHandler(BaseDownloadHandler):
    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._parts: FetchParts = crawler.spider.parts  # type: ignore[union-attr]
        # Scrapy lets more pages in where some of them wait for a browser: what is asked of servers has its own bound.
        self._plain = asyncio.Semaphore(self._parts.job.politeness.concurrency)

    async def download_request(self, request: Request) -> AnswerResponse:
        lease: Lease = request.meta["lease"]
        try:
            answer = await self._fetch(lease, request)
            if self._parts.draw is not None:
                # Before the request is over: what the page itself asks for belongs to the same lease.
                answer = await self._parts.draw(lease, answer, request.meta.get("renderjs"))
        except BaseException:
            self._parts.keeper.request_over(lease)
            raise
        if self._parts.reads_first is None or not self._parts.reads_first(lease):
            self._parts.keeper.request_over(lease)
        response = AnswerResponse(answer.url, status=answer.status, body=answer.body, request=request)
        response.answer = answer
        return response

    async def _fetch(self, lease: Lease, request: Request) -> Answer:
        async with self._plain:
            answer = await self._get(lease, lease.url, request.meta["headers"])
            for _ in range(_SAME_PAGE_HOPS):
                again = _same_page(lease, answer)
                if again is None:
                    break
                await asyncio.sleep(request.meta[DELAY])
                answer = replace(await self._get(lease, again, request.meta["headers"]), url=lease.url)
            return answer

    async def _get(self, lease: Lease, url: str, headers: dict[str, str]) -> Answer:
        site = self._parts.job.site(lease.host)
        while await self._parts.keeper.cleared(lease):
            try:
                return await self._parts.client.get(url, headers={**headers, **site.headers}, proxy=site.proxy)
            except FetchError as error:
                if error.cause is not Cause.LEASE_LOST:
                    raise
        raise FetchError(Cause.LEASE_LOST)

    async def close(self) -> None:
        await self._parts.client.close()


def _same_page(lease: Lease, answer: Answer) -> str | None:
    """Where a redirect leads that means the same page to the frontier: a cookie set, a session or order in the query.

    Only that is followed here, under the same lease; the target of any other redirect is an entry of its own.
    """
    location = answer.headers.get("location")
    if location is None or not 300 <= answer.status < 400:
        return None
    target = canonicalize(location, answer.url)
    if target is None or fingerprint(target) != lease.fingerprint:
        return None
    return safe_url_string(urljoin(answer.url, location))
