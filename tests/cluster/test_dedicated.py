"""A forum as a dedicated job: each board belongs to one worker, with a login session of its own, whoever dies."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest
from kazoo.client import KazooClient
from kazoo.exceptions import NoNodeError

from nephila.cluster.tasks import Progress, Tasks
from nephila.job import Job
from tests.cluster.fleet import Fleet
from tests.servers.redis import RedisServer, needs_redis
from tests.servers.zookeeper import Ensemble
from tests.sites import forum, serve

pytestmark = needs_redis

DELAY = 0.3
BOARDS = 7
ROOT = "/lantern"


@pytest.fixture
def client(ensemble: Ensemble) -> Iterator[KazooClient]:
    client = KazooClient(hosts=ensemble.hosts)
    client.start(timeout=60)
    yield client
    client.stop()
    client.close()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    with RedisServer(tmp_path / "redis", appendonly="yes") as server:
        yield server.url


def job(root: str, **facts: object) -> Job:
    rules = {"name": "lantern", "seeds": [root], "assignment": "dedicated", "http": {"allow_private": True}}
    return Job.from_dict({**rules, "politeness": {"delay": DELAY}, "limits": {"lease": 30}, **facts})


def requests(log: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in log.read_bytes().splitlines()] if log.exists() else []


def boards(tasks: dict[str, Progress]) -> dict[str, Progress]:
    return {name: task for name, task in tasks.items() if task.board is not None}


def owner_of_a_board(client: KazooClient, tasks: Tasks) -> tuple[str, int]:
    """A board that somebody works on, and the process of whoever that is."""
    for name, task in boards(tasks.all()).items():
        try:
            worker = client.get(f"{ROOT}/jobs/lantern/owners/{name}")[0].decode()
            facts = orjson.loads(client.get(f"{ROOT}/members/{worker.rsplit('.', 2)[0]}")[0])
        except NoNodeError:
            continue
        if not task.done:
            return name, int(facts["pid"])
    return "", 0


def kill_somebody_amid_a_board(fleet: Fleet, client: KazooClient, tasks: Tasks, log: Path) -> str:
    """Returns the board."""
    deadline, last, asked = time.monotonic() + 300, ("", 0), 0
    while time.monotonic() < deadline:
        found = owner_of_a_board(client, tasks)
        if found != last:
            last, asked = found, len(pages(log))
        elif found[0] and len(pages(log)) >= asked + 2:
            fleet.kill(next(worker for worker in fleet.workers if worker.pid == found[1]))
            return found[0]
        time.sleep(0.05)
    raise AssertionError(f"nobody works on a board: {fleet.log()[-3000:]}")


def pages(log: Path) -> list[tuple[float, str]]:
    """When each page of a board or thread was asked for; a login asks for others, without a turn."""
    asked = [(each["at"] / 1e6, each["path"]) for each in requests(log)]
    return [(at, path) for at, path in asked if path.startswith(("/board/", "/thread/"))]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_boards_become_tasks_and_every_post_is_there_once_though_a_worker_dies_amid_a_board(
    tmp_path: Path, redis: str, ensemble: Ensemble, client: KazooClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANTERN_PASSWORD", forum.PASSWORD)
    log, tasks = tmp_path / "requests.log", Tasks(client, ROOT, "lantern")
    with (
        serve("forum", log=log) as served,
        Fleet(tmp_path / "fleet", redis, ensemble.url(ROOT), ("--session", "10")) as fleet,
    ):
        login = {"user": forum.USER, "password_env": "LANTERN_PASSWORD"}
        name = fleet.submit(job(served["forum"], login=login))
        fleet.start(3)
        board = kill_somebody_amid_a_board(fleet, client, tasks, log)
        picture = fleet.wait(name, seconds=600)
        posts = Counter(each["post"]["id"] for each in fleet.records(name) if each["kind"] == "post")
    assert posts == {str(post.id): 1 for post in forum.gold()}  # those of the members' room too
    told = tasks.all()
    assert all(task.done for task in told.values())
    assert len(boards(told)) == BOARDS
    assert boards(told)[board].starts >= 2
    assert {task["url"] for task in picture["tasks"]} == {task.url for task in told.values()}
    asked = pages(log)
    times = Counter(path for _, path in asked)
    # The next owner went on where the dead one was: what that one had under way is asked again, and no more.
    assert max(times.values()) <= 2
    assert sum(count == 2 for count in times.values()) < told[board].pages
    # However many tasks ask it, the host is left its delay.
    assert min(later - sooner for (sooner, _), (later, _) in pairwise(sorted(asked))) >= DELAY
