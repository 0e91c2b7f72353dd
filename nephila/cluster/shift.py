"""A shift: one worker's part in one job, from its first claim to its last ack. What kind of job it is, is decided here.

The shared kind runs one `Worker` on the job's frontier beside all the others'. The dedicated kind takes tasks, one
after the other, and runs a `Worker` on the frontier of each. A station starts shifts, gives them their share of its
requests in flight, and ends them; a shift never outlives the life (the name) under which it began.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar
from urllib.parse import urlsplit

import orjson
from kazoo.client import KazooClient
from kazoo.exceptions import KazooException

from nephila.cluster.place import JobStores
from nephila.cluster.registry import Submission
from nephila.cluster.tasks import PROGRESS_SECONDS, Task, TaskLostError, Tasks
from nephila.errors import NephilaError
from nephila.fetch.discovery import seed_entries
from nephila.frontier import Frontier
from nephila.job import Job
from nephila.orders import EXIT_DONE, EXIT_FATAL
from nephila.telemetry.gathered import Gathered
from nephila.urls import host_key
from nephila.worker import Worker

T = TypeVar("T")

logger = logging.getLogger(__name__)

WORKERS = "workers"
"""Space of a job's memory: who holds leases, under which membership. Written before the first claim."""
_IDLE_SECONDS = 1.0


class Ending(Enum):
    DONE = "nothing is left to do"
    LEFT = "told to stop"
    FAILED = "something failed: to be tried again"


@dataclass(frozen=True, slots=True)
class Life:
    """One membership of a station; its name is never used again."""

    name: str
    fence: Callable[[], bool]


class Shift(ABC):
    def __init__(self, submission: Submission, stores: JobStores, life: Life, number: int, figures: Gathered) -> None:
        self.submission, self.life = submission, life
        self.job = submission.read()
        self._stores = stores
        self._figures = figures
        self._name = f"{life.name}.{number}"
        self._worker: Worker | None = None
        self._share: int | None = None
        self._ending = False
        self._grace = 0.0
        self.error: str | None = None

    @abstractmethod
    async def run(self) -> Ending: ...

    @property
    def wanted(self) -> int:
        """Requests in flight that it could use now."""
        most = self.job.politeness.concurrency
        if self._worker is None:
            return 1
        keeper = self._worker.keeper
        return most if keeper.wants_more else min(most, keeper.under_way + 2)

    def resize(self, share: int) -> None:
        self._share = share
        if self._worker is not None:
            self._worker.keeper.resize(share, ahead=share >= self.job.politeness.concurrency)

    def drain(self, grace: float) -> None:
        """No more claims; what is under way may end within the grace time."""
        if not self._ending:
            self._ending, self._grace = True, grace
            if self._worker is not None:
                self._worker.drain(grace)

    def abandon(self) -> None:
        """The others take this worker for dead."""
        self._ending = True
        if self._worker is not None:
            self._worker.abandon()

    async def _work(self, job: Job, stores: JobStores, name: str) -> Ending:
        """Runs one worker to its end."""
        memory = stores.open_memory()
        try:
            facts = {"member": self.life.name, "host": socket.gethostname(), "pid": os.getpid(), "since": time.time()}
            await memory.put(WORKERS, name, orjson.dumps(facts))
            status = await self._run_worker(job, stores, name)
            await memory.update(WORKERS, name, lambda _: None)
        finally:
            await memory.close()
        if self._ending:
            return Ending.LEFT
        return Ending.DONE if status == EXIT_DONE else Ending.FAILED

    async def _run_worker(self, job: Job, stores: JobStores, name: str) -> int:
        self._worker = worker = Worker(job, stores, name, name, fence=self.life.fence)
        try:
            if self._share is not None:
                self.resize(self._share)
            if self._ending:
                worker.drain(self._grace)
            with self._figures.counting(worker.counters):
                status = await worker.run()
            if status == EXIT_FATAL:
                self.error = str(worker.segments.broken)
            return status
        finally:
            self._worker = None


class SharedShift(Shift):
    """Any worker takes any URL."""

    async def run(self) -> Ending:
        return await self._work(self.job, self._stores, self._name)


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
        self._hosts = [host_key(seed) if urlsplit(seed).scheme else seed for seed in self.job.seeds]

    async def run(self) -> Ending:
        await asyncio.to_thread(self._tasks.prepare, self.job.seeds)
        taken = 0
        while not self._ending:
            name = f"{self._name}.{taken}"
            task = await asyncio.to_thread(self._tasks.take, self._hosts, name) if self.life.fence() else None
            if task is not None:
                taken += 1
                await self._do(task, name)
            elif all(progress.done for progress in await asyncio.to_thread(self._tasks.all)):
                return Ending.DONE
            else:
                await asyncio.sleep(_IDLE_SECONDS)
        return Ending.LEFT

    async def _do(self, task: Task, name: str) -> None:
        seed = self.job.seeds[task.number]
        job, stores = self.job.model_copy(update={"seeds": (seed,)}), self._stores.task(task.number)
        frontier = stores.open_frontier(job)
        try:
            if task.before is not None:
                await frontier.release(task.before)
            await frontier.add(seed_entries([seed]))
            current = [task]
            telling = asyncio.create_task(self._tell_forever(current, frontier))
            try:
                ending = await self._work(job, stores, name)
            finally:
                telling.cancel()
                await asyncio.gather(telling, return_exceptions=True)
            if ending is Ending.DONE:
                await self._told(self._tasks.finish, current[0], frontier)
            else:
                await asyncio.to_thread(self._tasks.give_back, await self._told(self._tasks.tell, current[0], frontier))
        except TaskLostError:
            logger.warning("the task %s is another worker's by now", seed)
        except KazooException as error:
            logger.warning("the end of the task %s could not be told: %s", seed, type(error).__name__)
        finally:
            await frontier.close()

    async def _told(self, how: Callable[..., T], task: Task, frontier: Frontier) -> T:
        stats = await frontier.stats()
        return await asyncio.to_thread(how, task, pages=stats.done, queued=stats.queued, at=time.time())

    async def _tell_forever(self, current: list[Task], frontier: Frontier) -> None:
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            try:
                current[0] = await self._told(self._tasks.tell, current[0], frontier)
            except TaskLostError:
                self.abandon()
                raise
            except (KazooException, NephilaError, OSError) as error:
                logger.warning("the progress could not be told, trying again: %s", error)
