"""How the shared frontier keeps its books: compactly, in order, at the same cost however many there are."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import redis

from nephila.frontier import Entry, HostRule, Limits, Politeness, Visit, rank
from nephila.frontier.redis import RedisFrontier
from nephila.redis import key_prefix
from tests.frontier.harness import StillClock, entry
from tests.servers.redis import RedisServer, needs_redis, shared_redis

pytestmark = needs_redis


def play(
    job: str,
    scenario: Callable[[RedisFrontier], Awaitable[None]],
    rule: HostRule | None = None,
    limits: Limits | None = None,
    url: str | None = None,
) -> None:
    async def run() -> None:
        politeness = Politeness(rule or HostRule(parallel=10**6))
        clock = StillClock()
        frontier = RedisFrontier(
            url or shared_redis(), job, politeness, limits or Limits(family_budget=None), None if url else clock
        )
        try:
            await scenario(frontier)
        finally:
            await frontier.close()

    asyncio.run(run())


def keys(job: str, kind: str) -> list[bytes]:
    prefix = key_prefix(job).decode()
    return list(redis.Redis.from_url(shared_redis()).scan_iter(f"{prefix}{kind}", count=10_000))


def scattered(number: int) -> int:
    return (number * 0x9E3779B97F4A7C15) % (1 << 64) - (1 << 63)


def test_fingerprints_are_known_before_during_and_after_buckets_split(tmp_path: Path) -> None:
    extremes = [-(1 << 63), (1 << 63) - 1, 0, -1, 1 << 24, -(1 << 24), 10**10, -(10**10)]
    every = extremes + [scattered(number) for number in range(1, 6000)]

    async def scenario(frontier: RedisFrontier) -> None:
        for start in range(0, len(every), 370):
            batch = [entry(number, f"h{number % 5}") for number in every[start : start + 370]]
            assert await frontier.add(batch) == len(batch)
        assert await frontier.add([entry(number, f"h{number % 5}") for number in every]) == 0

    play(str(tmp_path), scenario)
    client = redis.Redis.from_url(shared_redis())
    sets = keys(str(tmp_path), "s[0-9]*")
    assert len(sets) > 50
    assert sum(client.scard(key) for key in sets) == len(every)
    assert {client.object("encoding", key) for key in sets} == {b"intset"}
    assert max(client.scard(key) for key in sets) < 300
    assert {client.object("encoding", key) for key in keys(str(tmp_path), "i[0-9]*")} == {b"listpack"}


def test_a_long_queue_keeps_its_order_whatever_comes_between(tmp_path: Path) -> None:
    """Pages split, empty and fill again: ranks of every kind, better ranks, failures and releases."""
    source = random.Random(5)
    best: dict[int, tuple[int, int]] = {}

    def link(number: int) -> Entry:
        return entry(
            number, priority=source.choice([0, 0, 0, 9, -50]), modified=source.choice([None, 1e9, 5e8 + number])
        )

    async def scenario(frontier: RedisFrontier) -> None:
        await frontier.add([entry(-1, priority=100)])
        (first,) = await frontier.claim("w", 1)
        await frontier.complete([Visit(first)], [])
        for _ in range(40):
            batch = {link.fingerprint: link for link in (link(source.randrange(3000)) for _ in range(100))}
            await frontier.add(list(batch.values()))
            for number, new in batch.items():
                order = best[number][1] if number in best else len(best)
                place = (rank(new.priority, new.modified), order)
                best[number] = min(best.get(number, place), place)
            leases = await frontier.claim("w", 30)
            expected = sorted(best, key=best.__getitem__)[:30]
            assert [lease.fingerprint for lease in leases] == expected
            source.shuffle(leases)
            for lease in leases[:5]:
                await frontier.fail(lease, "again", 0.0)
            await frontier.release("w")
        leases = await frontier.claim("w", 5000)
        assert [lease.fingerprint for lease in leases] == sorted(best, key=best.__getitem__)

    play(str(tmp_path), scenario, limits=Limits(family_budget=None, max_attempts=10**6))
    assert keys(str(tmp_path), "pq*") == keys(str(tmp_path), "dq*") == []


def test_ever_newer_links_do_not_tear_the_pages_apart(tmp_path: Path) -> None:
    async def scenario(frontier: RedisFrontier) -> None:
        for number in range(400):
            await frontier.add([entry(number, modified=1e9 + number)])

    play(str(tmp_path), scenario)
    assert len(keys(str(tmp_path), "pq*")) < 25


def test_a_huge_entry_is_kept_whole(tmp_path: Path) -> None:
    meta = {"body": "x" * 300_000, "deep": [1, {"ß": None}]}

    async def scenario(frontier: RedisFrontier) -> None:
        url = "https://a.example/" + "p" * 70_000
        await frontier.add([entry(1), Entry(url, 2, "a.example", meta=meta, depth=1000), entry(3)])
        for number in (1, 2, 3):
            (lease,) = await frontier.claim("w", 1)
            assert lease.fingerprint == number
            assert await frontier.complete([Visit(lease)], []) == {lease.token}
            if number == 2:
                assert (lease.url, lease.meta, lease.depth) == (url, meta, 1000)

    play(str(tmp_path), scenario)


def test_a_drained_job_leaves_little_behind(tmp_path: Path) -> None:
    async def scenario(frontier: RedisFrontier) -> None:
        await frontier.add([entry(scattered(n), f"h{n % 9}") for n in range(2000)])
        while leases := await frontier.claim("w", 500):
            for lease in leases[::50]:
                await frontier.fail(lease, "gone", None)
            await frontier.complete([Visit(lease) for lease in leases], [])

    play(str(tmp_path), scenario)
    names = {key.rpartition(b"}:")[2] for key in keys(str(tmp_path), "*")}
    assert {name for name in names if not name.startswith((b"s", b"pv", b"dv", b"reply:"))} == {
        b"tally", b"hosts", b"dead", b"dead_at",
    }  # fmt: skip


def test_the_time_is_the_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clock is an hour ahead waits as long as the others."""
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 3600)

    async def scenario(frontier: RedisFrontier) -> None:
        await frontier.add([entry(1)])
        (lease,) = await frontier.claim("w", 1)
        assert abs(lease.deadline - time.time() - 120) < 5
        await frontier.fail(lease, "busy", time.time() + 50)
        ready = await frontier.next_ready()
        assert ready is not None
        assert abs(ready - time.time() - 50) < 5
        first, *_ = redis.Redis.from_url(shared_redis()).zrange(
            key_prefix(str(tmp_path)) + b"later:a.example", 0, 0, withscores=True
        )
        assert abs(float(first[1]) - real() - 50) < 5
        await frontier.slow_down("a.example", until=time.time() + 70)
        assert await frontier.recrawl(time.time() + 9999) == 0

    play(str(tmp_path), scenario, url=shared_redis())


def test_a_claim_does_no_more_work_for_more_urls_or_more_hosts(tmp_path: Path) -> None:
    """Counted in the commands that the script runs: the same on every machine and under every load."""
    with RedisServer(tmp_path) as server:
        client = server.client()

        async def cost(urls: int, hosts: int) -> int:
            job = f"{urls}-{hosts}"
            politeness = Politeness(HostRule(delay=0.001))
            frontier = RedisFrontier(server.url, job, politeness, Limits(family_budget=None))
            await frontier.add([Entry(f"https://h/{n}", scattered(n), f"h{n % hosts}") for n in range(urls)])
            for _ in range(2):
                await frontier.complete([Visit(lease) for lease in await frontier.claim("w", 10)], [])
            await asyncio.sleep(0.1)
            client.config_resetstat()
            assert len(await frontier.claim("w", 10)) == 10
            calls = sum(stats["calls"] for stats in client.info("commandstats").values())
            await frontier.close()
            return int(calls)

        small = asyncio.run(cost(400, 40))
        assert small < 100
        assert asyncio.run(cost(20_000, 40)) <= small + 5
        assert asyncio.run(cost(20_000, 4_000)) <= small + 5
