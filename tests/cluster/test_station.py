"""Workers, jobs and exports for real: processes, a site, Redis, ZooKeeper."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from kazoo.client import KazooClient

from nephila.cluster import commanding
from nephila.cluster.place import Place
from nephila.cluster.station import Station, StationOptions
from nephila.cluster.tasks import Tasks
from nephila.crawling.worker import Worker
from nephila.errors import InputError, NephilaError, StateError
from nephila.job import Job, PolitenessRules, ScopeRules
from tests.cluster.fleet import Fleet, page_counts, too_soon
from tests.servers.lightsite import light_site, read_log, seeds, urls
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer, needs_redis
from tests.servers.zookeeper import Ensemble

pytestmark = needs_redis

HOSTS, PAGES = 4, 30


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    with RedisServer(tmp_path / "redis") as server:
        yield server.url


def job(port: int, hosts: int = HOSTS, **facts: object) -> Job:
    rules = {"seeds": seeds(port, hosts), "http": {"allow_private": True}, "scope": {"sitemaps": False}, "name": "job"}
    return Job.from_dict({**rules, "limits": {"lease": 20}, **facts})


def test_workers_share_a_job_and_every_page_is_exported_once(tmp_path: Path, redis: str) -> None:
    port = free_port()
    log = tmp_path / "log"
    with light_site(port, log, hosts=HOSTS, pages=PAGES, latency=0.01), Fleet(tmp_path / "fleet", redis) as fleet:
        name = fleet.submit(job(port, politeness={"delay": 0.05}))
        fleet.start(2)
        picture = fleet.wait(name)
        assert picture["frontier"]["dead"] == 0
        assert page_counts(fleet.records(name)) == dict.fromkeys(urls(port, HOSTS, PAGES), 1)
        assert not too_soon(read_log(log), 0.05)
        assert len({path.name.split(".")[0] for path in fleet.place.job(name).spool.glob("*.zst")}) == 2
        assert [fleet.terminate(worker) for worker in list(fleet.workers)] == [0, 0]


@pytest.mark.slow
def test_what_a_dead_worker_held_is_taken_over_long_before_its_leases_expire(
    tmp_path: Path, redis: str, ensemble: Ensemble
) -> None:
    port, hosts, lease = free_port(), 12, 600
    log = tmp_path / "log"
    with (
        light_site(port, log, hosts=hosts, pages=25, latency=0.3),
        Fleet(tmp_path / "fleet", redis, ensemble.url("/takeover"), ("--session", "2")) as fleet,
    ):
        name = fleet.submit(job(port, hosts, limits={"lease": lease}, politeness={"delay": 0.01}))
        first, _ = fleet.start(2)
        while len(read_log(log)) < 60:
            time.sleep(0.1)
        fleet.kill(first)
        picture = fleet.wait(name, seconds=lease / 3)
        assert picture["frontier"]["dead"] == 0
        assert "is dead" in fleet.log()
        assert page_counts(fleet.records(name)) == dict.fromkeys(urls(port, hosts, 25), 1)
        assert not too_soon(read_log(log), 0.01)


@pytest.mark.slow
def test_one_that_was_stopped_past_its_session_comes_back_under_a_new_name(
    tmp_path: Path, redis: str, ensemble: Ensemble
) -> None:
    port = free_port()
    log = tmp_path / "log"
    with (
        light_site(port, log, hosts=6, pages=60, latency=0.05),
        Fleet(tmp_path / "fleet", redis, ensemble.url("/stopping"), ("--session", "2")) as fleet,
    ):
        name = fleet.submit(job(port, 6, politeness={"delay": 0.1}))
        stopped, _ = fleet.start(2)
        while len(read_log(log)) < 40:
            time.sleep(0.1)
        stopped.send_signal(signal.SIGSTOP)
        time.sleep(5)
        stopped.send_signal(signal.SIGCONT)
        fleet.wait(name)
        assert "joining under a new name" in fleet.log()
        assert page_counts(fleet.records(name)) == dict.fromkeys(urls(port, 6, 60), 1)
        assert not too_soon(read_log(log), 0.1)


def test_jobs_pause_go_on_change_and_end(tmp_path: Path, redis: str) -> None:
    port = free_port()
    log = tmp_path / "log"
    with light_site(port, log, hosts=4, pages=100), Fleet(tmp_path / "fleet", redis) as fleet:
        slow = {"politeness": {"delay": 0.2}}
        name = fleet.submit(job(port, 4, **slow))
        (worker,) = fleet.start()
        while len(read_log(log)) < 12:
            time.sleep(0.1)
        asyncio.run(commanding.move(fleet.place, name, "paused"))
        for _ in range(20):  # the worker hears of it with its next look at the jobs
            asked = len(read_log(log))
            time.sleep(1.5)
            if len(read_log(log)) == asked:
                break
        assert not fleet.status(name)["frontier"]["leased"]
        assert asked < 400
        # Another limit, while it is there: taken up at once, and reached.
        fleet.submit(job(port, 4, limits={"max_pages": 40, "lease": 20}, **slow))
        picture = fleet.wait(name)
        assert picture["frontier"]["done"] == 40
        fleet.submit(job(port, 4, politeness={"delay": 0}))
        fleet.wait(name)
        assert page_counts(fleet.records(name)) == dict.fromkeys(urls(port, 4, 100), 1)
        fleet.submit(job(port, 4, politeness={"delay": 0}))
        assert asyncio.run(commanding.move(fleet.place, name, "cancelled")).state == "cancelled"
        with pytest.raises(InputError, match="cancelled"):
            asyncio.run(commanding.move(fleet.place, name, "running"))
        assert fleet.terminate(worker) == 0


@pytest.mark.slow
def test_jobs_share_a_worker_fairly(tmp_path: Path, redis: str) -> None:
    port = free_port()
    log = tmp_path / "log"
    with (
        light_site(port, log, hosts=8, pages=400, latency=0.1),
        Fleet(tmp_path / "fleet", redis, options=("--concurrency", "8")) as fleet,
    ):
        names = []
        for number in range(2):
            rules = job(port, 8, name=f"job-{number}", politeness={"delay": 0, "parallel": 8, "robots": False})
            own = rules.model_copy(update={"seeds": rules.seeds[number::2], "scope": ScopeRules(mode="host")})
            names.append(fleet.submit(own))
        fleet.start()
        while len(read_log(log)) < 400:
            time.sleep(0.1)
        done = [fleet.status(name)["frontier"]["done"] for name in names]
        assert min(done) > 0.6 * max(done)


def test_a_worker_that_is_told_to_stop_gives_back_what_it_holds(tmp_path: Path, redis: str) -> None:
    port = free_port()
    log = tmp_path / "log"
    with (
        light_site(port, log, hosts=4, pages=100, latency=0.2),
        Fleet(tmp_path / "fleet", redis, options=("--grace", "3")) as fleet,
    ):
        name = fleet.submit(job(port, 4, limits={"lease": 600}))
        (worker,) = fleet.start()
        while len(read_log(log)) < 20:
            time.sleep(0.1)
        assert fleet.terminate(worker) == 0
        stats = fleet.status(name)["frontier"]
        assert stats["leased"] == 0
        assert stats["queued"] > 0
        assert stats["done"] == len(fleet.records(name))


@pytest.mark.parametrize("fails", [True, False], ids=["fails", "lasts too long"])
def test_a_stop_that_may_have_left_leases_behind_is_no_good_one(
    fails: bool, tmp_path: Path, redis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(redis, tmp_path / "spool")

    async def stop() -> None:
        station = Station(place, None, StationOptions(grace=0))
        begun, over = asyncio.Event(), asyncio.Event()

        async def work(_: Worker) -> int:
            begun.set()
            told = station._stopped if fails else over
            while not told.is_set():
                with suppress(asyncio.CancelledError):
                    await told.wait()
            raise StateError("the leases could not be given back")

        monkeypatch.setattr(Worker, "run", work)
        running = asyncio.create_task(station.run())
        await begun.wait()
        station.stop()
        try:
            await running
        finally:
            over.set()

    monkeypatch.setattr("nephila.cluster.station._FAREWELL", 0.5)
    asyncio.run(commanding.submit(place, job(free_port(), 1)))
    with pytest.raises(NephilaError, match="what it held is fetched by others when its leases expire"):
        asyncio.run(stop())


@pytest.mark.slow
def test_dedicated_tasks_go_to_one_worker_each_and_the_next_goes_on(
    tmp_path: Path, redis: str, ensemble: Ensemble
) -> None:
    port = free_port()
    log = tmp_path / "log"
    with (
        light_site(port, log, hosts=3, pages=50, latency=0.05),
        Fleet(tmp_path / "fleet", redis, ensemble.url("/dedicated"), ("--session", "2")) as fleet,
    ):
        rules = job(port, 3, assignment="dedicated", scope={"mode": "host", "sitemaps": False})
        name = fleet.submit(rules.model_copy(update={"politeness": PolitenessRules(delay=0.05)}))
        first, _ = fleet.start(2)
        while len(read_log(log)) < 40:
            time.sleep(0.1)
        fleet.kill(first)
        fleet.wait(name)
        assert page_counts(fleet.records(name)) == dict.fromkeys(urls(port, 3, 50), 1)
        assert not too_soon(read_log(log), 0.05)
        client = KazooClient(hosts=ensemble.hosts)
        client.start(timeout=30)
        try:
            progress = Tasks(client, "/dedicated", name).all()
        finally:
            client.stop()
            client.close()
        assert [(task.done, task.pages) for task in progress.values()] == [(True, 50)] * 3
        assert max(task.starts for task in progress.values()) == 2


def test_a_dedicated_job_without_a_coordinator_says_so(tmp_path: Path, redis: str) -> None:
    with Fleet(tmp_path / "fleet", redis) as fleet:
        fleet.submit(job(free_port(), 1, assignment="dedicated"))
        fleet.start()
        deadline = time.monotonic() + 60
        while "needs a coordinator" not in fleet.log():
            assert time.monotonic() < deadline
            time.sleep(0.2)
