"""Workers, jobs and exports for real: processes, a site, Redis, ZooKeeper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nephila.job import Job
from tests.cluster.fleet import Fleet, page_counts, too_soon
from tests.servers.lightsite import light_site, read_log, seeds, urls
from tests.servers.redis import RedisServer, free_port, needs_redis

pytestmark = needs_redis

HOSTS, PAGES = 4, 60


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
