"""Parts of a running cluster are killed and restarted at random: every page once, no host asked too soon.

The full run is `python -m benchmarks.cluster_chaos`: 20,000 pages, some 60 blows.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.cluster.chaos import Chaos, Plan
from tests.cluster.fleet import too_soon
from tests.servers import zookeeper
from tests.servers.lightsite import Request
from tests.servers.redis import needs_redis

pytestmark = [
    needs_redis,
    pytest.mark.skipif(not zookeeper.available(), reason="no ZooKeeper here: apt-get install zookeeper"),
]

TINY = Plan(
    seed=1,
    hosts=4,
    pages=30,
    workers=2,
    kills=1,
    master_kills=1,
    redis_restarts=1,
    zookeeper_restarts=0,
    stops=0,
    joins=0,
    leaves=1,
    session=2.0,
    patience=240,
)
SMALL = Plan(
    seed=1,
    hosts=8,
    pages=150,
    workers=3,
    kills=8,
    master_kills=2,
    redis_restarts=2,
    zookeeper_restarts=3,
    stops=1,
    joins=1,
    leaves=1,
)


def test_nothing_is_lost_or_doubled_when_workers_and_redis_die(tmp_path: Path) -> None:
    verdict = Chaos(TINY, tmp_path).run()
    assert verdict.passed, verdict
    assert verdict.done["kill"] == verdict.done["kill master"] == verdict.done["restart redis"] == 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_is_lost_or_doubled_whatever_dies(tmp_path: Path, seed: int) -> None:
    verdict = Chaos(dataclasses.replace(SMALL, seed=seed), tmp_path).run()
    assert verdict.passed, verdict


def test_a_host_asked_too_soon_is_found() -> None:
    first, second = Request(1.0, 1.1, "a", "/1"), Request(1.15, 1.2, "a", "/2")
    assert too_soon([first, second], 0.1) == [(first, second)]
    assert not too_soon([first, Request(1.15, 1.2, "b", "/2"), Request(1.21, 1.3, "a", "/3")], 0.1)
    # Within another, longer one: the longer one's end counts.
    assert (
        len(too_soon([Request(1.0, 9.0, "a", "/1"), Request(2.0, 2.1, "a", "/2"), Request(3, 4, "a", "/3")], 0.1)) == 2
    )
