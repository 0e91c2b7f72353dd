"""The keeper of leases on a real frontier: nothing lost, nothing told twice, whatever fails on the way."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from nephila.errors import StateError
from nephila.fetch.leases import LeaseKeeper
from nephila.frontier import Entry, HostRule, Lease, Limits, Politeness, SqliteFrontier, Visit


def entries(count: int, host: str = "h.example") -> list[Entry]:
    return [Entry(f"http://{host}/{n}", hash((host, n)), host) for n in range(count)]


class Unsteady(SqliteFrontier):
    """The real frontier, with the next calls of some methods failing; it keeps what it was told."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.failing: dict[str, int] = {}
        self.over: list[int] = []

    def _fails(self, method: str) -> None:
        if self.failing.get(method):
            self.failing[method] -= 1
            raise StateError(f"{method} failed")

    async def add(self, entries: Sequence[Entry]) -> int:
        self._fails("add")
        return await super().add(entries)

    async def claim(self, worker: str, n: int) -> list[Lease]:
        self._fails("claim")
        return await super().claim(worker, n)

    async def fetched(self, held: Sequence[Lease], *, asked: bool = True) -> None:
        self._fails("fetched")
        self.over += [lease.token for lease in held]
        await super().fetched(held, asked=asked)

    async def complete(self, visits: Sequence[Visit], found: Sequence[Entry]) -> set[int]:
        self._fails("complete")
        return await super().complete(visits, found)

    async def fail(self, lease: Lease, reason: str, retry_at: float | None) -> bool:
        self._fails("fail")
        return await super().fail(lease, reason, retry_at)

    async def next_ready(self) -> float | None:
        self._fails("next_ready")
        return await super().next_ready()

    async def drained(self) -> bool:
        self._fails("drained")
        return await super().drained()

    async def renew(self, held: Sequence[Lease]) -> list[Lease]:
        self._fails("renew")
        return await super().renew(held)


@asynccontextmanager
async def kept(
    path: Path, *, lease: float = 30.0, concurrency: int = 4, **options: Any
) -> AsyncIterator[tuple[Unsteady, LeaseKeeper]]:
    frontier = Unsteady(path / "f.sqlite", Politeness(HostRule(parallel=50)), Limits(lease_seconds=lease))
    keeper = LeaseKeeper(frontier, "w", concurrency=concurrency, lease_seconds=lease, **options)
    try:
        yield frontier, keeper
    finally:
        await keeper.give_back()
        await frontier.close()


def run(path: Path, test: Callable[[Unsteady, LeaseKeeper], Awaitable[None]], **options: Any) -> None:
    async def main() -> None:
        async with asyncio.timeout(240), kept(path, **options) as (frontier, keeper):
            await test(frontier, keeper)

    asyncio.run(main())


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():
            await asyncio.sleep(0.01)


async def fetch_all(keeper: LeaseKeeper, visit: Callable[[Lease], list[Entry]] = lambda lease: []) -> list[str]:
    """Fetches what the pump gives, each in a task of its own, until it ends."""
    seen: list[str] = []

    async def work(lease: Lease) -> None:
        await asyncio.sleep(0.001)
        keeper.request_over(lease)
        keeper.found(visit(lease))
        seen.append(lease.url)
        await keeper.complete([Visit(lease)])

    tasks = [asyncio.create_task(work(lease)) async for lease in keeper.leases()]
    await asyncio.gather(*tasks)
    return seen


# --- the ordinary way ------------------------------------------------------------------------------------------------


def test_the_pump_gives_every_url_once_and_ends_when_the_frontier_is_drained(tmp_path: Path) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        await frontier.add(entries(10))

        def links(lease: Lease) -> list[Entry]:
            number = int(lease.url.rpartition("/")[2])
            return entries(100)[number * 9 : number * 9 + 20] if number < 10 else []

        seen = await fetch_all(keeper, links)
        assert sorted(seen) == sorted(entry.url for entry in entries(100))
        assert await frontier.drained()
        assert len(frontier.over) == len(set(frontier.over)) == 100

    run(tmp_path, test)


def test_a_request_is_told_over_once_however_often_it_is_said(tmp_path: Path) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        await frontier.add(entries(2))
        pump = keeper.leases()
        first = await anext(pump)
        for _ in range(3):
            keeper.request_over(first)
        assert keeper.starving
        second = await anext(pump)
        assert not keeper.starving
        await keeper.complete([Visit(first)])
        keeper.request_over(first)
        keeper.request_over(second)
        await keeper.complete([Visit(second)])
        with pytest.raises(StopAsyncIteration):
            await anext(pump)
        assert frontier.over == [first.token, second.token]

    run(tmp_path, test)


