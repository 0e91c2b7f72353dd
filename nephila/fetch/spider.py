"""The spider: hands each answer or failure of a leased request to the pipeline. It decides nothing itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

if TYPE_CHECKING:
    from twisted.python.failure import Failure

    from nephila.fetch.handler import AnswerResponse
    from nephila.fetch.parts import FetchParts
    from nephila.frontier.base import Lease


class NephilaSpider(Spider):
    name = "nephila"

    def __init__(self, parts: FetchParts, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.parts = parts

    async def start(self) -> AsyncIterator[Request]:
        judge, drop = self.parts.judge, self.parts.on_unwanted
        async for lease in self.parts.keeper.leases():
            if judge is None or drop is None or await judge(lease):
                yield self._request(lease)
            else:
                await drop(lease)

    def _request(self, lease: Lease) -> Request:
        headers = {}
        if lease.etag:
            headers["If-None-Match"] = lease.etag
        if lease.last_modified:
            headers["If-Modified-Since"] = lease.last_modified
        return Request(
            lease.url,
            callback=self.answered,  # type: ignore[arg-type]
            errback=self.failed,
            meta={
                "lease": lease,
                "headers": headers,
                "download_slot": lease.host,
                "renderjs": (lease.meta or {}).get("renderjs"),
            },
            dont_filter=True,
        )

    async def answered(self, response: AnswerResponse) -> None:
        lease: Lease = response.meta["lease"]
        try:
            await self.parts.on_answer(lease, response.answer)
        finally:
            self.parts.keeper.request_over(lease)  # where the page had to be read first

    async def failed(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        assert failure.value is not None  # noqa: S101
        await self.parts.on_failure(request.meta["lease"], failure.value)
