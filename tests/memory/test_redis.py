"""The shared memory: the conformance suite on a real server, and that it does not grow for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import redis

from nephila.memory.redis import RedisMemory
from tests.memory.conformance import MemoryConformance, StillClock
from tests.servers.redis import needs_redis, shared_redis

pytestmark = needs_redis


def open_memory(place: Path, clock: Callable[[], float]) -> RedisMemory:
    return RedisMemory(shared_redis(), str(place), clock if isinstance(clock, StillClock) else None)


class TestRedisMemory(MemoryConformance):
    opener = "tests.memory.test_redis:open_memory"


def test_expired_facts_are_swept_away(tmp_path: Path) -> None:
    async def run() -> None:
        clock = StillClock()
        memory = open_memory(tmp_path, clock)
        for number in range(50):
            await memory.put("s", str(number), b"x", ttl=5)
        clock.now += 5
        for number in range(4):
            await memory.put("t", str(number), b"y")
        await memory.close()

    asyncio.run(run())
    client = redis.Redis.from_url(shared_redis())
    kept = list(client.scan_iter(f"nephila:{{{tmp_path}}}:*"))
    assert sorted(key.rpartition(b"}:")[2] for key in kept) == [b"facts", b"m:t", b"n:t"]
