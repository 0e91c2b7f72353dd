"""A page that kills the workers that read it is given up before it has killed a whole fleet."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from nephila.crawling.blame import MOST_DEATHS
from nephila.frontier import DeadLetter
from nephila.job import Job
from tests.cluster.fleet import Fleet, page_counts
from tests.servers.lightsite import light_site, read_log, seeds, urls
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer, needs_redis
from tests.servers.zookeeper import Ensemble

pytestmark = needs_redis

HOSTS, PAGES, POISON = 2, 30, "/page/20"
# Read by every interpreter as it starts: one page kills the worker that reads it, as a fault in the parser would.
_FAULT = """
import os, signal, sys

if sys.orig_argv[1:4] == ["-m", "nephila", "worker"]:
    import nephila.pipeline

    parse = nephila.pipeline.parse

    def faulty(body, url, *arguments, **options):
        if url.endswith("127.0.0.1:{port}/page/20"):
            os.kill(os.getpid(), signal.{signal})
        return parse(body, url, *arguments, **options)

    nephila.pipeline.parse = faulty
"""


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    with RedisServer(tmp_path / "redis") as server:
        yield server.url


def given_up(fleet: Fleet, name: str, job: Job) -> list[DeadLetter]:
    async def read() -> list[DeadLetter]:
        frontier = fleet.place.job(name).open_frontier(job)
        try:
            return await frontier.dead_letters()
        finally:
            await frontier.close()

    return asyncio.run(read())


def crawl_with_a_fault(directory: Path, fleet: Fleet, fault: signal.Signals, lease: float) -> None:
    port, log = free_port(), directory / "log"
    (directory / "faults").mkdir()
    (directory / "faults" / "sitecustomize.py").write_text(_FAULT.format(port=port, signal=fault.name))
    rules = {"seeds": seeds(port, HOSTS), "http": {"allow_private": True}, "scope": {"sitemaps": False}, "name": "job"}
    job = Job.from_dict({**rules, "extract": "plain", "limits": {"lease": lease, "max_attempts": 50}})
    dead: list[int] = []

    def replace_the_dead() -> None:
        for worker in [each for each in fleet.workers if each.poll() is not None]:
            dead.append(worker.returncode)
            fleet.workers.remove(worker)
        if not fleet.workers:
            fleet.start()

    with light_site(port, log, hosts=HOSTS, pages=PAGES), fleet:
        fleet.search_path = (directory / "faults",)
        name = fleet.submit(job)
        fleet.start(2)
        fleet.wait(name, turn=replace_the_dead)
        replace_the_dead()
        poison = f"http://127.0.0.1:{port}{POISON}"
        assert [(letter.url, letter.reason.partition(":")[0]) for letter in given_up(fleet, name, job)] == [
            (poison, "its workers died")
        ]
        # One less where it was a suspect before its first death: a starved worker lets its leases lapse.
        assert set(dead) == {-fault}
        assert MOST_DEATHS - 1 <= len(dead) <= MOST_DEATHS
        read = [each for each in read_log(log) if each.path == POISON and each.host.startswith("127.0.0.1:")]
        assert len(read) == len(dead)
        assert page_counts(fleet.records(name)) == dict.fromkeys(urls(port, HOSTS, PAGES) - {poison}, 1)


def test_a_page_that_kills_its_workers_is_given_up_and_no_other(tmp_path: Path, redis: str) -> None:
    crawl_with_a_fault(tmp_path, Fleet(tmp_path / "fleet", redis), signal.SIGSEGV, lease=5)


@pytest.mark.slow
def test_so_it_is_where_a_coordinator_tells_of_the_dead(tmp_path: Path, redis: str, ensemble: Ensemble) -> None:
    fleet = Fleet(tmp_path / "fleet", redis, ensemble.url("/blame"), ("--session", "2"))
    crawl_with_a_fault(tmp_path, fleet, signal.SIGKILL, lease=600)
