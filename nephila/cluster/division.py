"""The division of a dedicated job among its tasks, on Redis: whose a URL is, and whose turn it is to ask a host.

Each task has a frontier of its own, so two things that one frontier would see to are seen to here: that no URL is
fetched for two tasks (it belongs to the one that named it first), and that a host is left its delay between the
requests of all of them (a turn is the right to one request; it is lost when it is not renewed). Knows scripts and keys,
nothing of ZooKeeper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nephila.frontier.base import HostRule
from nephila.redis import Server, key_prefix, load_script


@dataclass(frozen=True, slots=True)
class Turns:
    names: tuple[str, ...]
    wait: float | None
    """Seconds till it is worth asking again; None: when somebody has ended."""


class Division:
    def __init__(self, url: str, job: str, host: str) -> None:
        """`host`: the one whose turns are shared, or the chief of several."""
        self._key = key_prefix(job) + b"owner"
        self._host = host
        self._server = Server(url)

    async def owners(self, task: str, fingerprints: Sequence[int]) -> list[str]:
        """Whose each of these is from now on."""
        if not fingerprints:
            return []
        packed = b"".join(value.to_bytes(8, "big", signed=True) for value in fingerprints)
        found: list[bytes] = await self._server.run(load_script(__package__, "owners"), self._key, b"", task, packed)
        return [owner.decode() for owner in found]

    async def take(self, worker: str, wanted: int, rule: HostRule, seconds: float) -> Turns:
        wait, *names = await self._turn("take", worker, wanted, rule.delay, rule.parallel, seconds)
        return Turns(tuple(name.decode() for name in names), float(wait) if wait else None)

    async def end(self, names: Sequence[str], *, asked: bool = True) -> None:
        if names:
            await self._turn("end", int(asked), *names)

    async def renew(self, names: Sequence[str], seconds: float) -> None:
        if names:
            await self._turn("renew", seconds, *names)

    async def inherit(self, worker: str) -> None:
        """The worker is gone: its turns have ended."""
        await self._turn("inherit", worker)

    async def slow_down(self, name: str, delay: float | None, wait: float | None) -> None:
        await self._turn("slow", name, b"" if delay is None else delay, b"" if wait is None else wait)

    async def close(self) -> None:
        await self._server.close()

    async def _turn(self, name: str, *arguments: bytes | float | str) -> list[bytes]:
        script = load_script(__package__, f"turn_{name}")
        answer: list[bytes] = await self._server.run(script, self._key, b"", self._host, *arguments)
        return answer
