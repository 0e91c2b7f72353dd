"""Blame: the pages that a worker was reading when it died, so that one that kills its workers is given up at last.

A worker that somebody watches notes the page that it is about to read (two microseconds, in a file that outlives it)
and strikes it out when it has read it. Whoever finds the worker dead counts a death for each page that still stands
there; the others that it held only go back to the queue. Several may stand there, since a worker can wait in the midst
of a page: so those that have a death to their name are read alone, with no other page under way, and acquitted when
that goes well. A worker that is killed from outside leaves a page there as well, but hardly ever the same one three
times.

In a cluster a machine may die as a whole, and whoever takes over what its worker held cannot read its files. There all
that was taken from the dead is suspect (the lease says so), and each suspect is read alone: its death is counted in the
shared memory *before* it is read, and struck out by the worker that outlives it. Other pages are not noted, and cost
nothing. Knows the memory that the workers share; nothing of how pages are fetched.
"""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from nephila.memory import Memory

MOST_DEATHS = 3
_SPACE = "deaths"
_PLACES = 16
"""Pages noted at once, the newest of those under way."""
_NOTE = struct.Struct(f"<{_PLACES}q")


class Note:
    """What a worker is reading, by fingerprint, in the file `path` (None: it is not noted)."""

    def __init__(self, path: Path | None = None) -> None:
        self._under_way: list[int] = []
        self._nothing = asyncio.Event()
        self._nothing.set()
        self._turn = asyncio.Lock()
        """Held while a page is read alone."""
        self._file = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    @property
    def kept(self) -> bool:
        """Whether somebody reads it when the worker is dead."""
        return self._file is not None

    @asynccontextmanager
    async def reading(self, fingerprint: int, *, alone: bool = False) -> AsyncIterator[None]:
        """`alone`: when all others have been read, and before any other is begun."""
        if not alone:
            while self._turn.locked():
                async with self._turn:
                    pass
            with self._noted(fingerprint):
                yield
            return
        async with self._turn:
            await self._nothing.wait()
            with self._noted(fingerprint):
                yield

    @contextmanager
    def _noted(self, fingerprint: int) -> Iterator[None]:
        self._under_way.append(fingerprint)
        self._nothing.clear()
        self._write()
        try:
            yield
        finally:
            self._under_way.remove(fingerprint)
            if not self._under_way:
                self._nothing.set()
            self._write()

    def _write(self) -> None:
        if self._file is not None:
            noted = self._under_way[-_PLACES:]
            os.pwrite(self._file, _NOTE.pack(*noted, *[0] * (_PLACES - len(noted))), 0)


def left_behind(path: Path) -> list[int]:
    """The pages that a dead worker had not read to their end; told once."""
    try:
        raw = path.read_bytes()
        path.unlink()
    except OSError:
        return []
    return [fingerprint for fingerprint in _NOTE.unpack(raw) if fingerprint] if len(raw) == _NOTE.size else []


async def count_deaths(memory: Memory, fingerprints: list[int]) -> None:
    for fingerprint in fingerprints:
        await memory.update(_SPACE, str(fingerprint), lambda deaths: str(int(deaths or b"0") + 1).encode())


class Deaths:
    """What a worker knows of the deaths that pages have to their names, by fingerprint."""

    def __init__(self, memory: Memory, *, watched: bool = True) -> None:
        """`watched`: somebody reads this worker's note when it is dead, and counts."""
        self._memory, self._watched = memory, watched
        self._counted: dict[int, int] = {}

    def suspects(self, fingerprint: int) -> bool:
        return fingerprint in self._counted

    def condemns(self, fingerprint: int) -> bool:
        """Whether the page is not to be read any more."""
        return self._counted.get(fingerprint, 0) >= MOST_DEATHS

    async def learn(self) -> None:
        """What was counted by others meanwhile."""
        self._counted = {int(page): int(deaths) for page, deaths in await self._memory.items(_SPACE)}

    @asynccontextmanager
    async def at_risk(self, fingerprint: int) -> AsyncIterator[None]:
        """While a suspect is read; it is acquitted when the worker outlives that, however it ends."""
        if not self._watched:
            # The death that made it a suspect was not counted: nobody knew of which page.
            await self._memory.update(_SPACE, str(fingerprint), lambda deaths: str(int(deaths or b"1") + 1).encode())
        try:
            yield
        finally:
            await self.forget(fingerprint)

    async def forget(self, fingerprint: int) -> None:
        """It was read after all, or given up: whoever replays it then gives it another chance."""
        self._counted.pop(fingerprint, None)
        await self._memory.update(_SPACE, str(fingerprint), lambda _: None)
