"""The memory of one dedicated task: the job's, but for the login session, which is the task's own. Knows memories."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nephila.fetch.login import SPACE as SESSION
from nephila.memory import Memory


class TaskMemory:
    def __init__(self, job: Memory, own: Memory) -> None:
        self._job, self._own = job, own

    def _of(self, space: str) -> Memory:
        return self._own if space == SESSION else self._job

    async def get(self, space: str, key: str) -> bytes | None:
        return await self._of(space).get(space, key)

    async def put(self, space: str, key: str, value: bytes, ttl: float | None = None) -> None:
        await self._of(space).put(space, key, value, ttl)

    async def update(self, space: str, key: str, change: Callable[[bytes | None], bytes | None]) -> bytes | None:
        return await self._of(space).update(space, key, change)

    async def items(self, space: str, prefix: str = "") -> Sequence[tuple[str, bytes]]:
        return await self._of(space).items(space, prefix)

    async def close(self) -> None:
        await self._job.close()
        await self._own.close()
