"""The shared frontier: the conformance suite on a real server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from nephila.frontier import Frontier, Limits, Politeness
from nephila.frontier.redis import RedisFrontier
from tests.frontier.cases_leases import SHORT
from tests.frontier.conformance import FrontierConformance
from tests.frontier.harness import StillClock, entry
from tests.frontier.model import FrontierMachine
from tests.frontier.swarm import unleash
from tests.servers.redis import needs_redis, shared_redis

pytestmark = needs_redis


def open_frontier(place: Path, politeness: Politeness, limits: Limits, clock: Callable[[], float]) -> RedisFrontier:
    """The job is named after the test's directory; real time is the server's."""
    given = clock if isinstance(clock, StillClock) else None
    return RedisFrontier(shared_redis(), str(place), politeness, limits, given)


class TestRedisFrontier(FrontierConformance):
    open = staticmethod(open_frontier)

    def test_what_was_taken_from_the_dead_says_so_until_a_worker_has_outlived_it(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])

            async def claimed() -> tuple[bool, int]:
                (lease,) = await frontier.claim("w", 1)
                return lease.orphaned, lease.attempt

            assert await claimed() == (False, 1)
            await frontier.release("w")
            assert await claimed() == (False, 1)
            await frontier.release("w", dead=True)
            assert await claimed() == (True, 1)
            await frontier.release("w")  # unread: as suspect as before
            assert await claimed() == (True, 1)
            clock.advance(SHORT.lease_seconds + 1)
            (lease,) = await frontier.claim("v", 1)
            assert (lease.orphaned, lease.attempt) == (True, 2)
            await frontier.fail(lease, "reset", clock.now)
            assert await claimed() == (False, 3)
            clock.advance(SHORT.lease_seconds + 1)
            assert await frontier.claim("w", 1) == []
            assert [(x.reason, x.attempts) for x in await frontier.dead_letters()] == [("lease expired", 3)]

        self.play(tmp_path, scenario, limits=SHORT)


class RedisMachine(FrontierMachine):
    open = staticmethod(open_frontier)


TestRedisModel = RedisMachine.TestCase
TestRedisModel.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)

OPENER = "tests.frontier.test_redis:open_frontier"


def test_processes_that_get_killed_lose_nothing(tmp_path: Path) -> None:
    unleash(OPENER, tmp_path, workers=4, kills=4, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_many_kills_lose_nothing(tmp_path: Path, seed: int) -> None:
    unleash(OPENER, tmp_path, workers=4, kills=25, seed=seed)
