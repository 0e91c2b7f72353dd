"""Whose a URL is, and whose turn it is, on a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest

from nephila.cluster.division import Division
from nephila.frontier.base import HostRule
from tests.servers.redis import RedisServer, needs_redis

pytestmark = needs_redis

PATIENT = HostRule(delay=3600.0)
QUICK = HostRule(delay=0.0, parallel=3)


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server.url


async def open_division(stack: AsyncExitStack, redis: str, job: str) -> Division:
    division = Division(redis, job, "forum.example")
    stack.push_async_callback(division.close)
    return division


def test_what_two_tasks_name_belongs_to_the_first(redis: str) -> None:
    async def go() -> None:
        async with AsyncExitStack() as stack:
            one, two = [await open_division(stack, redis, "owners") for _ in range(2)]
            assert await one.owners("one", [1, -2, 3]) == ["one"] * 3
            assert await two.owners("two", [3, 4, -2]) == ["one", "two", "one"]
            assert await one.owners("one", [4, 1]) == ["two", "one"]
            assert await one.owners("one", []) == []

    asyncio.run(go())


def test_with_a_delay_one_asks_at_a_time_and_the_next_waits(redis: str) -> None:
    async def go() -> None:
        async with AsyncExitStack() as stack:
            one, two = [await open_division(stack, redis, "delay") for _ in range(2)]
            mine = await one.take("me", 5, PATIENT, 600)
            assert len(mine.names) == 1
            nothing = await two.take("you", 5, PATIENT, 600)
            assert (nothing.names, nothing.wait) == ((), None)
            await one.end(mine.names, asked=False)  # nobody was asked: the clock does not start
            yours = await two.take("you", 5, PATIENT, 600)
            assert len(yours.names) == 1
            await two.end(yours.names)
            later = await one.take("me", 1, PATIENT, 600)
            assert later.names == ()
            assert later.wait is not None
            assert 3500 < later.wait <= 3600
            assert (await one.take("me", 1, QUICK, 600)).names  # a job whose rules were changed

    asyncio.run(go())


def test_without_a_delay_as_many_ask_as_the_host_takes(redis: str) -> None:
    async def go() -> None:
        async with AsyncExitStack() as stack:
            one, two = [await open_division(stack, redis, "parallel") for _ in range(2)]
            mine = await one.take("me", 2, QUICK, 600)
            yours = await two.take("you", 9, QUICK, 600)
            assert (len(mine.names), len(yours.names)) == (2, 1)
            await one.end(mine.names)
            assert len((await two.take("you", 9, QUICK, 600)).names) == 2

    asyncio.run(go())


def test_what_a_host_asks_for_holds_for_all_tasks(redis: str) -> None:
    async def go() -> None:
        async with AsyncExitStack() as stack:
            one, two = [await open_division(stack, redis, "slow") for _ in range(2)]
            await one.slow_down("forum.example", 1800.0, None)
            mine = await two.take("you", 3, QUICK, 600)
            assert len(mine.names) == 1
            await two.end(mine.names)
            wait = (await one.take("me", 3, QUICK, 600)).wait
            assert wait is not None
            assert 1700 < wait <= 1800
            await one.slow_down("forum.example", 0.0, 7200.0)
            wait = (await two.take("you", 3, QUICK, 600)).wait
            assert wait is not None
            assert 7000 < wait <= 7200

    asyncio.run(go())


def test_turns_of_the_dead_end_by_themselves_or_are_inherited(redis: str) -> None:
    async def go() -> None:
        async with AsyncExitStack() as stack:
            one, two = [await open_division(stack, redis, "dead") for _ in range(2)]
            rule = HostRule(delay=0.01)
            assert (await one.take("dead", 1, rule, 600)).names
            assert (await one.take("dead too", 1, rule, 600)).names == ()
            await two.inherit("dead")
            while not (turns := await two.take("next", 1, rule, 0.05)).names:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)  # not renewed, so it is lost
            while not (await one.take("third", 1, rule, 600)).names:
                await asyncio.sleep(0.01)
            await two.end(turns.names)
            assert (await two.take("next", 1, rule, 600)).names == ()

    asyncio.run(go())
