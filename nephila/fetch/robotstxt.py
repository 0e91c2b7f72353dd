"""Fetching robots.txt itself: a few redirects are followed, and the time of each request to a host is kept.

The gate needs that time: a robots.txt is a request to the host as well, and the page after it waits for its delay.
"""

from __future__ import annotations

import time
from urllib.parse import urljoin, urlsplit

from nephila.fetch.client import Client
from nephila.fetch.errors import FetchError
from nephila.fetch.robots import RobotsAnswer

MAX_HOPS = 5
"""RFC 9309, 2.3.1.2: at least five consecutive redirects."""
_MAX_BODY = 2**20
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class RobotsFetcher:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._asked: dict[str, float] = {}

    def asked_at(self, host: str) -> float | None:
        """When this worker last asked the host for its robots.txt, by the monotonic clock; told once."""
        return self._asked.pop(host, None)

    async def __call__(self, url: str) -> RobotsAnswer:
        for _ in range(MAX_HOPS + 1):
            try:
                answer = await self._client.get(url, max_body=_MAX_BODY)
            except FetchError as error:
                return RobotsAnswer.unreachable(str(error.cause))
            finally:
                self._asked[urlsplit(url).netloc] = time.monotonic()
            location = answer.headers.get("location")
            if answer.status not in _REDIRECTS or not location:
                return RobotsAnswer(status=answer.status, body=answer.body)
            url = urljoin(url, location)
        return RobotsAnswer(status=404, body=b"")
