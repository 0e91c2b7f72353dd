"""A shift: one worker's part in one job, from its first claim to its last ack.

The shared kind, here, runs one `Worker` on the job's frontier beside all the others'; the dedicated kind is in
`nephila.cluster.dedicated`. A station starts shifts, gives them their share of its requests in flight, and ends them; a
shift never outlives the life (the name) under which it began.
"""

from __future__ import annotations

import os
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

import orjson

from nephila.cluster.place import JobStores
from nephila.cluster.registry import Submission
from nephila.crawling.blame import Note
from nephila.crawling.orders import EXIT_DONE, EXIT_FATAL, FATAL
from nephila.crawling.state import Stores
from nephila.crawling.worker import Worker
from nephila.job import Job
from nephila.telemetry.gathered import Gathered

WORKERS = "workers"
"""Space of a job's memory: who holds leases, under which membership. Written before the first claim."""


class Ending(Enum):
    DONE = "nothing is left to do"
    LEFT = "told to stop"
    FAILED = "something failed: to be tried again"


@dataclass(frozen=True, slots=True)
class Life:
    """One membership of a station; its name is never used again."""

    name: str
    fence: Callable[[], bool]
    note: Note = field(default_factory=Note)
    """One for all jobs: a suspect is read with no other page under way, of whichever job."""


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

    async def _work(self, job: Job, stores: Stores, name: str) -> Ending:
        """Runs one worker to its end."""
        memory = stores.open_memory()
        try:
            facts = {"member": self.life.name, "host": socket.gethostname(), "pid": os.getpid(), "since": time.time()}
            await memory.put(WORKERS, name, orjson.dumps(facts))
            status = await self._run_worker(job, stores, name)
            if status == EXIT_FATAL:
                self.error = (await memory.get(FATAL, name) or b"it cannot go on").decode()
            await memory.update(WORKERS, name, lambda _: None)
        finally:
            await memory.close()
        if self._ending:
            return Ending.LEFT
        return Ending.DONE if status == EXIT_DONE else Ending.FAILED

    async def _run_worker(self, job: Job, stores: Stores, name: str) -> int:
        self._worker = worker = Worker(job, stores, name, name, fence=self.life.fence, note=self.life.note)
        try:
            if self._share is not None:
                self.resize(self._share)
            if self._ending:
                worker.drain(self._grace)
            with self._figures.counting(worker.counters):
                return await worker.run()
        finally:
            self._worker = None


class SharedShift(Shift):
    """Any worker takes any URL."""

    async def run(self) -> Ending:
        return await self._work(self.job, self._stores, self._name)
