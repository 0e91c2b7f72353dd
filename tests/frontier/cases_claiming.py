"""Conformance: what `claim` promises of politeness, fairness and the page bound."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from nephila.frontier import Frontier, HostRule, Limits, Politeness, Visit
from tests.frontier.harness import DELAYED, PARALLEL, Harness, StillClock, entry, hosts, meet, numbers


class ClaimingCases(Harness):
    def test_tokens_grow_across_workers_and_instances(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            other = self.open(tmp_path, Politeness(), Limits(), clock)
            await frontier.add([entry(n, f"h{n}") for n in range(6)])
            tokens = []
            for place, worker in [(frontier, "v"), (other, "w"), (frontier, "v")]:
                tokens += [lease.token for lease in await place.claim(worker, 2)]
            assert tokens == sorted(set(tokens))
            assert len(tokens) == 6
            await other.close()

        self.play(tmp_path, scenario)

    def test_nothing_is_claimed_twice(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1, "a"), entry(2, "b")])
            assert len(await frontier.claim("v", 5)) == 2
            assert await frontier.claim("w", 5) == []
            assert await frontier.claim("w", 0) == []

        self.play(tmp_path, scenario)

    def test_a_host_that_is_new_gets_one_request_until_one_has_ended(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n) for n in range(9)])
            leases = await frontier.claim("w", 9)
            assert len(leases) == 1
            assert await frontier.claim("w", 9) == []
            await frontier.release("w")
            leases = await frontier.claim("w", 9)
            assert len(leases) == 1
            await frontier.fetched(leases)
            assert len(await frontier.claim("w", 9)) == 3

        self.play(tmp_path, scenario, PARALLEL)

    def test_parallel_bounds_a_host_across_workers(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "a.example")
            await frontier.add([entry(n) for n in range(9)])
            first = await frontier.claim("v", 2)
            assert len(await frontier.claim("w", 9)) == 1
            assert await frontier.claim("w", 9) == []
            await frontier.fetched(first[:1])
            await frontier.fetched(first[:1])  # said twice, counted once
            assert len(await frontier.claim("w", 9)) == 1
            await frontier.complete([Visit(first[0])], [])  # its connection was free already
            assert await frontier.claim("w", 9) == []

        self.play(tmp_path, scenario, PARALLEL)

    def test_the_delay_counts_from_the_end_of_the_last_request(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1), entry(2), entry(3)])
            first = await frontier.claim("v", 3)
            assert numbers(first) == [1]
            clock.advance(60)
            assert await frontier.claim("w", 3) == []  # still in flight, however long it takes
            await frontier.fetched(first)
            clock.advance(9.5)
            assert await frontier.claim("w", 3) == []
            clock.advance(0.5)
            assert numbers(await frontier.claim("w", 3)) == [2]
            await frontier.complete([Visit(first[0])], [])  # late: must not start the clock again, nor free anything
            assert await frontier.claim("w", 3) == []

        self.play(tmp_path, scenario, DELAYED)

    def test_a_completion_or_failure_starts_the_delay_where_nothing_did_before(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1), entry(2), entry(3)])
            (lease,) = await frontier.claim("w", 3)
            await frontier.complete([Visit(lease)], [])
            assert await frontier.claim("w", 3) == []
            clock.advance(10)
            (lease,) = await frontier.claim("w", 3)
            await frontier.fail(lease, "gone", None)
            assert await frontier.claim("w", 3) == []
            clock.advance(10)
            assert numbers(await frontier.claim("w", 3)) == [3]

        self.play(tmp_path, scenario, DELAYED)

    def test_expiry_and_release_start_the_delay_too(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1), entry(2)])
            await frontier.claim("v", 1)
            clock.advance(5)
            assert await frontier.release("v") == 1
            clock.advance(9)
            assert await frontier.claim("w", 1) == []
            clock.advance(1)
            assert len(await frontier.claim("w", 1)) == 1
            clock.advance(30)
            assert await frontier.claim("w", 1) == []  # expired and noticed now: the request may have lasted until now
            clock.advance(9)
            assert await frontier.claim("w", 1) == []
            clock.advance(1)
            assert len(await frontier.claim("w", 1)) == 1

        self.play(tmp_path, scenario, DELAYED, Limits(lease_seconds=30))

    def test_a_page_that_was_not_asked_for_starts_no_delay(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1, "a"), entry(2, "a"), entry(3, "a")])
            denied = await frontier.claim("w", 9)
            await frontier.fetched(denied, asked=False)
            clock.advance(0.1)
            again = await frontier.claim("w", 9)
            assert hosts(again) == ["a"]
            await frontier.complete([Visit(lease) for lease in denied], [])  # its clock was told of before
            assert await frontier.claim("w", 9) == []  # one connection, and it is in use
            await frontier.fetched(again)
            assert await frontier.claim("w", 9) == []
            clock.advance(10)
            assert len(await frontier.claim("w", 9)) == 1

        self.play(tmp_path, scenario, DELAYED)

    def test_robots_may_only_make_a_host_slower(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.slow_down("a", delay=25)
            await frontier.slow_down("b", delay=2)
            await frontier.add([entry(1, "a"), entry(2, "a"), entry(3, "b"), entry(4, "b")])
            await frontier.fetched(await frontier.claim("w", 9))
            clock.advance(9)
            assert await frontier.claim("w", 9) == []
            clock.advance(1)
            assert hosts(await frontier.claim("w", 9)) == ["b"]
            clock.advance(14)
            assert await frontier.claim("w", 9) == []
            clock.advance(1)
            assert hosts(await frontier.claim("w", 9)) == ["a"]
            assert {host.host: host.delay for host in await frontier.host_stats()} == {"a": 25, "b": 10}

        self.play(tmp_path, scenario, DELAYED)

    def test_a_delay_that_comes_late_waits_for_all_that_is_in_flight(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "a.example")
            await frontier.add([entry(n) for n in range(9)])
            leases = await frontier.claim("w", 2)
            await frontier.slow_down("a.example", delay=4)
            assert await frontier.claim("w", 9) == []
            await frontier.fetched(leases[:1])
            clock.advance(4)
            assert await frontier.claim("w", 9) == []
            await frontier.fetched(leases[1:])
            clock.advance(4)
            assert len(await frontier.claim("w", 9)) == 1

        self.play(tmp_path, scenario, PARALLEL)

    def test_back_off_is_a_clock_of_its_own_and_the_latest_holds(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1, "a"), entry(2, "b")])
            await frontier.slow_down("a", until=clock.now + 60)
            await frontier.slow_down("a", until=clock.now + 5)
            assert hosts(await frontier.claim("w", 9)) == ["b"]
            clock.advance(59)
            assert await frontier.claim("w", 9) == []
            clock.advance(1)
            assert hosts(await frontier.claim("w", 9)) == ["a"]

        self.play(tmp_path, scenario)

    def test_a_host_has_its_own_rule(self, tmp_path: Path) -> None:
        rules = Politeness(HostRule(parallel=2), {"slow": HostRule(delay=5), "wide": HostRule(parallel=4)})

        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "slow", "wide", "other")
            clock.advance(5)
            await frontier.add(
                [entry(100 * n + k, host) for n, host in enumerate(("slow", "wide", "other")) for k in range(9)]
            )
            assert Counter(hosts(await frontier.claim("w", 99))) == {"slow": 1, "wide": 4, "other": 2}

        self.play(tmp_path, scenario, rules)

    def test_of_a_host_that_is_hardly_known_two_are_asked_for_at_once_till_enough_requests_have_ended(
        self, tmp_path: Path
    ) -> None:
        rules = Politeness(HostRule(parallel=5, shy=4), {"bold": HostRule(parallel=5)})

        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "shy", "bold")
            await frontier.add([entry(100 * n + k, host) for n, host in enumerate(("shy", "bold")) for k in range(20)])
            first = await frontier.claim("w", 99)
            assert Counter(hosts(first)) == {"shy": 2, "bold": 5}
            own = [lease for lease in first if lease.host == "shy"]
            await frontier.fetched(own[:1], asked=False)  # was not asked: tells nothing
            second = await frontier.claim("w", 99)
            assert hosts(second) == ["shy"]
            await frontier.fetched([own[1], *second])
            assert Counter(hosts(await frontier.claim("w", 99))) == {"shy": 2}
            for lease in [*own, *second]:
                await frontier.complete([Visit(lease)], [])  # their requests were over before
            assert await frontier.claim("w", 99) == []

        self.play(tmp_path, scenario, rules)

    def test_a_host_that_is_known_well_enough_is_asked_as_often_as_any(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n, "shy") for n in range(40)])
            for _ in range(2):
                await frontier.fetched(await frontier.claim("w", 99))
            assert hosts(await frontier.claim("w", 99)) == ["shy"] * 5

        self.play(tmp_path, scenario, Politeness(HostRule(parallel=5, shy=3)))

    def test_a_resumed_crawl_with_a_slower_rule_obeys_it_at_once(self, tmp_path: Path) -> None:
        clock = StillClock()

        async def fast(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "a", "b")
            await frontier.add([entry(n, host) for n, host in enumerate("abababab")])

        async def slow(frontier: Frontier, clock: StillClock) -> None:
            clock.advance(9)
            assert await frontier.claim("w", 9) == []
            clock.advance(1)
            assert hosts(await frontier.claim("w", 9)) == ["a", "b"]

        self.play(tmp_path, fast, PARALLEL, clock=clock)
        self.play(tmp_path, slow, DELAYED, clock=clock)

    def test_hosts_share_a_claim_evenly(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "big", "mid", "small")
            await frontier.add([entry(n, "big", priority=100) for n in range(50)])
            await frontier.add([entry(100 + n, "mid") for n in range(3)])
            await frontier.add([entry(200, "small", priority=-100)])
            assert Counter(hosts(await frontier.claim("w", 7))) == {"big": 3, "mid": 3, "small": 1}

        self.play(tmp_path, scenario, Politeness(HostRule(parallel=8)))

    def test_hosts_take_turns_when_claims_are_small(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            names = ["a", "b", "c", "d"]
            await meet(frontier, *names)
            await frontier.add([entry(100 * place + n, host) for place, host in enumerate(names) for n in range(8)])
            turns = [(await frontier.claim("w", 1))[0].host for _ in range(12)]
            assert [sorted(turns[at : at + 4]) for at in (0, 4, 8)] == [names] * 3

        self.play(tmp_path, scenario, Politeness(HostRule(parallel=8)))

    def test_new_hosts_do_not_push_waiting_ones_back(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "old")
            await frontier.add([entry(1, "old")])
            for n in range(10, 15):
                clock.advance(1)
                await frontier.add([entry(n, f"new-{n}")])
            turns = [(await frontier.claim("w", 1))[0].host for _ in range(4)]
            assert turns == ["old", "new-10", "new-11", "new-12"]

        self.play(tmp_path, scenario)

    def test_hosts_that_a_slower_rule_holds_back_do_not_hide_the_others(self, tmp_path: Path) -> None:
        clock = StillClock()
        slower = Politeness(HostRule(), {name: HostRule(delay=10) for name in "abc"})

        async def fast(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "a", "b", "c")
            await frontier.add([entry(n, host) for n, host in enumerate("abcabc")])
            clock.advance(1)
            await frontier.add([entry(100, "d")])

        async def slow(frontier: Frontier, clock: StillClock) -> None:
            assert hosts(await frontier.claim("w", 2)) == ["d"]

        self.play(tmp_path, fast, clock=clock)
        self.play(tmp_path, slow, slower, clock=clock)

    def test_max_pages_bounds_completed_and_leased_together(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n, f"h{n}") for n in range(9)])
            leases = await frontier.claim("v", 2) + await frontier.claim("w", 9)
            assert len(leases) == 3
            assert await frontier.claim("w", 9) == []
            await frontier.complete([Visit(leases[0]), Visit(leases[1], counted=False)], [])
            assert not await frontier.drained()
            leases += await frontier.claim("w", 9)  # the visit that does not count gave its place back
            assert len(leases) == 4
            await frontier.fail(leases[2], "gone", None)
            leases += await frontier.claim("w", 9)
            assert len(leases) == 5
            await frontier.complete([Visit(lease) for lease in leases[3:]], [])
            assert await frontier.claim("w", 9) == []
            assert await frontier.drained()
            assert await frontier.next_ready() is None
            assert (await frontier.stats()).done == 4

        self.play(tmp_path, scenario, limits=Limits(max_pages=3))

    def test_max_pages_holds_over_a_restart_and_begins_anew_with_a_recrawl(self, tmp_path: Path) -> None:
        async def first(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n, f"h{n}") for n in range(9)])
            await frontier.complete([Visit(lease) for lease in await frontier.claim("w", 9)], [])

        async def second(frontier: Frontier, clock: StillClock) -> None:
            assert len(await frontier.claim("w", 9)) == 1
            await frontier.release("w")
            assert await frontier.recrawl(clock.now + 1e9) == 2
            assert len(await frontier.claim("w", 9)) == 3

        self.play(tmp_path, first, limits=Limits(max_pages=2))
        self.play(tmp_path, second, limits=Limits(max_pages=3))

    def test_next_ready_follows_both_clocks_and_the_retry_date(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            assert await frontier.next_ready() is None
            await frontier.add([entry(1), entry(2)])
            ready = await frontier.next_ready()
            assert ready is not None
            assert ready <= clock.now
            (lease,) = await frontier.claim("w", 1)
            assert await frontier.next_ready() == clock.now + 120  # the host is in use: at the latest when that expires
            await frontier.complete([Visit(lease)], [])
            assert await frontier.next_ready() == clock.now + 10
            await frontier.slow_down("a.example", until=clock.now + 50)
            assert await frontier.next_ready() == clock.now + 50
            clock.advance(50)
            (lease,) = await frontier.claim("w", 1)
            assert await frontier.next_ready() is None  # leased, not queued
            await frontier.fail(lease, "busy", clock.now + 77)
            assert await frontier.next_ready() == clock.now + 77
            await frontier.slow_down("a.example", until=clock.now + 99)
            assert await frontier.next_ready() == clock.now + 99

        self.play(tmp_path, scenario, DELAYED)
