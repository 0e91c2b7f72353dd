"""Scrapy's download handler on our HTTP client, for http and https; the answer travels with the response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import Response

from nephila.fetch.client import Answer

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from nephila.fetch.parts import FetchParts
    from nephila.frontier.base import Lease


class AnswerResponse(Response):
    """A response that carries the client's answer; its body is already decompressed."""

    answer: Answer


class HttpHandler(BaseDownloadHandler):
    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._parts: FetchParts = crawler.spider.parts  # type: ignore[union-attr]

    async def download_request(self, request: Request) -> AnswerResponse:
        parts = self._parts
        lease: Lease = request.meta["lease"]
        site = parts.job.site(lease.host)
        try:
            answer = await parts.client.get(
                request.url, headers={**request.meta["headers"], **site.headers}, proxy=site.proxy
            )
        finally:
            parts.keeper.request_over(lease)
        response = AnswerResponse(answer.url, status=answer.status, body=answer.body, request=request)
        response.answer = answer
        return response

    async def close(self) -> None:
        await self._parts.client.close()
