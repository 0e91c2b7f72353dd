"""Dedicated tasks: each belongs to one worker, which tells its progress; another goes on from there when it dies.

A task is one seed of a job, or a board of a forum that the task of a seed has found. Three nodes tell of it: `tasks/X`
holds its progress, `owners/X` is there while a worker has it (ephemeral: it vanishes with its worker's session), and
`open/X` while there is something left to do. A job is done when nothing is open. Whoever hands a task more work writes
to `open/X` after the work is in its frontier, and whoever ends a task removes the version of `open/X` that it had read
before it looked whether the frontier is drained: so no work that was handed over is left behind. Knows ZooKeeper,
nothing of crawling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import orjson
from kazoo.client import KazooClient
from kazoo.exceptions import BadVersionError, NodeExistsError, NoNodeError
from xxhash import xxh3_64_hexdigest

SPACE = "tasks"
"""Of a job's memory: the progress as well, for those who ask about the job and have no ZooKeeper."""
PROGRESS_SECONDS = 10.0
"""As in the published system: so much of a worker's account, and no more, is lost with it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a task's node says of it. The frontier knows which URLs are done; this is for people and for the next."""

    url: str
    """The seed, or the board's first page."""
    seed: str
    """The seed that led there."""
    board: str | None = None
    """The board's identity; None for the task of a seed, which has all that is on no board of its own."""
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
    name: str
    progress: Progress
    version: int
    """Of the node: a worker that has lost the task cannot write over its successor."""
    before: str | None = None
    """Who had it before us; gone, or we could not have it."""


class TaskLostError(Exception):
    """Another worker has the task by now."""


def seed_name(seed: str) -> str:
    return f"seed-{_digest(seed)}"


def board_name(board: str) -> str:
    return f"board-{_digest(board)}"


def _digest(text: str) -> str:
    return xxh3_64_hexdigest(text.encode("utf-8", "surrogatepass"))


class Tasks:
    def __init__(self, client: KazooClient, root: str, job: str) -> None:
        self._client = client
        self._root = f"{root}/jobs/{job}"

    def prepare(self, seeds: Sequence[str]) -> None:
        """Makes the nodes of the seeds that are not there yet; every worker may do so."""
        for node in ("owners", "open", "tasks"):
            self._client.ensure_path(f"{self._root}/{node}")
        for seed in seeds:
            self._create(seed_name(seed), Progress(seed, seed))

    def hand_over(self, name: str, progress: Progress) -> bool:
        """Says that there is (more) work for a task; returns whether the task is new."""
        if self._create(name, progress):
            return True
        while True:
            try:
                self._client.set(self._path("open", name), b"")
            except NoNodeError:
                pass
            else:
                return False
            try:
                self._client.create(self._path("open", name))
            except NodeExistsError:
                continue
            return False

    def take(self, worker: str, family: str | None = None) -> Task | None:
        """A task that has work and that nobody has.

        `family`: how the names of one's own begin. A broken connection may have hidden that a task was taken, or was
        not let go; what is theirs is taken again.
        """
        owned = set(self._client.get_children(f"{self._root}/owners"))
        for name in sorted(self._client.get_children(f"{self._root}/open"), key=_order):
            if (name not in owned and self._seize(name, worker)) or (family and self._is_of(name, family)):
                before, version = self._read(name)  # as its last owner left it
                if self._client.exists(self._path("open", name)) is None:
                    self._let_go(name)
                    continue
                task = Task(name, before, version, before.worker)
                return self.tell(task, worker=worker, starts=before.starts + 1, done=False)
        return None

    def tell(self, task: Task, **facts: object) -> Task:
        """Writes the progress; raises TaskLostError when another has written since."""
        progress, version = replace(task.progress, **facts), task.version  # type: ignore[arg-type]
        while True:
            try:
                stat = self._client.set(self._path("tasks", task.name), _dump(progress), version=version)
            except (BadVersionError, NoNodeError):
                version = self._own_version(task, version)
            else:
                return replace(task, progress=progress, version=stat.version)

    def _own_version(self, task: Task, version: int) -> int:
        """Of the node, where the last to write was this same worker, whose connection broke before it was told so."""
        try:
            present, now = self._read(task.name)
        except NoNodeError:
            raise TaskLostError(task.progress.url) from None
        if now == version or present.worker != task.progress.worker:
            raise TaskLostError(task.progress.url)
        return now

    def mark(self, task: Task) -> int | None:
        """To be read before one looks whether the task's frontier is drained, and shown to `finish`."""
        stat = self._client.exists(self._path("open", task.name))
        return None if stat is None else int(stat.version)

    def finish(self, task: Task, mark: int | None, **facts: object) -> bool:
        """Ends the task, and lets it go; False: it has been handed more since the mark was read, and goes on."""
        if mark is None:
            raise TaskLostError(task.progress.url)
        transaction = self._client.transaction()
        task = self.tell(task, **facts)
        progress = replace(task.progress, done=True)
        transaction.set_data(self._path("tasks", task.name), _dump(progress), version=task.version)
        transaction.delete(self._path("open", task.name), version=mark)
        transaction.delete(self._path("owners", task.name))
        return not any(isinstance(result, Exception) for result in transaction.commit())

    def give_back(self, task: Task) -> None:
        self._let_go(task.name)

    def all_done(self) -> bool:
        """One look at one node: tasks cannot come and go between the parts of it."""
        path = f"{self._root}/open"
        self._client.sync(path)
        return not self._client.get_children(path)

    def all(self) -> dict[str, Progress]:
        """Every task's progress, those of the seeds first; empty when none was ever prepared."""
        try:
            names = sorted(self._client.get_children(f"{self._root}/tasks"), key=_order)
        except NoNodeError:
            return {}
        return {name: self._read(name)[0] for name in names}

    def remove(self) -> None:
        """Forgets the job."""
        self._client.delete(self._root, recursive=True)

    def _create(self, name: str, progress: Progress) -> bool:
        transaction = self._client.transaction()
        transaction.create(self._path("tasks", name), _dump(progress))
        transaction.create(self._path("open", name))
        return not any(isinstance(result, Exception) for result in transaction.commit())

    def _seize(self, name: str, worker: str) -> bool:
        try:
            self._client.create(self._path("owners", name), worker.encode(), ephemeral=True)
        except NodeExistsError:
            return False
        return True

    def _is_of(self, name: str, family: str) -> bool:
        try:
            return bool(self._client.get(self._path("owners", name))[0].startswith(family.encode()))
        except NoNodeError:
            return False

    def _let_go(self, name: str) -> None:
        try:
            self._client.delete(self._path("owners", name))
        except NoNodeError:
            return

    def _read(self, name: str) -> tuple[Progress, int]:
        data, stat = self._client.get(self._path("tasks", name))
        return Progress(**orjson.loads(data)), stat.version

    def _path(self, kind: str, name: str) -> str:
        return f"{self._root}/{kind}/{name}"


def _order(name: str) -> tuple[bool, str]:
    """Seeds first: they find the boards."""
    return not name.startswith("seed-"), name


def _dump(progress: Progress) -> bytes:
    return orjson.dumps(asdict(progress))
