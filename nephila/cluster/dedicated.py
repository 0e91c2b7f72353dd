"""The dedicated kind of shift: takes tasks, one after the other, and runs a `Worker` on the frontier of each.

The tasks of a job are its seeds at first. Where a seed proves to be a forum, each of its boards becomes a task of its
own as it is found, with its own queue and login session; the task of the seed keeps the rest. What is learned of the
site, and which posts are known, is shared by all of them.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import TypeVar
from urllib.parse import urlsplit

import orjson
from kazoo.client import KazooClient
from kazoo.exceptions import KazooException

from nephila.cluster.place import JobStores
from nephila.cluster.registry import Submission
from nephila.cluster.shift import WORKERS, Ending, Life, Shift
from nephila.cluster.taskfrontier import Part, TaskFrontier
from nephila.cluster.tasks import PROGRESS_SECONDS, SPACE, Progress, Task, TaskLostError, Tasks, board_name
from nephila.cluster.taskstores import Messenger, TaskStores
from nephila.errors import NephilaError, StateError
from nephila.fetch.discovery import seed_entries
from nephila.frontier.base import Entry
from nephila.job import Job
from nephila.memory import Memory
from nephila.telemetry.gathered import Gathered
from nephila.urls import host_key

T = TypeVar("T")

logger = logging.getLogger(__name__)

_IDLE_SECONDS = 0.25


class DedicatedShift(Shift):
    """Each task belongs to one worker at a time."""

    def __init__(
        self,
        submission: Submission,
        stores: JobStores,
        life: Life,
        number: int,
        figures: Gathered,
        client: KazooClient,
        root: str,
    ) -> None:
        super().__init__(submission, stores, life, number, figures)
        self._tasks = Tasks(client, root, submission.id)
        self._taken = 0
        self._unsure = True
        """Whether a task may be ours without our knowing: an answer was lost on its way."""

    async def run(self) -> Ending:
        await asyncio.to_thread(self._tasks.prepare, self.job.seeds)
        while not self._ending:
            try:
                ending = await self._turn()
            except KazooException as error:
                logger.warning("holding on, ZooKeeper cannot be asked for a task: %s", type(error).__name__)
                ending, self._unsure = None, True
            if ending is not None:
                return ending
        return Ending.LEFT

    async def _turn(self) -> Ending | None:
        """Does a task, or waits a moment for one; an ending where this shift comes to it."""
        name = f"{self._name}.{self._taken}"
        if self.life.fence():
            family = f"{self.life.name}." if self._unsure else None
            task = await asyncio.to_thread(self._tasks.take, name, family)
            self._unsure = False
            if task is not None:
                self._taken += 1
                return Ending.FAILED if await self._do(task, name) is Ending.FAILED else None
            if await asyncio.to_thread(self._tasks.all_done):
                return Ending.DONE
        await asyncio.sleep(_IDLE_SECONDS)
        return None

    async def _do(self, task: Task, name: str) -> Ending:
        work = _Work(task, self._tasks, self.job, self._stores, self)
        logger.info("working on %s, %d pages of it are done", task.progress.url, task.progress.pages)
        telling = None
        try:
            await work.begin()
            telling = asyncio.create_task(self._tell_forever(work))
            ending = await self._work(work.job, work.stores, name)
            await _stop(telling)
            await work.end(done=ending is Ending.DONE)
        except TaskLostError:
            logger.warning("the task %s is another worker's by now", task.progress.url)
            return Ending.LEFT
        except KazooException as error:
            logger.warning("the end of the task %s could not be told: %s", task.progress.url, type(error).__name__)
            self._unsure = True
            return Ending.LEFT
        else:
            return ending
        finally:
            await _stop(telling)
            await work.close()

    def is_board(self, entry: Entry) -> bool:
        """Whether the forum has boards at such addresses: of a list without a number there is but one."""
        model = self._worker.guide.models.get(entry.host) if self._worker is not None else None
        known = None if model is None else model.patterns.get(model.address(entry.url).pattern)
        return known is not None and known.id_slot is not None

    async def share_what_was_learned(self) -> None:
        if self._worker is not None:
            await self._worker.guide.share()

    async def _tell_forever(self, work: _Work) -> None:
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            try:
                await work.tell()
            except TaskLostError:
                self.abandon()
                raise
            except (KazooException, NephilaError, OSError) as error:
                logger.warning("the progress could not be told, trying again: %s", str(error) or type(error).__name__)


async def _stop(telling: asyncio.Task[None] | None) -> None:
    if telling is not None:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


class _Work:
    """One task in the hands of one worker."""

    def __init__(self, task: Task, tasks: Tasks, job: Job, stores: JobStores, shift: DedicatedShift) -> None:
        seed = task.progress.seed
        self.job = job.model_copy(update={"seeds": (seed,)})
        host = host_key(seed) if urlsplit(seed).scheme else seed
        self.stores = TaskStores(stores, Part(task.name, task.progress.board, host, shift.is_board, self._hand_over))
        self._task, self._tasks, self._shift = task, tasks, shift
        self._frontier: TaskFrontier = self.stores.open_frontier(self.job)
        self._memory: Memory = self.stores.open_memory()
        self._messenger = Messenger(stores, self.job)

    async def begin(self) -> None:
        """Takes over from whoever had the task before."""
        before, progress = self._task.before, self._task.progress
        if before is not None:
            await self._frontier.release(before, dead=True)
            await self._memory.update(WORKERS, before, lambda _: None)
        if progress.board is None:
            await self._frontier.add(seed_entries([progress.seed]))
        await self._note(progress)

    async def end(self, *, done: bool) -> None:
        """Ends the task where nothing is left of it, and gives it back in any case."""
        if done:
            mark = await asyncio.to_thread(self._tasks.mark, self._task)
            if await self._frontier.drained() and await self._told(lambda **facts: self._finish(mark, **facts)):
                await self._note(self._task.progress, done=True)
                return
        await self.tell()
        await asyncio.to_thread(self._tasks.give_back, self._task)

    def _finish(self, mark: int | None, **facts: object) -> bool:
        return self._tasks.finish(self._task, mark, **facts)

    async def tell(self) -> None:
        self._task = await self._told(lambda **facts: self._tasks.tell(self._task, **facts))
        await self._note(self._task.progress)

    async def _told(self, how: Callable[..., T]) -> T:
        stats = await self._frontier.stats()
        return await asyncio.to_thread(how, pages=stats.done, queued=stats.queued, at=time.time())

    async def _note(self, progress: Progress, **facts: object) -> None:
        await self._memory.put(SPACE, self._task.name, orjson.dumps({**asdict(progress), **facts}))

    async def _hand_over(self, board: str, pages: list[Entry]) -> None:
        """The pages first: a task without work would be over before they come."""
        name = board_name(board)
        await self._shift.share_what_was_learned()  # its worker must not have to learn the forum anew
        await self._messenger.carry(name, pages)
        progress = Progress(pages[0].url, self._task.progress.seed, board)
        try:
            new = await asyncio.to_thread(self._tasks.hand_over, name, progress)
        except KazooException as error:
            raise StateError(f"ZooKeeper cannot be told of a board: {type(error).__name__}") from None
        if new:
            logger.info("the board %s is a task of its own", pages[0].url)

    async def close(self) -> None:
        await self._frontier.close()
        await self._memory.close()
        await self._messenger.close()
