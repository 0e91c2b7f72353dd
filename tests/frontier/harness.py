"""What the conformance cases share: a clock that stands still, entries, and the hook that opens a backend."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from nephila.frontier import Entry, Frontier, HostRule, Lease, Limits, Politeness, Visit

START = 1_700_000_000.0


class StillClock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


Scenario = Callable[[Frontier, StillClock], Awaitable[None]]

DELAYED = Politeness(HostRule(delay=10.0))
PARALLEL = Politeness(HostRule(parallel=3))


class Harness:
    """A backend's test class says how it is opened; the cases do the rest."""

    def open(self, place: Path, politeness: Politeness, limits: Limits, clock: Callable[[], float]) -> Frontier:
        """A frontier at `place` (a directory of the test's own); opened twice, both share one state."""
        raise NotImplementedError

    def play(
        self,
        place: Path,
        scenario: Scenario,
        politeness: Politeness | None = None,
        limits: Limits | None = None,
        clock: StillClock | None = None,
    ) -> None:
        clock = clock or StillClock()

        async def run() -> None:
            frontier = self.open(place, politeness or Politeness(), limits or Limits(), clock)
            try:
                await scenario(frontier, clock)
            finally:
                await frontier.close()

        asyncio.run(run())


def entry(number: int, host: str = "a.example", **facts: Any) -> Entry:
    """Numbers may be any 64-bit integers; the same number is the same URL."""
    return Entry(f"https://{host}/{number}", number, host, **facts)


def numbers(leases: list[Lease]) -> list[int]:
    return [lease.fingerprint for lease in leases]


def hosts(leases: list[Lease]) -> list[str]:
    return sorted(lease.host for lease in leases)


async def meet(frontier: Frontier, *names: str) -> None:
    """Ends a first request to each host, so that it may be asked in parallel."""
    for place, name in enumerate(names):
        await frontier.add([entry(-1000 - place, name, priority=100)])
    leases = await frontier.claim("first", len(names))
    assert hosts(leases) == sorted(names)
    await frontier.complete([Visit(lease) for lease in leases], [])


async def visit(frontier: Frontier, lease: Lease, **facts: Any) -> None:
    assert await frontier.complete([Visit(lease, **facts)], []) == {lease.token}
