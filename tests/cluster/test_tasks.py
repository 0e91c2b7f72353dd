"""Dedicated tasks: one owner each, and the next owner goes on from the progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from kazoo.client import KazooClient

from nephila.cluster.tasks import Progress, TaskLostError, Tasks
from tests.servers.zookeeper import Ensemble

SEEDS = ["http://a.example/", "http://b.example/"]
BOARD = Progress("http://a.example/board/1", SEEDS[0], "a.example board:/board/1")


@pytest.fixture
def clients(ensemble: Ensemble) -> Iterator[list[KazooClient]]:
    with ExitStack() as stack:
        clients = []
        for _ in range(3):
            client = KazooClient(hosts=ensemble.hosts)
            client.start(timeout=60)
            stack.callback(client.close)
            stack.callback(client.stop)
            clients.append(client)
        yield clients


def test_a_task_has_one_owner(clients: list[KazooClient], request: pytest.FixtureRequest) -> None:
    mine, yours, theirs = (Tasks(client, "/tasks", request.node.name) for client in clients)
    mine.prepare(SEEDS)
    yours.prepare(SEEDS)
    first, second = mine.take("me"), yours.take("you")
    assert first is not None
    assert second is not None
    assert {first.progress.url, second.progress.url} == set(SEEDS)
    assert theirs.take("they") is None
    assert mine.finish(first, mine.mark(first), pages=7)
    assert not mine.all_done()
    assert yours.finish(second, yours.mark(second))
    assert mine.all_done()
    assert theirs.take("they") is None
    assert mine.all()[first.name].pages == 7


def test_the_next_owner_goes_on_from_the_progress(clients: list[KazooClient], request: pytest.FixtureRequest) -> None:
    mine, yours = (Tasks(client, "/tasks", request.node.name) for client in clients[:2])
    mine.prepare(SEEDS[:1])
    task = mine.take("me")
    assert task is not None
    task = mine.tell(task, pages=120, queued=30)
    mark = mine.mark(task)
    clients[0].stop()  # its session ends, as with its death
    taken = yours.take("you")
    assert taken is not None
    assert (taken.progress.pages, taken.progress.queued, taken.progress.starts) == (120, 30, 2)
    assert taken.before == "me"
    clients[0].start(timeout=60)
    with pytest.raises(TaskLostError):
        mine.tell(task, pages=121)
    with pytest.raises(TaskLostError):
        mine.finish(task, mark)
    assert yours.all()[taken.name].worker == "you"


def test_what_is_handed_to_a_task_that_is_about_to_end_keeps_it_going(
    clients: list[KazooClient], request: pytest.FixtureRequest
) -> None:
    mine, yours = (Tasks(client, "/tasks", request.node.name) for client in clients[:2])
    mine.prepare(SEEDS[:1])
    assert mine.hand_over("board-1", BOARD)
    seed, board = mine.take("me"), yours.take("you")
    assert seed is not None
    assert board is not None
    assert board.progress.board == BOARD.board
    mark = yours.mark(board)
    # The owner has seen its frontier drained; only now does another page of the board turn up.
    assert not mine.hand_over("board-1", BOARD)
    assert not yours.finish(board, mark)
    assert yours.finish(board, yours.mark(board))
    # And once more, after the end: it is open again.
    assert not mine.hand_over("board-1", BOARD)
    assert mine.finish(seed, mine.mark(seed))
    assert not mine.all_done()
    again = mine.take("me")
    assert again is not None
    assert (again.name, again.progress.done, again.progress.starts) == ("board-1", False, 2)


def test_a_worker_whose_connection_broke_finds_what_is_its_own(
    clients: list[KazooClient], request: pytest.FixtureRequest
) -> None:
    mine, yours = (Tasks(client, "/tasks", request.node.name) for client in clients[:2])
    mine.prepare(SEEDS[:1])
    task = mine.take("me.1")
    assert task is not None
    mine.tell(task, pages=3)  # written, but the answer was lost: the version that is known is the one before
    assert mine.tell(task, pages=5).progress.pages == 5
    assert yours.take("you.1", "you.") is None
    again = mine.take("me.2", "me.")  # as one that was never told that it has the task
    assert again is not None
    assert (again.before, again.progress.starts) == ("me.1", 2)
    with pytest.raises(TaskLostError):
        mine.tell(task, pages=6)
