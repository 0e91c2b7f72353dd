"""The shared frontier on a Redis Cluster of three masters."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from nephila.frontier import Limits, Politeness, Visit
from nephila.frontier.redis import RedisFrontier
from nephila.memory.redis import RedisMemory
from tests.frontier.conformance import FrontierConformance
from tests.frontier.harness import entry
from tests.servers.redis import RedisServer, needs_redis, redis_cluster

pytestmark = needs_redis


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RedisServer]]:
    with redis_cluster(tmp_path_factory.mktemp("cluster")) as nodes:
        TestRedisClusterFrontier.nodes = nodes
        yield nodes


@pytest.mark.slow
@pytest.mark.usefixtures("cluster")
class TestRedisClusterFrontier(FrontierConformance):
    nodes: ClassVar[list[RedisServer]]

    def open(self, place: Path, politeness: Politeness, limits: Limits, clock: Callable[[], float]) -> RedisFrontier:
        return RedisFrontier(self.nodes[0].url, str(place), politeness, limits, clock)


def test_each_job_lies_on_one_node_and_jobs_on_all(cluster: list[RedisServer]) -> None:
    async def run() -> None:
        for number in range(12):
            frontier = RedisFrontier(cluster[number % 3].url, f"job {number}")
            memory = RedisMemory(cluster[0].url, f"job {number}")
            await frontier.add([entry(n, f"h{n}") for n in range(50)])
            leases = await frontier.claim("w", 9)
            await frontier.complete([Visit(lease) for lease in leases], [])
            await memory.put("s", "k", b"v")
            assert await memory.items("s") == [("k", b"v")]
            assert len(await frontier.host_stats(5)) == 5
            await frontier.close()
            await memory.close()

    asyncio.run(run())
    for number in range(12):
        homes = [bool(node.client().keys(f"nephila:{{job {number}}}:*")) for node in cluster]
        assert sum(homes) == 1
    assert all(node.client().dbsize() for node in cluster)


def test_a_master_that_is_away_is_waited_for(cluster: list[RedisServer]) -> None:
    async def run() -> None:
        urls = ",".join(f"127.0.0.1:{node.port}" for node in cluster)
        frontier = RedisFrontier(f"redis://{urls}", "waiting")
        await frontier.add([entry(1)])
        (home,) = [node for node in cluster if node.client().keys("nephila:{waiting}:*")]
        home.stop()
        adding = asyncio.create_task(frontier.add([entry(1), entry(2)]))
        await asyncio.sleep(1)
        assert not adding.done()
        await asyncio.to_thread(home.start)
        assert await asyncio.wait_for(adding, 30) == 1
        await frontier.close()

    asyncio.run(run())
