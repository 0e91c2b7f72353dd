"""Fetching robots.txt itself: a few redirects are followed, and the time of each request to a host is kept.

The gate needs that time: a robots.txt is a request to the host as well, and the page after it waits for its delay.
"""

from __future__ import annotations

import asyncio
import time
from urllib.parse import urljoin, urlsplit

from w3lib.url import safe_url_string

from nephila.fetch.client import Answer, Client
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.politeness import JobPoliteness
from nephila.fetch.robots import RobotsAnswer
from nephila.job import Job

MAX_HOPS = 5
"""RFC 9309, 2.3.1.2: at least five consecutive redirects."""
_MAX_BODY = 2**20
"""RFC 9309, 2.5: at least 500 KiB have to be read; what comes behind this is left out."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ABSENT = RobotsAnswer(status=404)


class RobotsFetcher:
    def __init__(self, client: Client, job: Job | None = None) -> None:
        """`job`: for the delays, headers and proxies of its sites."""
        self._client = client
        self._job = job or Job()
        self._politeness = JobPoliteness(job=self._job)
        self._asked: dict[str, float] = {}

    def asked_at(self, host: str) -> float | None:
        """When this worker last asked the host for its robots.txt, by the monotonic clock; told once."""
        return self._asked.pop(host, None)

    async def __call__(self, url: str) -> RobotsAnswer:
        for _ in range(MAX_HOPS + 1):
            try:
                answer = await self._ask(url)
            except FetchError as error:
                if error.cause is Cause.LEASE_LOST:  # says nothing of the site
                    raise
                # A redirect to something that is no URL: the server works, the file does not exist.
                return _ABSENT if error.cause is Cause.BAD_URL else RobotsAnswer.unreachable(str(error.cause))
            location = answer.headers.get("location")
            if answer.status not in _REDIRECTS or not location:
                return RobotsAnswer(status=answer.status, body=answer.body)
            try:
                url = safe_url_string(urljoin(url, location))
            except ValueError:
                return _ABSENT
        return _ABSENT

    async def _ask(self, url: str) -> Answer:
        host = urlsplit(url).netloc
        before = self._asked.get(host)
        if before is not None:  # the hop before this one
            await asyncio.sleep(max(0.0, before + self._politeness.rule(host).delay - time.monotonic()))
        site = self._job.site(host)
        try:
            return await self._client.get(url, headers=site.headers, proxy=site.proxy, max_body=_MAX_BODY, cut=True)
        finally:
            self._asked[host] = time.monotonic()
