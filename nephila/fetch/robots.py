"""The robots.txt of every origin met, asked for once by all workers together and kept between crawls.

Knows a memory and something that fetches a URL; the file itself is read by `robots_rules`, and who waits how long, and
what becomes of a refused URL, is decided elsewhere.

A file is good for a day. While the server fails, the last good copy stays in force, however old (RFC 9309, 2.4);
without one everything is disallowed, and asked again after a pause that grows; after 30 days of that, the server is
taken to have no file (2.3.1.4).
"""

from __future__ import annotations

import asyncio
import math
import time
import uuid
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import orjson

from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.robots_kept import DAY, KeptRobots
from nephila.fetch.robots_rules import Robots, is_unreachable
from nephila.memory.base import Memory

__all__ = ["Robots", "RobotsAnswer", "RobotsCache", "origin_of"]

SPACE = "robots"
BUSY_SPACE = "robots.busy"
"""Who is asking an origin at this moment; a mark outlives its worker by `patience` at most."""


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """What came of asking for a robots.txt, redirects followed."""

    status: int
    """Of the last answer; 0 when there was none."""
    body: bytes = b""
    max_age: float | None = None
    """Seconds from Cache-Control, if the server set them; a day is the most that is believed."""
    reason: str = ""
    """Why there was none: a `Cause`, where it has a name."""

    @classmethod
    def unreachable(cls, reason: str) -> RobotsAnswer:
        return cls(status=0, reason=reason)


class RobotsCache:
    def __init__(
        self,
        memory: Memory,
        fetch: Callable[[str], Awaitable[RobotsAnswer]],
        *,
        ttl: float = DAY,
        patience: float = 60.0,
        first_pause: float = 30.0,
        parsed_bytes: int = 16 * 2**20,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`patience` bounds one fetch in seconds; `parsed_bytes`, the size of the files kept parsed in this process."""
        self._memory = memory
        self._fetch = fetch
        self._ttl = ttl
        self._patience = patience
        self._first_pause = first_pause
        self._clock = clock
        self._parsed = _ParsedFiles(parsed_bytes)
        self._under_way: dict[str, asyncio.Task[Robots]] = {}

    async def for_url(self, url: str) -> Robots:
        """The rules in force for this URL's origin; waits for the file to be fetched if need be."""
        origin = origin_of(url)
        robots = self._parsed.get(origin, self._clock())
        if robots is not None:
            return robots
        task = self._under_way.get(origin)
        if task is None:
            task = asyncio.create_task(self._load(origin))
            self._under_way[origin] = task
            task.add_done_callback(lambda _: self._under_way.pop(origin, None))
        # Shielded: one caller that gives up must not take the file from the others that wait for it.
        return await asyncio.shield(task)

    async def _load(self, origin: str) -> Robots:
        kept = await self._kept(origin)
        if kept is None or kept.expires_at <= self._clock():
            kept = await self._refreshed(origin, kept)
        robots = kept.read(f"{origin}/robots.txt", self._clock())
        self._parsed.put(origin, robots, kept)
        return robots

    async def _kept(self, origin: str) -> KeptRobots | None:
        raw = await self._memory.get(SPACE, origin)
        return None if raw is None else KeptRobots.loads(raw)

    async def _refreshed(self, origin: str, old: KeptRobots | None) -> KeptRobots:
        """Asks the server, unless another worker is doing so: then its result is awaited."""
        me = uuid.uuid4().hex
        pause = 0.05
        while not await self._claimed(origin, me):
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 1.0)
            new = await self._kept(origin)
            if new is not None and new.expires_at > self._clock():
                return new
        try:
            # Between our look and our claim another worker may have come and gone.
            new = await self._kept(origin)
            if new is not None and new.expires_at > self._clock():
                return new
            answer = await self._ask(f"{origin}/robots.txt")
            kept = self._judged(answer, old)
            await self._memory.put(SPACE, origin, kept.dumps(), ttl=kept.keep_for(self._clock()))
            return kept
        finally:
            await self._memory.update(BUSY_SPACE, origin, lambda mark: None if _owner(mark) == me else mark)

    async def _claimed(self, origin: str, me: str) -> bool:
        now = self._clock()
        mine = orjson.dumps({"by": me, "until": now + self._patience * 1.5})
        held = await self._memory.update(BUSY_SPACE, origin, lambda mark: mark if _alive(mark, now) else mine)
        return _owner(held) == me

    async def _ask(self, url: str) -> RobotsAnswer:
        try:
            async with asyncio.timeout(self._patience):
                return await self._fetch(url)
        except Exception as error:
            if isinstance(error, FetchError) and error.cause is Cause.LEASE_LOST:
                raise
            # Whatever went wrong, we know no rules: that is RFC 9309's "unreachable", and nothing is fetched.
            named = isinstance(error, TimeoutError)
            return RobotsAnswer.unreachable(Cause.TIMEOUT if named else f"{type(error).__name__}: {error}")

    def _judged(self, answer: RobotsAnswer, old: KeptRobots | None) -> KeptRobots:
        now = self._clock()
        if is_unreachable(answer.status):
            why = answer.reason or f"HTTP {answer.status}"
            return (old or KeptRobots.never_reached(now)).failed_again(now, self._first_pause, why)
        ttl = self._ttl if answer.max_age is None else min(max(answer.max_age, 300.0), self._ttl)
        return KeptRobots(status=answer.status, body=answer.body, fetched_at=now, expires_at=now + ttl)


class _ParsedFiles:
    """The files read last, within a bound on their bytes: a parsed one takes some twenty times its size."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._files: OrderedDict[str, tuple[Robots, float, int]] = OrderedDict()

    def get(self, origin: str, now: float) -> Robots | None:
        held = self._files.get(origin)
        if held is None or held[1] <= now:
            return None
        self._files.move_to_end(origin)
        return held[0]

    def put(self, origin: str, robots: Robots, kept: KeptRobots) -> None:
        self._drop(origin)
        size = len(kept.body) + 512
        self._files[origin] = (robots, kept.expires_at, size)
        self._room -= size
        while self._room < 0 and len(self._files) > 1:
            self._drop(next(iter(self._files)))

    def _drop(self, origin: str) -> None:
        held = self._files.pop(origin, None)
        if held is not None:
            self._room += held[2]


def origin_of(url: str) -> str:
    """`scheme://host[:port]`, lower-case, without the default port: what one robots.txt speaks for."""
    end = url.find("/", len("https://"))
    return _origin(url if end < 0 else url[:end])


@lru_cache(maxsize=4096)
def _origin(url: str) -> str:
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        host = f"[{host}]"
    try:
        port = parts.port
    except ValueError:
        port = None
    return (
        f"{scheme}://{host}" if port in (None, {"http": 80, "https": 443}.get(scheme)) else f"{scheme}://{host}:{port}"
    )


def _mark(raw: bytes | None) -> dict[str, object]:
    try:
        mark = orjson.loads(raw or b"{}")
    except ValueError:
        return {}
    return mark if isinstance(mark, dict) else {}


def _owner(raw: bytes | None) -> object:
    return _mark(raw).get("by")


def _alive(raw: bytes | None, now: float) -> bool:
    until = _mark(raw).get("until")
    return isinstance(until, int | float) and math.isfinite(until) and until > now
