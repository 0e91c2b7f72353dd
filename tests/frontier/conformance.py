"""The conformance suite: a backend that passes keeps every promise of nephila/frontier/base.py.

    class TestMyFrontier(FrontierConformance):
        def open(self, place, politeness, limits, clock):
            return MyFrontier(...)

`model.py` (random histories against a model) and `swarm.py` (processes that get killed) are part of it too.
"""

from __future__ import annotations

from nephila.frontier import Frontier, Limits, Politeness
from tests.frontier.cases_adding import AddingCases
from tests.frontier.cases_claiming import ClaimingCases
from tests.frontier.cases_leases import LeaseCases
from tests.frontier.cases_revisiting import RevisitingCases
from tests.frontier.harness import StillClock


class FrontierConformance(AddingCases, ClaimingCases, LeaseCases, RevisitingCases):
    def test_it_is_a_frontier(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            assert isinstance(frontier, Frontier)
            await frontier.close()  # closing twice is no error

        self.play(tmp_path, scenario, Politeness(), Limits())
