"""The client asked for pages, with bounds that no test meets by chance; and servers for it."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from nephila.fetch.client import Answer, Client, ClientOptions
from nephila.fetch.errors import Cause, FetchError
from tests.fetch.rawserver import Asked, raw_server

T = TypeVar("T")
LIMIT = 2**20
OPTIONS = ClientOptions("Test/1", allow_private=True, timeout=120, stall=60, max_body=LIMIT)


@contextlib.asynccontextmanager
async def client(**changes: Any) -> AsyncIterator[Client]:
    made = Client(replace(OPTIONS, **changes))
    try:
        yield made
    finally:
        await made.close()


def fetch(url: str, **changes: object) -> Answer:
    async def main() -> Answer:
        async with client(**changes) as made:
            return await made.get(url)

    return asyncio.run(main())


def cause_of(url: str, **changes: object) -> Cause:
    with pytest.raises(FetchError) as failure:
        fetch(url, **changes)
    return failure.value.cause


def with_server(
    reply: object, visit: Callable[[str, list[Asked]], Awaitable[T]], tls: ssl.SSLContext | None = None
) -> T:
    async def main() -> T:
        async with raw_server(reply, tls) as (port, asked):  # type: ignore[arg-type]
            return await visit(f"http{'s' if tls else ''}://127.0.0.1:{port}/", asked)

    return asyncio.run(main())