def test_claims_stop_while_too_much_waits_for_its_commit(tmp_path: Path) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        await frontier.add(entries(50))
        held: list[Lease] = []

        async def pump() -> None:
            async for lease in keeper.leases():
                keeper.request_over(lease)
                held.append(lease)

        pumping = asyncio.create_task(pump())
        await until(lambda: len(held) == 10)
        await asyncio.sleep(0.4)
        assert len(held) == 10
        await keeper.complete([Visit(lease) for lease in held])
        await until(lambda: len(held) == 20)
        keeper.drain()
        await pumping

    run(tmp_path, test, max_unsettled=10)


def test_a_failed_url_comes_again_and_the_last_time_is_a_dead_letter(tmp_path: Path) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        await frontier.add(entries(1))
        attempts = []
        async for lease in keeper.leases():
            attempts.append(lease.attempt)
            await keeper.fail(lease, "broken", time.time())
            assert not keeper.holds(lease)
        assert attempts == [1, 2, 3, 4]
        assert [letter.reason for letter in await frontier.dead_letters()] == ["broken"]

    run(tmp_path, test)


# --- time ------------------------------------------------------------------------------------------------------------


def test_renewals_keep_long_work_alive_also_after_the_pump_has_ended(tmp_path: Path) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        await frontier.add(entries(1))
        pump = keeper.leases()
        lease = await anext(pump)
        ending = asyncio.create_task(anext(pump, None))
        for drained in (False, True):
            if drained:
                keeper.drain()
                assert await ending is None
            await asyncio.sleep(1.8)
            assert await frontier.claim("other", 5) == []
        assert await keeper.complete([Visit(lease)]) == {lease.token}

    run(tmp_path, test, lease=1.5)


