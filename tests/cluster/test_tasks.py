"""Dedicated tasks: one owner each, one a host, and the next owner goes on from the progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from kazoo.client import KazooClient

from nephila.cluster.tasks import TaskLostError, Tasks
from tests.servers.zookeeper import Ensemble

SEEDS = ["http://a.example/1", "http://a.example/2", "http://b.example/"]
HOSTS = ["a.example", "a.example", "b.example"]


@pytest.fixture
def clients(ensemble: Ensemble) -> Iterator[list[KazooClient]]:
    with ExitStack() as stack:
        clients = []
        for _ in range(3):
            client = KazooClient(hosts=ensemble.hosts)
            client.start(timeout=30)
            stack.callback(client.close)
            stack.callback(client.stop)
            clients.append(client)
        yield clients


def test_a_task_has_one_owner_and_a_host_one_task(clients: list[KazooClient], request: pytest.FixtureRequest) -> None:
    mine, yours, theirs = (Tasks(client, "/tasks", request.node.name) for client in clients)
    mine.prepare(SEEDS)
    yours.prepare(SEEDS)
    first = mine.take(HOSTS, "me")
    second = yours.take(HOSTS, "you")
    assert first is not None
    assert second is not None
    assert (first.number, second.number) == (0, 2)  # the other task of a.example has to wait
    assert theirs.take(HOSTS, "they") is None
    mine.finish(first, pages=7)
    third = theirs.take(HOSTS, "they")
    assert third is not None
    assert third.number == 1
    yours.finish(second)
    theirs.finish(third)
    assert mine.take(HOSTS, "me") is None
    assert [progress.done for progress in mine.all()] == [True] * 3
    assert mine.all()[0].pages == 7


def test_the_next_owner_goes_on_from_the_progress(clients: list[KazooClient], request: pytest.FixtureRequest) -> None:
    mine, yours = (Tasks(client, "/tasks", request.node.name) for client in clients[:2])
    mine.prepare(SEEDS[:1])
    task = mine.take(HOSTS[:1], "me")
    assert task is not None
    task = mine.tell(task, pages=120, queued=30)
    clients[0].stop()  # its session ends, as with its death
    taken = yours.take(HOSTS[:1], "you")
    assert taken is not None
    assert (taken.progress.pages, taken.progress.queued, taken.progress.starts) == (120, 30, 2)
    clients[0].start(timeout=30)
    with pytest.raises(TaskLostError):
        mine.tell(task, pages=121)
    assert yours.all()[0].worker == "you"
