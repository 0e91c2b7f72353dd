"""The cache of robots.txt files: asked once, shared, kept while the server fails."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.fetch.robots import RobotsAnswer, RobotsCache, origin_of
from nephila.fetch.robots_kept import DAY, GIVE_UP_AFTER, KeptRobots
from nephila.memory.base import Memory
from nephila.memory.sqlite import SqliteMemory

AGENT = "Nephila/0.1"
PRIVATE = RobotsAnswer(200, b"User-agent: *\nDisallow: /private\n")
DOWN = RobotsAnswer.unreachable("connection refused")


class Server:
    """Stands in for the network: a scripted answer, counted."""

    def __init__(self, *answers: RobotsAnswer | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, url: str) -> RobotsAnswer:
        self.asked.append(url)
        await asyncio.sleep(0.01)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def with_memory(path: Path, visit: Callable[[Memory], Awaitable[None]]) -> None:
    async def main() -> None:
        memory = SqliteMemory(path / "memory.db")
        try:
            await visit(memory)
        finally:
            await memory.close()

    asyncio.run(main())


def test_many_callers_ask_an_origin_once(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        server = Server(PRIVATE)
        cache = RobotsCache(memory, server)
        urls = ["https://e.com/private/a", "https://E.com:443/ok", "https://e.com./x"] * 20
        found = await asyncio.gather(*map(cache.for_url, urls))
        assert server.asked == ["https://e.com/robots.txt"]
        assert not found[0].allows(urls[0], AGENT)
        assert found[1].allows(urls[1], AGENT)
        await cache.for_url("http://e.com/")
        await cache.for_url("https://e.com:8443/")
        assert server.asked[1:] == ["http://e.com/robots.txt", "https://e.com:8443/robots.txt"]

    with_memory(tmp_path, visit)


def test_workers_share_one_answer_even_when_they_ask_together(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        server = Server(PRIVATE)
        workers = [RobotsCache(memory, server) for _ in range(5)]
        found = await asyncio.gather(*(worker.for_url("https://e.com/") for worker in workers))
        assert len(server.asked) == 1
        assert all(not robots.allows("https://e.com/private", AGENT) for robots in found)
        await RobotsCache(memory, server).for_url("https://e.com/")
        assert len(server.asked) == 1
        assert await memory.items("robots.busy") == []

    with_memory(tmp_path, visit)


def _one_worker(path: str, log: str) -> None:
    async def fetch(url: str) -> RobotsAnswer:
        with Path(log).open("a") as out:
            out.write(url + "\n")
        await asyncio.sleep(0.3)
        return PRIVATE

    async def visit(memory: Memory) -> None:
        robots = await RobotsCache(memory, fetch).for_url("https://e.com/")
        assert not robots.allows("https://e.com/private", AGENT)

    with_memory(Path(path), visit)


def test_processes_share_one_answer(tmp_path: Path) -> None:
    log = tmp_path / "asked"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_one_worker, args=(str(tmp_path), str(log))) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert log.read_text() == "https://e.com/robots.txt\n"


def test_a_worker_that_died_while_asking_is_replaced(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        clock = Clock()
        dying = RobotsCache(memory, Server(PRIVATE), patience=10, clock=clock)
        assert await dying._claimed("https://e.com", "the one that died")
        server = Server(PRIVATE)
        waiting = asyncio.create_task(RobotsCache(memory, server, clock=clock).for_url("https://e.com/"))
        await asyncio.sleep(0.1)
        assert server.asked == []
        clock.now += 16
        await waiting
        assert len(server.asked) == 1

    with_memory(tmp_path, visit)


def test_a_file_is_asked_for_again_after_a_day(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        clock, server = Clock(), Server(PRIVATE, RobotsAnswer(404))
        cache = RobotsCache(memory, server, clock=clock)
        await cache.for_url("https://e.com/")
        clock.now += DAY - 1
        assert not (await cache.for_url("https://e.com/")).allows("https://e.com/private", AGENT)
        clock.now += 2
        assert (await cache.for_url("https://e.com/")).allows("https://e.com/private", AGENT)
        assert len(server.asked) == 2

    with_memory(tmp_path, visit)


@pytest.mark.parametrize(("max_age", "good_for"), [(3600, 3600), (0, 300), (10 * DAY, DAY)])
def test_the_servers_own_max_age_is_heeded_within_reason(tmp_path: Path, max_age: float, good_for: float) -> None:
    async def visit(memory: Memory) -> None:
        clock, server = Clock(), Server(RobotsAnswer(200, b"", max_age))
        cache = RobotsCache(memory, server, clock=clock)
        await cache.for_url("https://e.com/")
        clock.now += good_for - 1
        await cache.for_url("https://e.com/")
        assert len(server.asked) == 1
        clock.now += 2
        await cache.for_url("https://e.com/")
        assert len(server.asked) == 2

    with_memory(tmp_path, visit)


@pytest.mark.parametrize(
    "failure", [DOWN, RobotsAnswer(503), RobotsAnswer(429), OSError("no route"), ValueError("odd")]
)
def test_an_unreachable_server_is_left_alone_for_longer_and_longer(
    tmp_path: Path, failure: RobotsAnswer | Exception
) -> None:
    async def visit(memory: Memory) -> None:
        clock, server = Clock(), Server(failure)
        cache = RobotsCache(memory, server, first_pause=30, clock=clock)
        pauses = []
        for _ in range(12):
            robots = await cache.for_url("https://e.com/")
            assert robots.unreachable
            assert not robots.allows("https://e.com/x", AGENT)
            assert robots.retry_at is not None
            pauses.append(robots.retry_at - clock.now)
            asked = len(server.asked)
            clock.now = robots.retry_at - 1
            await cache.for_url("https://e.com/")
            assert len(server.asked) == asked
            clock.now += 1
        assert pauses[:4] == [30, 60, 120, 240]
        assert pauses == sorted(pauses)
        assert max(pauses) == 6 * 3600

    with_memory(tmp_path, visit)


@pytest.mark.parametrize(
    ("failure", "reason"), [(DOWN, "connection refused"), (RobotsAnswer(503), "HTTP 503"), (TimeoutError(), "timeout")]
)
def test_every_worker_is_told_why_a_server_is_unreachable(
    tmp_path: Path, failure: RobotsAnswer | Exception, reason: str
) -> None:
    async def visit(memory: Memory) -> None:
        first, second = Server(failure), Server(PRIVATE)
        assert (await RobotsCache(memory, first).for_url("https://e.com/")).reason == reason
        assert (await RobotsCache(memory, second).for_url("https://e.com/")).reason == reason
        assert not second.asked

    with_memory(tmp_path, visit)


def test_a_hanging_server_counts_as_unreachable(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        async def hang(url: str) -> RobotsAnswer:
            await asyncio.sleep(3600)
            raise AssertionError

        robots = await RobotsCache(memory, hang, patience=0.05).for_url("https://e.com/")
        assert robots.unreachable

    with_memory(tmp_path, visit)


def test_the_last_good_copy_serves_while_the_server_fails(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        clock, server = Clock(), Server(PRIVATE, DOWN)
        cache = RobotsCache(memory, server, clock=clock)
        await cache.for_url("https://e.com/")
        for days in (2, 10, 40):
            clock.now += days * DAY
            robots = await cache.for_url("https://e.com/")
            assert not robots.unreachable
            assert robots.allows("https://e.com/x", AGENT)
            assert not robots.allows("https://e.com/private", AGENT)
        assert len(server.asked) == 4

    with_memory(tmp_path, visit)


def test_after_thirty_days_without_any_answer_all_is_allowed(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        clock = Clock()
        cache = RobotsCache(memory, Server(DOWN), clock=clock)
        assert (await cache.for_url("https://e.com/")).unreachable
        clock.now += GIVE_UP_AFTER + 1
        assert (await cache.for_url("https://e.com/")).allows("https://e.com/x", AGENT)

    with_memory(tmp_path, visit)


def test_a_caller_that_gives_up_takes_nothing_from_the_others(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        cache = RobotsCache(memory, Server(PRIVATE))
        first, second = (asyncio.create_task(cache.for_url("https://e.com/")) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        assert not (await second).allows("https://e.com/private", AGENT)

    with_memory(tmp_path, visit)


def test_parsed_files_are_bounded_in_this_process(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        server = Server(RobotsAnswer(200, b"#" * 10_000))
        cache = RobotsCache(memory, server, parsed_bytes=100_000)
        for i in range(50):
            await cache.for_url(f"https://h{i}.example/")
        assert len(cache._parsed._files) <= 10
        await cache.for_url("https://h0.example/")  # from the memory, not from the server
        assert len(server.asked) == 50

    with_memory(tmp_path, visit)


def test_what_is_not_ours_in_the_memory_is_asked_for_again(tmp_path: Path) -> None:
    async def visit(memory: Memory) -> None:
        await memory.put("robots", "https://e.com", b"not json")
        await memory.put("robots.busy", "https://e.com", b"[1]")
        server = Server(PRIVATE)
        await RobotsCache(memory, server).for_url("https://e.com/")
        assert len(server.asked) == 1

    with_memory(tmp_path, visit)


@given(st.binary(max_size=200), st.integers(0, 999), st.floats(0, 2e9), st.integers(0, 50))
def test_what_is_kept_comes_back_the_same(body: bytes, status: int, when: float, failures: int) -> None:
    kept = KeptRobots(status, body, when, when + 1, failures, when)
    assert KeptRobots.loads(kept.dumps()) == kept


@given(st.binary(max_size=100))
def test_any_bytes_in_the_memory_are_survived(raw: bytes) -> None:
    KeptRobots.loads(raw)
    KeptRobots.loads(b'{"status":200,"fetched_at":1,"expires_at":2,"failures":0,"failing_since":0}\n' + raw)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("HTTP://Example.COM:80/a?b#c", "http://example.com"),
        ("https://user:pw@example.com:443", "https://example.com"),
        ("https://example.com:8443/", "https://example.com:8443"),
        ("http://[::1]:8080/x", "http://[::1]:8080"),
        ("http://example.com:99999/", "http://example.com"),
    ],
)
def test_an_origin_is_scheme_host_and_port(url: str, origin: str) -> None:
    assert origin_of(url) == origin
