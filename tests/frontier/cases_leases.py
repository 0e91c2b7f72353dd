"""Conformance: what leases promise: deadlines, fencing, attempts, and the one step of a completion."""

from __future__ import annotations

from pathlib import Path

from nephila.frontier import Frontier, Limits, Politeness, Visit
from tests.frontier.harness import PARALLEL, Harness, StillClock, entry, meet, numbers

SHORT = Limits(lease_seconds=30, max_attempts=3)


class LeaseCases(Harness):
    def test_an_expired_lease_goes_to_another_worker_and_counts_an_attempt(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])
            (lost,) = await frontier.claim("v", 1)
            assert lost.deadline == clock.now + 30
            clock.advance(29)
            assert await frontier.claim("w", 1) == []
            clock.advance(1)
            (lease,) = await frontier.claim("w", 1)
            assert (lease.fingerprint, lease.worker, lease.attempt) == (1, "w", 2)
            assert lease.token > lost.token

        self.play(tmp_path, scenario, limits=SHORT)

    def test_who_lost_a_lease_can_do_nothing_with_it(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "a.example")
            await frontier.add([entry(1), entry(2)])
            (lost,) = await frontier.claim("v", 1)
            clock.advance(30)
            held = await frontier.claim("w", 9)
            assert sorted(numbers(held)) == [1, 2]
            assert await frontier.renew([lost, *held]) == [*await frontier.renew(held)]
            assert await frontier.complete([Visit(lost)], []) == set()
            assert await frontier.fail(lost, "late", None) is False
            assert await frontier.fail(lost, "late", clock.now + 5) is False
            await frontier.fetched([lost])
            assert await frontier.release("v") == 0
            (host,) = await frontier.host_stats()
            assert (host.active, host.queued) == (2, 0)
            stats = await frontier.stats()
            assert (stats.queued, stats.leased, stats.done, stats.dead) == (0, 2, 1, 0)
            tokens = {lease.token for lease in held}
            assert await frontier.complete([Visit(lease) for lease in [lost, *held]], []) == tokens

        self.play(tmp_path, scenario, PARALLEL, SHORT)

    def test_the_last_attempt_that_expires_is_a_dead_letter(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])
            for attempt in (1, 2, 3):
                (lease,) = await frontier.claim("w", 1)
                assert lease.attempt == attempt
                clock.advance(30)
            assert await frontier.claim("w", 1) == []
            (letter,) = await frontier.dead_letters()
            assert (letter.fingerprint, letter.reason, letter.attempts) == (1, "lease expired", 3)
            assert letter.died_at == clock.now
            assert await frontier.drained()

        self.play(tmp_path, scenario, limits=SHORT)

    def test_a_request_that_was_over_frees_nothing_more_when_its_lease_expires(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n) for n in range(9)])
            await frontier.fetched(await frontier.claim("v", 1))
            clock.advance(30)
            assert len(await frontier.claim("w", 9)) == 3
            assert [host.active for host in await frontier.host_stats()] == [3]

        self.play(tmp_path, scenario, PARALLEL, SHORT)

    def test_renewal_pushes_the_deadline_out(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])
            leases = await frontier.claim("v", 1)
            for _ in range(5):
                clock.advance(29)
                leases = await frontier.renew(leases)
                assert [lease.deadline for lease in leases] == [clock.now + 30]
                assert await frontier.claim("w", 1) == []
            assert await frontier.complete([Visit(leases[0])], []) == {leases[0].token}

        self.play(tmp_path, scenario, limits=SHORT)

    def test_late_work_that_nobody_took_over_still_counts(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1, "a"), entry(2, "b")])
            one, two = await frontier.claim("v", 2)
            clock.advance(500)
            assert await frontier.complete([Visit(one)], []) == {one.token}
            assert len(await frontier.renew([one, two])) == 1
            assert await frontier.claim("w", 2) == []

        self.play(tmp_path, scenario, limits=SHORT)

    def test_a_completion_acks_and_adds_in_one_step(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])
            (lease,) = await frontier.claim("w", 1)
            assert await frontier.complete([Visit(lease)], [entry(1), entry(2), entry(3)]) == {lease.token}
            stats = await frontier.stats()
            assert (stats.queued, stats.leased, stats.done) == (2, 0, 1)
            assert await frontier.complete([Visit(lease)], [entry(2)]) == set()  # safe to repeat
            assert await frontier.stats() == stats

        self.play(tmp_path, scenario)

    def test_links_of_a_stale_visit_are_kept(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])
            (lost,) = await frontier.claim("v", 1)
            clock.advance(30)
            await frontier.claim("w", 1)
            assert await frontier.complete([Visit(lost)], [entry(2)]) == set()
            assert (await frontier.stats()).queued == 1

        self.play(tmp_path, scenario, limits=SHORT)

    def test_a_visit_that_comes_twice_in_a_batch_counts_once(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])
            (lease,) = await frontier.claim("w", 1)
            assert await frontier.complete([Visit(lease), Visit(lease)], []) == {lease.token}
            assert (await frontier.stats()).done == 1
            assert (await frontier.stats()).leased == 0

        self.play(tmp_path, scenario)

    def test_a_failure_waits_for_its_retry_date(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1), entry(2)])
            (lease,) = await frontier.claim("w", 1)
            assert await frontier.fail(lease, "503", clock.now + 60) is True
            (lease,) = await frontier.claim("w", 9)
            assert lease.fingerprint == 2  # the host itself is free
            await frontier.complete([Visit(lease)], [])
            assert (await frontier.stats()).queued == 1
            assert not await frontier.drained()
            clock.advance(59)
            assert await frontier.claim("w", 9) == []
            clock.advance(1)
            (lease,) = await frontier.claim("w", 9)
            assert (lease.fingerprint, lease.attempt) == (1, 2)

        self.play(tmp_path, scenario)

    def test_a_retry_date_that_has_passed_means_now(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])
            (lease,) = await frontier.claim("w", 1)
            await frontier.fail(lease, "reset", clock.now - 5)
            assert numbers(await frontier.claim("w", 9)) == [1]

        self.play(tmp_path, scenario)

    def test_a_failure_without_a_retry_or_after_the_last_attempt_is_a_dead_letter(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1), entry(2)])
            (lease,) = await frontier.claim("w", 1)
            await frontier.fail(lease, "404", None)
            for _ in range(3):
                clock.advance(1)
                (lease,) = await frontier.claim("w", 1)
                await frontier.fail(lease, f"try {lease.attempt}", clock.now)
            letters = await frontier.dead_letters()
            assert [(x.fingerprint, x.reason, x.attempts) for x in letters] == [(1, "404", 1), (2, "try 3", 3)]
            assert (await frontier.stats()).dead == 2
            assert await frontier.drained()

        self.play(tmp_path, scenario, limits=SHORT)

    def test_release_gives_all_leases_of_a_worker_back_without_counting(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1, "a"), entry(2, "b"), entry(3, "c")])
            mine = await frontier.claim("v", 2)
            (other,) = await frontier.claim("w", 1)
            await frontier.fetched(mine[:1])
            assert await frontier.release("v") == 2
            assert await frontier.release("v") == 0
            again = await frontier.claim("w", 9)
            assert sorted(numbers(again)) == sorted(numbers(mine))
            assert {lease.attempt for lease in again} == {1}
            assert await frontier.complete([Visit(lease) for lease in [*mine, other]], []) == {other.token}

        self.play(tmp_path, scenario)

    def test_leases_survive_a_restart_of_their_worker(self, tmp_path: Path) -> None:
        clock = StillClock()
        kept = []

        async def first(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1), entry(2)])
            kept.extend(await frontier.claim("v", 1))

        async def second(frontier: Frontier, clock: StillClock) -> None:
            assert (await frontier.stats()).leased == 1
            assert not await frontier.drained()
            assert await frontier.complete([Visit(kept[0])], []) == {kept[0].token}

        self.play(tmp_path, first, Politeness(), SHORT, clock)
        self.play(tmp_path, second, Politeness(), SHORT, clock)
