"""The embedded frontier: the conformance suite, and what is its own: files, versions, the rolling merge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from nephila.frontier import Limits, Politeness, SqliteFrontier
from tests.frontier.conformance import FrontierConformance
from tests.frontier.model import FrontierMachine
from tests.frontier.swarm import unleash


def open_frontier(place: Path, politeness: Politeness, limits: Limits, clock: Callable[[], float]) -> SqliteFrontier:
    return SqliteFrontier(place / "frontier.sqlite", politeness, limits, clock)


class TestSqliteFrontier(FrontierConformance):
    open = staticmethod(open_frontier)


class SqliteMachine(FrontierMachine):
    open = staticmethod(open_frontier)


TestSqliteModel = SqliteMachine.TestCase
TestSqliteModel.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)

OPENER = "tests.frontier.test_sqlite:open_frontier"


def test_processes_that_get_killed_lose_nothing(tmp_path: Path) -> None:
    unleash(OPENER, tmp_path, workers=4, kills=4, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_many_kills_lose_nothing(tmp_path: Path, seed: int) -> None:
    unleash(OPENER, tmp_path, workers=4, kills=25, seed=seed)