def test_a_lost_lease_is_noticed_and_let_go(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        await frontier.add(entries(1))
        pump = keeper.leases()
        lease = await anext(pump)
        keeper.drain()  # so that the other one gets it
        assert await anext(pump, None) is None
        frontier.failing["renew"] = 1_000_000  # asleep, as it were, for longer than the lease
        await asyncio.sleep(0.5)
        [taken] = await frontier.claim("other", 1)
        frontier.failing["renew"] = 0
        await until(lambda: not keeper.holds(lease))
        assert await keeper.complete([Visit(lease)]) == set()
        assert await frontier.complete([Visit(taken)], []) == {taken.token}

    with caplog.at_level(logging.WARNING):
        run(tmp_path, test, lease=0.3)
    assert "lost the lease on http://h.example/0" in caplog.text


# --- the end ---------------------------------------------------------------------------------------------------------


def test_drain_ends_the_pump_and_what_is_held_goes_back_without_costing_an_attempt(tmp_path: Path) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        await frontier.add([*entries(1), *(entry for n in range(5) for entry in entries(1, f"{n}.example"))])
        begun = []
        async for lease in keeper.leases():
            begun.append(lease)
            keeper.drain()
        assert len(begun) == 1
        keeper.found(entries(3, "late.example"))
        await keeper.give_back()
        again = [lease for _ in range(9) for lease in await frontier.claim("next", 50)]
        assert len(again) == 7  # the hosts are new: one at a time
        assert {lease.attempt for lease in again} == {1}
        assert not any(map(keeper.holds, begun))

    run(tmp_path, test)


@pytest.mark.parametrize("late", ["claim", "add"])
def test_what_is_claimed_while_all_is_given_back_goes_back_too(
    late: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`late`: the call amid which the pump is when the end comes, the claim itself or what it tells before."""

    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        await frontier.add(entries(20))
        begun, go_on = asyncio.Event(), asyncio.Event()
        real = getattr(frontier, late)

        async def slow(*arguments: Any) -> Any:
            begun.set()
            await go_on.wait()
            return await real(*arguments)

        monkeypatch.setattr(frontier, late, slow)
        keeper.found(entries(1, "other.example"))
        pump = asyncio.create_task(fetch_all(keeper))
        await begun.wait()
        giving = asyncio.create_task(keeper.give_back())
        await asyncio.sleep(0.2)
        go_on.set()
        await giving
        assert await pump == []
        assert (await frontier.stats()).leased == 0

    run(tmp_path, test)


def test_links_that_may_still_come_from_elsewhere_keep_the_pump_going(tmp_path: Path) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        busy = True
        pump = keeper.leases(lambda: busy)
        waiting = asyncio.create_task(anext(pump, None))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        keeper.found(entries(1))
        busy = False
        lease = await waiting
        assert lease is not None
        await keeper.complete([Visit(lease)])
        assert await anext(pump, None) is None

    run(tmp_path, test)


# --- a frontier that fails -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["claim", "add", "fetched", "complete", "next_ready", "drained"])
def test_a_frontier_that_fails_for_a_moment_costs_nothing_but_a_log_line(
    tmp_path: Path, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        keeper.found(entries(5))
        frontier.failing[method] = 1
        seen = await fetch_all(keeper, lambda lease: entries(20))
        assert sorted(seen) == sorted(entry.url for entry in entries(20))
        assert len(frontier.over) == len(set(frontier.over))

    with caplog.at_level(logging.WARNING):
        run(tmp_path, test)
    assert method == "next_ready" or "the frontier can" in caplog.text


def test_a_failure_is_told_in_the_end_too(tmp_path: Path) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        await frontier.add(entries(1))
        async for lease in keeper.leases():
            frontier.failing["fail"] = 2
            assert await keeper.fail(lease, "gone", None)
        assert (await frontier.stats()).dead == 1

    run(tmp_path, test)


def test_a_fault_is_not_waited_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        async def faulty(worker: str, n: int) -> list[Lease]:
            raise KeyError("a fault")

        monkeypatch.setattr(frontier, "claim", faulty)
        with pytest.raises(KeyError):
            await anext(keeper.leases())

    run(tmp_path, test)


def test_a_frontier_that_stays_away_longer_than_the_leases_ends_the_pump(tmp_path: Path) -> None:
    async def test(frontier: Unsteady, keeper: LeaseKeeper) -> None:
        frontier.failing["claim"] = 1000
        with pytest.raises(StateError, match="claim failed"):
            await anext(keeper.leases())

    run(tmp_path, test, lease=0.2)


def test_no_host_is_asked_after_the_lease_has_lapsed_or_while_the_fence_is_closed(tmp_path: Path) -> None:
    closed = False

    async def scenario() -> None:
        nonlocal closed
        frontier = SqliteFrontier(tmp_path / "f.sqlite", Politeness(), Limits(lease_seconds=1.5))
        await frontier.add(entries(1))
        keeper = LeaseKeeper(frontier, "w", concurrency=1, lease_seconds=1.5, fence=lambda: not closed)
        leases = keeper.leases()
        closed = True
        pump = asyncio.ensure_future(anext(leases))
        await asyncio.sleep(0.3)
        assert not pump.done()  # nothing is claimed behind a closed fence
        closed = False
        lease = await pump
        assert keeper.may_ask(lease)
        closed = True
        assert not keeper.may_ask(lease)
        closed = False
        time.sleep(1.8)  # stopped, as by SIGSTOP: no renewal could run
        assert not keeper.may_ask(lease)
        assert not await keeper.cleared(lease)
        await leases.aclose()
        await keeper.give_back()
        await frontier.close()

    asyncio.run(scenario())


def test_one_who_abandons_asks_nobody_and_tells_of_no_failure(tmp_path: Path) -> None:
    async def scenario() -> None:
        frontier = Unsteady(tmp_path / "f.sqlite", Politeness(), Limits())
        await frontier.add(entries(1))
        keeper = LeaseKeeper(frontier, "w", concurrency=1, lease_seconds=60)
        leases = keeper.leases()
        lease = await anext(leases)
        keeper.abandon()
        assert not keeper.may_ask(lease)
        assert not await keeper.fail(lease, "timeout", time.time())
        assert (await frontier.stats()).leased == 1
        assert not [lease async for lease in leases]
        await keeper.give_back()
        assert (await frontier.stats()).queued == 1
        await frontier.close()

    asyncio.run(scenario())


class Forgetting(SqliteFrontier):
    """As a server that dies with its last second: the links of the next calls are acknowledged, and gone."""

    outages = 0
    forgets = False

    async def add(self, entries: Sequence[Entry]) -> int:
        return len(entries) if self.forgets else await super().add(entries)


def test_links_that_the_server_forgot_come_again_with_the_ack_of_their_page(tmp_path: Path) -> None:
    async def scenario() -> None:
        frontier = Forgetting(tmp_path / "f.sqlite", Politeness(), Limits())
        await frontier.add(entries(1))
        keeper = LeaseKeeper(frontier, "w", concurrency=1, lease_seconds=60)
        forgotten: list[int] = []
        keeper.on_outage.append(lambda: forgotten.append(1))
        leases = keeper.leases()
        lease = await anext(leases)
        frontier.forgets = True
        keeper.found(entries(3, "other.example"), lease)
        await keeper._exchange()
        assert (await frontier.stats()).queued == 0  # told, and forgotten
        frontier.forgets = False
        frontier.outages += 1
        assert await keeper.complete([Visit(lease)]) == {lease.token}
        assert (await frontier.stats()).queued == 3
        assert forgotten == [1]
        await leases.aclose()
        await keeper.give_back()
        await frontier.close()

    asyncio.run(scenario())
