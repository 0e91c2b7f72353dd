"""Dedicated tasks: each belongs to one worker, which tells its progress; another goes on from there when it dies.

A task is one seed of a job, such as a board of a forum. Its node holds its progress; who works on it holds two
ephemeral nodes, the task itself and its host (two tasks of one host never run at once: politeness is kept within a
task, and would be broken between them). Both are taken in one transaction and vanish together with their worker's
session. Knows ZooKeeper, nothing of crawling.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import orjson
from kazoo.client import KazooClient
from kazoo.exceptions import BadVersionError, NodeExistsError, NoNodeError

PROGRESS_SECONDS = 10.0
"""As in the published system: so much of a worker's account, and no more, is lost with it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a task's node says of it. The frontier knows which URLs are done; this is for people and for the next."""

    seed: str
    done: bool = False
    pages: int = 0
    queued: int = 0
    worker: str | None = None
    """Who works on it, or did last."""
    starts: int = 0
    """Workers that have taken it, one after the other."""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Task:
    number: int
    host: str
    progress: Progress
    version: int
    """Of the node: a worker that has lost the task cannot write over its successor."""
    before: str | None = None
    """Who had it before us; gone, or we could not have it."""


class TaskLostError(Exception):
    """Another worker has the task by now."""


class Tasks:
    def __init__(self, client: KazooClient, root: str, job: str) -> None:
        self._client = client
        self._root = f"{root}/jobs/{job}"

    def prepare(self, seeds: Sequence[str]) -> None:
        """Makes the nodes that are not there yet; every worker may do so."""
        for node in ("owners", "hosts"):
            self._client.ensure_path(f"{self._root}/{node}")
        for number, seed in enumerate(seeds):
            try:
                self._client.create(self._node(number), _dump(Progress(seed)), makepath=True)
            except NodeExistsError:
                continue

    def take(self, hosts: Sequence[str], worker: str) -> Task | None:
        """A task that nobody has and whose host nobody asks; `hosts` are those of the tasks, by number."""
        owned = set(self._client.get_children(f"{self._root}/owners"))
        for number, host in enumerate(hosts):
            if str(number) in owned:
                continue
            before, stat = self._read(number)
            if before.done or not self._seize(number, host, worker):
                continue
            before, stat = self._read(number)  # as its last owner left it
            if before.done:
                self._let_go(number, host)
                continue
            task = Task(number, host, before, stat, before.worker)
            return self.tell(task, worker=worker, starts=before.starts + 1)
        return None

    def tell(self, task: Task, **facts: object) -> Task:
        """Writes the progress; raises TaskLostError when another has written since."""
        progress = replace(task.progress, **facts)  # type: ignore[arg-type]
        try:
            stat = self._client.set(self._node(task.number), _dump(progress), version=task.version)
        except (BadVersionError, NoNodeError):
            raise TaskLostError(task.progress.seed) from None
        return replace(task, progress=progress, version=stat.version)

    def finish(self, task: Task, **facts: object) -> None:
        self.tell(task, done=True, **facts)
        self.give_back(task)

    def give_back(self, task: Task) -> None:
        self._let_go(task.number, task.host)

    def all(self) -> list[Progress]:
        """Every task's progress, in the order of the seeds; empty when none was ever prepared."""
        try:
            numbers = sorted(int(name) for name in self._client.get_children(f"{self._root}/tasks"))
        except NoNodeError:
            return []
        return [self._read(number)[0] for number in numbers]

    def remove(self) -> None:
        """Forgets the job."""
        self._client.delete(self._root, recursive=True)

    def _seize(self, number: int, host: str, worker: str) -> bool:
        transaction = self._client.transaction()
        transaction.create(self._owner(number), worker.encode(), ephemeral=True)
        transaction.create(self._host(host), worker.encode(), ephemeral=True)
        return not any(isinstance(result, Exception) for result in transaction.commit())

    def _let_go(self, number: int, host: str) -> None:
        transaction = self._client.transaction()
        transaction.delete(self._host(host))
        transaction.delete(self._owner(number))
        transaction.commit()

    def _read(self, number: int) -> tuple[Progress, int]:
        data, stat = self._client.get(self._node(number))
        return Progress(**orjson.loads(data)), stat.version

    def _node(self, number: int) -> str:
        return f"{self._root}/tasks/{number:06d}"

    def _owner(self, number: int) -> str:
        return f"{self._root}/owners/{number}"

    def _host(self, host: str) -> str:
        return f"{self._root}/hosts/{hashlib.sha256(host.encode()).hexdigest()[:32]}"


def _dump(progress: Progress) -> bytes:
    return orjson.dumps(asdict(progress))
