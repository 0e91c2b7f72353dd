"""The image of deploy/Dockerfile, built and run for real: three worker containers, one killed, the crawl ends whole."""

from __future__ import annotations

import getpass
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from nephila.cluster.controller.conductor import Conductor
from nephila.cluster.controller.plan import load_plan
from nephila.job import Job
from tests.cluster.fleet import Fleet, page_counts, too_soon
from tests.servers.lightsite import light_site, read_log, seeds, urls
from tests.servers.podman import KEPT, Podman, SshServer, missing
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer, needs_redis
from tests.servers.zookeeper import Ensemble

pytestmark = [
    needs_redis,
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

IMAGE = "localhost/nephila-test"


@pytest.fixture(scope="module")
def podman(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Podman]:
    engine = Podman(Path(os.environ[KEPT]) if KEPT in os.environ else tmp_path_factory.mktemp("podman"))
    engine.build(IMAGE)
    engine.start()
    yield engine
    engine.stop()


def plan(place: Path, hosts: str, redis: str, coordinator: str, spool: Path) -> Path:
    path = place / "cluster.toml"
    path.write_text(f"""
name = "boxes"
{hosts}
[services.worker]
image = "{IMAGE}"
command = ["worker", "--frontier", "{redis}", "--coordinator", "{coordinator}", "--session", "4", "--grace", "10"]
scale = 3
grace = 30
network = "host"
volumes = ["{spool}:/data/spool"]
health.seconds = 240
""")
    return path


def test_the_crawl_ends_whole_though_a_container_was_killed(
    tmp_path: Path, podman: Podman, ensemble: Ensemble, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, log, spool = free_port(), tmp_path / "log", tmp_path / "fleet" / "spool"
    spool.mkdir(parents=True)
    spool.chmod(0o777)  # the container's user is nobody here
    with (
        RedisServer(tmp_path / "redis", appendonly="yes") as redis,
        light_site(port, log, hosts=10, pages=100, latency=0.02),
        SshServer(tmp_path / "ssh", free_port()) as ssh,
    ):
        monkeypatch.setenv("PATH", ssh.path)
        hosts = f'[hosts.here]\nbackend = "container"\naddress = "unix://{podman.socket}"\n'
        if shutil.which("sshd"):
            away = f"ssh://{getpass.getuser()}@127.0.0.1:{ssh.port}{podman.socket}"
            hosts += f'[hosts.away]\nbackend = "container"\naddress = "{away}"\n'
        fleet = Fleet(tmp_path / "fleet", redis.url)
        rules = {
            "seeds": seeds(port, 10),
            "http": {"allow_private": True},
            "scope": {"sitemaps": False},
            "name": "boxed",
        }
        name = fleet.submit(Job.from_dict({**rules, "politeness": {"delay": 0.1}, "limits": {"lease": 600}}))
        with Conductor(load_plan(plan(tmp_path, hosts, redis.url, ensemble.url("/boxes"), spool)), print) as conductor:
            try:
                conductor.up()
                while len(read_log(log)) < 250:
                    time.sleep(0.2)
                podman.run("kill", "boxes-worker-1")
                picture = fleet.wait(name, seconds=590)
                assert picture["frontier"]["dead"] == 0
                assert [row["running"] for row in conductor.status()] == [2]
                said = [line for _, line in conductor.logs()]  # now: who was the master may be scaled away
                conductor.scale("worker", 1)
                conductor.stop()
            finally:
                conductor.remove()
        assert page_counts(fleet.records(name)) == dict.fromkeys(urls(port, 10, 100), 1)
        assert not too_soon(read_log(log), 0.1)
        assert any("is dead" in line for line in said)
