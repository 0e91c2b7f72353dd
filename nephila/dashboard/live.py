"""What happens in a crawl, as it happens: server-sent events with figures each second, and with each new record."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import orjson

from nephila.dashboard.crawls import Crawls, UnknownError

_TURN = 0.5
"""Seconds between two looks for records; the figures, which cost more, every second time."""
_MOST = 50
"""Records in one turn: a person cannot read more, and the list has them all."""


async def events(crawls: Crawls, name: str) -> AsyncIterator[bytes]:
    last = turn = 0
    first = True
    while True:
        try:
            if turn % 2 == 0:
                yield _event("figures", await crawls.overview(name))
            turn += 1
            shelf = await crawls.shelf(name)
            if shelf is not None:
                fresh = await asyncio.to_thread(shelf.records, "", None, last, _MOST)
                if fresh:
                    last = fresh[0].id
                if fresh and not first:
                    yield _event("records", fresh[::-1])
            first = False
        except UnknownError:
            return
        await asyncio.sleep(_TURN)


def _event(kind: str, data: Any) -> bytes:
    return b"event: " + kind.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"
