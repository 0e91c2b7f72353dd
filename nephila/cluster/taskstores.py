"""The stores of one task of a dedicated job: its own frontier and login session; all else is the job's."""

from __future__ import annotations

from dataclasses import dataclass

from nephila.cluster.division import Division
from nephila.cluster.place import JobStores, open_memory
from nephila.cluster.taskfrontier import Part, TaskFrontier
from nephila.cluster.taskmemory import TaskMemory
from nephila.crawling.state import frontier_limits
from nephila.dedupe import Duplicates
from nephila.fetch.politeness import JobPoliteness
from nephila.frontier.base import Entry
from nephila.frontier.redis import RedisFrontier
from nephila.job import Job
from nephila.memory import Memory
from nephila.redis import key_prefix
from nephila.sinks import Sink


@dataclass(frozen=True, slots=True)
class TaskStores:
    stores: JobStores
    part: Part

    def open_frontier(self, job: Job) -> TaskFrontier:
        url, division = self.stores.place.redis, Division(self.stores.place.redis, self.stores.key, self.part.host)
        rules = JobPoliteness(job=job), frontier_limits(job)
        return TaskFrontier(url, _key(self.stores, self.part.task), *rules, part=self.part, division=division)

    def open_memory(self) -> Memory:
        own = open_memory(self.stores.place.redis, _key(self.stores, self.part.task))
        return TaskMemory(self.stores.open_memory(), own)

    def open_sinks(self, job: Job, worker: str) -> list[Sink]:
        return self.stores.open_sinks(job, worker)

    def open_aside(self, job: Job, worker: str) -> Sink | None:
        return self.stores.open_aside(job, worker)

    def open_duplicates(self, job: Job) -> Duplicates | None:
        return self.stores.open_duplicates(job)


class Messenger(RedisFrontier):
    """Carries entries to the frontiers of other tasks, over one connection."""

    def __init__(self, stores: JobStores, job: Job) -> None:
        super().__init__(stores.place.redis, stores.key, JobPoliteness(job=job), frontier_limits(job))
        self._stores = stores

    async def carry(self, task: str, entries: list[Entry]) -> None:
        self._prefix = key_prefix(_key(self._stores, task))
        await self.add(entries)


def _key(stores: JobStores, task: str) -> str:
    return f"{stores.key}/{task}"
