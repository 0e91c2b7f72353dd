"""Conformance: what `add` promises."""

from __future__ import annotations

from pathlib import Path

from nephila.frontier import Entry, Frontier, Limits, Visit
from tests.frontier.harness import PARALLEL, Harness, StillClock, entry, meet, numbers


class AddingCases(Harness):
    def test_a_url_is_queued_once(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            assert await frontier.add([entry(1), entry(2), entry(1)]) == 2
            assert await frontier.add([entry(2), entry(3)]) == 1
            assert await frontier.add([]) == 0
            assert (await frontier.stats()).queued == 3

        self.play(tmp_path, scenario)

    def test_a_url_that_was_claimed_or_done_or_dead_is_not_queued_again(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1, "a"), entry(2, "b"), entry(3, "c")])
            one, two, three = sorted(await frontier.claim("w", 3), key=lambda lease: lease.fingerprint)
            await frontier.complete([Visit(one)], [])
            await frontier.fail(two, "gone", None)
            assert await frontier.add([entry(1, "a"), entry(2, "b"), entry(3, "c")]) == 0
            assert (await frontier.stats()).queued == 0
            assert await frontier.complete([Visit(three)], []) == {three.token}

        self.play(tmp_path, scenario)

    def test_every_fact_of_an_entry_travels_with_the_lease(self, tmp_path: Path) -> None:
        asked = Entry(
            "https://ü.example:8080/straße?q=1",
            -(1 << 63),
            "ü.example:8080",
            depth=7,
            priority=-3,
            modified=1_699_999_999.5,
            family=(1 << 63) - 1,
            meta={"from": "sitemap", "n": [1, None, {"deep": "ß"}]},
        )

        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([asked, entry((1 << 63) - 1, "b")])
            leases = {lease.fingerprint: lease for lease in await frontier.claim("w", 2)}
            lease = leases[asked.fingerprint]
            for name in ("url", "fingerprint", "host", "depth", "priority", "modified", "family", "meta"):
                assert getattr(lease, name) == getattr(asked, name), name
            assert (lease.worker, lease.attempt, lease.visit) == ("w", 1, 0)
            assert (lease.etag, lease.last_modified, lease.digest) == (None, None, None)
            assert set(leases) == {-(1 << 63), (1 << 63) - 1}
            assert leases[(1 << 63) - 1].meta is None

        self.play(tmp_path, scenario)

    def test_queue_order_is_priority_then_newest_date_then_arrival(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1), entry(2, modified=50.0), entry(3, priority=9)])
            await frontier.add([entry(4, modified=90.0), entry(5), entry(6, priority=-9, modified=1e9)])
            order = []
            for _ in range(6):
                (lease,) = await frontier.claim("w", 1)
                order.append(lease.fingerprint)
                await frontier.complete([Visit(lease)], [])
            assert order == [3, 4, 2, 1, 5, 6]

        self.play(tmp_path, scenario)

    def test_a_queued_url_takes_the_better_rank_and_never_the_worse(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "a.example")
            await frontier.add([entry(1), entry(2), entry(3, priority=5)])
            await frontier.add([entry(2, priority=9, modified=7.0), entry(3, priority=-5)])
            leases = await frontier.claim("w", 3)
            assert numbers(leases) == [2, 3, 1]
            assert (leases[0].priority, leases[0].modified, leases[1].priority) == (9, 7.0, 5)

        self.play(tmp_path, scenario, PARALLEL)

    def test_a_url_that_waits_for_its_retry_takes_the_better_rank(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1), entry(2)])
            (lease,) = await frontier.claim("w", 1)
            await frontier.fail(lease, "busy", clock.now + 5)
            await frontier.add([entry(3, priority=3), entry(1, priority=8)])
            clock.advance(5)
            assert numbers(await frontier.claim("w", 3)) == [1, 3, 2]

        self.play(tmp_path, scenario, PARALLEL)

    def test_the_better_rank_holds_within_one_batch(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await meet(frontier, "a.example")
            assert await frontier.add([entry(1), entry(2), entry(2, priority=9)]) == 2
            assert numbers(await frontier.claim("w", 3)) == [2, 1]

        self.play(tmp_path, scenario, PARALLEL)

    def test_a_family_is_let_in_up_to_its_budget(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            assert await frontier.add([entry(n, family=5) for n in range(4)]) == 3
            assert await frontier.add([entry(3, family=5), entry(9, family=6), entry(10)]) == 2
            stats = await frontier.stats()
            assert (stats.queued, stats.refused) == (5, 1)

        self.play(tmp_path, scenario, limits=Limits(family_budget=3))

    def test_what_is_over_the_budget_is_let_in_when_novel_visits_have_earned_it(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(n, family=5) for n in range(5)])
            (lease,) = await frontier.claim("w", 1)
            await frontier.complete([Visit(lease, novel=False)], [entry(3, family=5)])
            assert (await frontier.stats()).refused == 3
            (lease,) = await frontier.claim("w", 1)
            assert await frontier.add([entry(3, family=5)]) == 0
            await frontier.complete([Visit(lease)], [entry(5, family=5)])
            stats = await frontier.stats()
            assert (stats.queued, stats.refused) == (2, 2)
            seen = set()
            while leases := await frontier.claim("w", 9):
                seen |= {lease.fingerprint for lease in leases}
                await frontier.complete([Visit(lease) for lease in leases], [])
            assert seen == {2, 3, 4, 5}, "a list of real pages is fetched whole"
            assert await frontier.drained()

        self.play(tmp_path, scenario, limits=Limits(family_budget=2))

    def test_known_urls_of_a_family_are_not_charged_or_refused(self, tmp_path: Path) -> None:
        async def scenario(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1, family=5), entry(1, family=5), entry(2, family=5)])
            assert await frontier.add([entry(1, family=5), entry(2, family=5)]) == 0
            assert (await frontier.stats()).refused == 0

        self.play(tmp_path, scenario, limits=Limits(family_budget=2))

    def test_what_was_added_is_there_after_a_restart(self, tmp_path: Path) -> None:
        async def first(frontier: Frontier, clock: StillClock) -> None:
            await frontier.add([entry(1), entry(2)])

        async def second(frontier: Frontier, clock: StillClock) -> None:
            assert await frontier.add([entry(1), entry(3)]) == 1
            assert (await frontier.stats()).queued == 3

        self.play(tmp_path, first)
        self.play(tmp_path, second)
