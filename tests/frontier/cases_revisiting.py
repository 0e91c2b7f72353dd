"""Conformance: recrawls, dead letters, and what the frontier says of itself."""

from __future__ import annotations

from pathlib import Path

from nephila.frontier import Frontier, HostStats, Limits, Stats, Visit
from nephila.frontier.freshness import next_interval
from tests.frontier.harness import DELAYED, Harness, StillClock, entry, meet, visit

ADAPTIVE = Limits(recrawl_min=100, recrawl_start=1000, recrawl_max=4000)


class RevisitingCases(Harness):
    def test_a_recrawl_queues_what_is_due_with_its_validators(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1, depth=4, meta={"k": 1})])
            (lease,) = await frontier.claim("w", 1)
            await visit(frontier, lease, etag='"x"', last_modified="Mon", digest=-77)
            assert await frontier.recrawl(clock.now + 998) == 0
            assert await frontier.recrawl(clock.now + 1001) == 1
            assert await frontier.recrawl(clock.now + 1001) == 0
            (lease,) = await frontier.claim("w", 1)
            assert (lease.visit, lease.attempt, lease.depth, lease.meta) == (1, 1, 4, {"k": 1})
            assert (lease.etag, lease.last_modified, lease.digest) == ('"x"', "Mon", -77)

        self.play(tmp_path, scenario, limits=ADAPTIVE)

    def test_validators_outlive_a_visit_without_change_and_not_one_with(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])
            (lease,) = await frontier.claim("w", 1)
            await visit(frontier, lease, etag='"x"', last_modified="Mon", digest=77)
            await frontier.recrawl(clock.now + 1e6)
            (lease,) = await frontier.claim("w", 1)
            await visit(frontier, lease, changed=False, last_modified="Tue")
            await frontier.recrawl(clock.now + 1e6)
            (lease,) = await frontier.claim("w", 1)
            assert (lease.visit, lease.etag, lease.last_modified, lease.digest) == (2, '"x"', "Tue", 77)
            await visit(frontier, lease, digest=78)
            await frontier.recrawl(clock.now + 1e6)
            (lease,) = await frontier.claim("w", 1)
            assert (lease.visit, lease.etag, lease.last_modified, lease.digest) == (3, None, None, 78)

        self.play(tmp_path, scenario, limits=ADAPTIVE)

    def test_the_interval_adapts_within_its_bounds(self, tmp_path: Path) -> None:
        async def interval(frontier: Frontier, clock: StillClock, changed: bool) -> float:
            """Completes the one queued URL and finds out, to the second, when it is due."""
            (lease,) = await frontier.claim("w", 1)
            await visit(frontier, lease, changed=changed)
            start = clock.now
            while not await frontier.recrawl(clock.now):
                clock.advance(1)
            return clock.now - start

        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1)])
            limits = Limits(recrawl_min=4, recrawl_start=12, recrawl_max=30)
            last = None
            for changed in (True, True, True, True, False, False, False, False, False, False, True):
                expected = next_interval(limits, last, changed)
                took = await interval(frontier, clock, changed)
                assert abs(took - expected) <= 1
                if last is not None:
                    assert (expected < last) if changed and last > 4 else (expected > last) or last in (4, 30)
                assert 4 <= expected <= 30
                last = expected

        self.play(tmp_path, scenario, limits=Limits(recrawl_min=4, recrawl_start=12, recrawl_max=30))

    def test_only_done_urls_are_recrawled(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n, f"h{n}") for n in range(5)])
            done, dead, _leased = sorted(await frontier.claim("w", 3), key=lambda lease: lease.fingerprint)
            await visit(frontier, done)
            await frontier.fail(dead, "gone", None)
            assert await frontier.recrawl(clock.now + 1e9) == 1
            assert await frontier.recrawl(clock.now + 1e9) == 0
            stats = await frontier.stats()
            assert (stats.queued, stats.leased, stats.done, stats.dead) == (3, 1, 1, 1)

        self.play(tmp_path, scenario, limits=ADAPTIVE)

    def test_a_recrawl_of_many_is_complete(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n, f"h{n}") for n in range(12_000)])
            leases = await frontier.claim("w", 12_000)
            assert len(await frontier.complete([Visit(lease) for lease in leases], [])) == 12_000
            assert await frontier.recrawl(clock.now + 1e9) == 12_000
            assert (await frontier.stats()).queued == 12_000

        self.play(tmp_path, scenario)

    def test_dead_letters_come_in_pages_oldest_first(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n, f"h{n}") for n in range(5)])
            for lease in sorted(await frontier.claim("w", 5), key=lambda lease: -lease.fingerprint):
                await frontier.fail(lease, f"because {lease.fingerprint}", None)
                clock.advance(1)
            letters = await frontier.dead_letters(limit=2) + await frontier.dead_letters(limit=9, offset=2)
            assert [letter.fingerprint for letter in letters] == [4, 3, 2, 1, 0]
            assert (letters[0].url, letters[0].host, letters[0].reason) == ("https://h4/4", "h4", "because 4")

        self.play(tmp_path, scenario)

    def test_replay_gives_fresh_attempts(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n, f"h{n}") for n in range(4)])
            for lease in await frontier.claim("w", 4):
                await frontier.fail(lease, "busy", clock.now)
            for lease in await frontier.claim("w", 4):
                await frontier.fail(lease, "busy", clock.now)
            assert (await frontier.stats()).dead == 4
            assert await frontier.replay([2, 99]) == 1
            assert await frontier.replay([2]) == 0
            (lease,) = await frontier.claim("w", 9)
            assert (lease.fingerprint, lease.attempt) == (2, 1)
            assert await frontier.replay() == 3
            assert await frontier.replay() == 0
            stats = await frontier.stats()
            assert (stats.queued, stats.leased, stats.dead) == (3, 1, 0)

        self.play(tmp_path, scenario, limits=Limits(max_attempts=2))

    def test_stats_add_up(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            assert await frontier.stats() == Stats(0, 0, 0, 0, 0, 0)
            assert await frontier.drained()
            await frontier.add([entry(n, f"h{n % 5}", family=1) for n in range(12)])
            leases = await frontier.claim("w", 4)
            await visit(frontier, leases[0], novel=False)
            await frontier.fail(leases[1], "gone", None)
            await frontier.fail(leases[2], "busy", clock.now + 60)
            assert await frontier.stats() == Stats(queued=7, leased=1, done=1, dead=1, hosts=5, refused=2)
            assert not await frontier.drained()

        self.play(tmp_path, scenario, limits=Limits(family_budget=10))

    def test_host_stats_tell_the_longest_queues_first(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "a", "b")
            await frontier.add([entry(n, "ab"[n > 2]) for n in range(9)])
            await frontier.slow_down("a", until=clock.now + 40)
            b = HostStats("b", queued=6, active=0, delay=10, ready_at=clock.now + 10)
            assert await frontier.host_stats(1) == [b]
            assert await frontier.host_stats() == [b, HostStats("a", 3, 0, 10, clock.now + 40)]
            clock.advance(10)
            await frontier.claim("w", 9)
            assert [(h.host, h.queued, h.active) for h in await frontier.host_stats()] == [("b", 5, 1), ("a", 3, 0)]

        self.play(tmp_path, scenario, DELAYED)
