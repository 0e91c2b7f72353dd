"""URLs that other programs push into a list (or set) of a Redis server, for a spider that waits for them.

A value is a URL, or JSON with `url` and, if you like, `meta`. It is looked at, put into the frontier, and only then
taken off the list: a process that dies in between loses nothing, and the frontier knows what comes twice.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import orjson
from scrapy import Request

from nephila.errors import NephilaError
from nephila.redis import Server, load_script

logger = logging.getLogger(__name__)

_AT_ONCE = 200
_PAUSE = 0.5


class StartFeed:
    def __init__(self, url: str, key: str, max_idle: float) -> None:
        """`max_idle`: seconds without a value after which nobody waits any more; 0: for ever."""
        self._server = Server(url)
        self._key = key.encode()
        self._max_idle = max_idle
        self._last = math.inf  # the waiting begins with the first look

    @property
    def is_open(self) -> bool:
        """Whether more may come."""
        return not self._max_idle or time.monotonic() - self._last < self._max_idle

    async def pour(self, take: Callable[[Sequence[Request]], Awaitable[None]]) -> None:
        """Hands requests to `take` as they come, until it is cancelled."""
        try:
            while True:
                if await self._pour_some(take) < _AT_ONCE:
                    await asyncio.sleep(_PAUSE)
        except Exception:
            logger.exception("nothing more is taken from %s", self._key.decode())
            self._max_idle, self._last = -1.0, 0.0

    async def _pour_some(self, take: Callable[[Sequence[Request]], Awaitable[None]]) -> int:
        try:
            values = await self._server.run(load_script("nephila.fetch", "feed_look"), self._key, b"", _AT_ONCE)
            if values or math.isinf(self._last):
                self.busy()
            if values:
                await take([request for request in map(_request, values) if request is not None])
                await self._server.run(load_script("nephila.fetch", "feed_taken"), self._key, b"", *values)
        except NephilaError as error:
            logger.warning("%s cannot be read, trying again: %s", self._key.decode(), error)
            return 0
        return len(values)

    def busy(self) -> None:
        """There is work: the time to wait begins anew."""
        self._last = time.monotonic()

    async def close(self) -> None:
        await self._server.close()


def _request(value: bytes) -> Request | None:
    """None, and a line in the log, for what is no URL."""
    try:
        text = value.decode().strip()
        facts: Any = orjson.loads(text) if text.startswith("{") else {"url": text}
        return Request(facts["url"], meta=dict(facts.get("meta") or {}))
    except (ValueError, TypeError, KeyError) as error:
        logger.error("%r is no URL to start from: %s", value[:200], error)
        return None
