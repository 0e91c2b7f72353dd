"""The embedded frontier: the conformance suite, and what is its own: files, versions, the rolling merge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nephila.frontier import Limits, Politeness, SqliteFrontier
from tests.frontier.conformance import FrontierConformance


def open_frontier(place: Path, politeness: Politeness, limits: Limits, clock: Callable[[], float]) -> SqliteFrontier:
    return SqliteFrontier(place / "frontier.sqlite", politeness, limits, clock)


class TestSqliteFrontier(FrontierConformance):
    open = staticmethod(open_frontier)
