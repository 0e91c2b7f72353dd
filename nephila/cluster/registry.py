"""The registry: which jobs the cluster has, in which state, in which version. Kept in a `Memory` that all can reach.

A job's entry is one fact, changed in one atomic step. A change of the job (its limits, its politeness) raises its
revision; workers that serve an older one take up the new. Knows jobs and memories, nothing of frontiers.
"""

from __future__ import annotations

import re
import time
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

import orjson

from nephila.crawling.state import default_state
from nephila.errors import ConfigError, InputError
from nephila.job import Job
from nephila.memory import Memory

JobState = Literal["running", "paused", "done", "cancelled"]
STATES: tuple[str, ...] = get_args(JobState)
SPACE = "jobs"


@dataclass(frozen=True, slots=True)
class Submission:
    id: str
    job: dict[str, Any]
    state: JobState = "running"
    revision: int = 1
    submitted: float = 0.0
    changed: float = 0.0
    note: str | None = None
    """Why it is in this state, where that is not plain."""

    def read(self) -> Job:
        return Job.from_dict(self.job, f"job {self.id}")


class Registry:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def submit(self, job: Job, name: str | None = None) -> Submission:
        """A new job, or the new version of a known one; it runs, whatever its state was."""
        identity = job_id(job, name)
        data = job.model_dump(mode="json")
        now = time.time()

        def change(raw: bytes | None) -> bytes:
            known = _load(raw) if raw else None
            if known is None:
                return _dump(Submission(identity, data, submitted=now, changed=now))
            revision = known.revision + 1
            return _dump(replace(known, job=data, state="running", revision=revision, changed=now, note=None))

        written = await self._memory.update(SPACE, identity, change)
        return _load(written or b"")

    async def all(self) -> list[Submission]:
        return [_load(value) for _, value in await self._memory.items(SPACE)]

    async def running(self) -> dict[str, Submission]:
        return {each.id: each for each in await self.all() if each.state == "running"}

    async def get(self, identity: str) -> Submission:
        raw = await self._memory.get(SPACE, identity)
        if raw is None:
            known = ", ".join(key for key, _ in await self._memory.items(SPACE)) or "none"
            raise InputError(f"there is no job {identity!r}; known: {known}")
        return _load(raw)

    async def move(
        self,
        identity: str,
        state: JobState,
        *,
        among: tuple[JobState, ...],
        revision: int | None = None,
        note: str = "",
    ) -> Submission:
        """To `state` where it is in one of `among` (and of this revision); otherwise as it was. Returns what it is."""
        await self.get(identity)

        def change(raw: bytes | None) -> bytes | None:
            if raw is None:
                return None
            known = _load(raw)
            if known.state not in among or (revision is not None and known.revision != revision):
                return raw
            return _dump(replace(known, state=state, changed=time.time(), note=note or None))

        written = await self._memory.update(SPACE, identity, change)
        if written is None:
            raise InputError(f"there is no job {identity!r} any more")
        return _load(written)

    async def remove(self, identity: str) -> None:
        await self._memory.update(SPACE, identity, lambda _: None)


def job_id(job: Job, name: str | None = None) -> str:
    """Names keys, nodes and directories: letters, digits, dots and dashes."""
    given = name or job.name or default_state(job).name
    identity = re.sub(r"[^A-Za-z0-9.-]+", "-", given).strip("-.")[:100]
    if not identity:
        raise ConfigError(f"{given!r} cannot name a job: use letters, digits, dots and dashes")
    return identity


def _dump(submission: Submission) -> bytes:
    return orjson.dumps(asdict(submission))


def _load(raw: bytes) -> Submission:
    data = orjson.loads(raw)
    return Submission(**{name: data[name] for name in Submission.__slots__ if name in data})
