"""What was decided for each template group of a site, in the site memory: shared by workers, kept between crawls."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Literal

import orjson

from nephila.memory import Memory

SPACE = "render"
Way = Literal["plain", "browser", "data"]
_LONGEST_KEY = 300
_KEPT = 20_000
_FRESH = 60.0
"""Seconds for which a verdict is believed without asking the memory what other workers have found."""
_OLD = 14 * 86400.0
"""After this a site may have been rebuilt."""


@dataclass(slots=True)
class Verdict:
    way: Way | None = None
    """None: not decided yet."""
    samples: int = 0
    """Looks in a row that agreed."""
    leaning: Way | None = None
    paths: tuple[str, ...] = ()
    """Where the page's data holds its text (`embedded`), for the way `data`."""
    checked_at: float = 0.0
    seen: int = 0
    """Pages since the last look; of this worker."""

    @property
    def old(self) -> bool:
        return time.time() - self.checked_at > _OLD

    def saw(self, way: Way, *, enough: bool, paths: tuple[str, ...] = ()) -> None:
        """One more look; decided by two that agree, or by one where that is `enough`."""
        self.samples = self.samples + 1 if self.leaning == way else 1
        self.leaning = way
        self.seen = 0
        self.checked_at = time.time()
        if enough or self.samples >= 2 or self.way == way:
            self.way, self.paths = way, paths
        elif self.way is not None and self.way != way:
            # A site that was rebuilt: the next page is looked at as well before the verdict changes.
            self.seen = 1_000_000


class Verdicts:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._kept: dict[str, tuple[float, Verdict]] = {}

    async def of(self, group: str) -> Verdict:
        now = time.monotonic()
        kept = self._kept.get(group)
        # What is not decided yet may be by now: each worker's own looks would be as many times too many.
        if kept is not None and kept[1].way is not None and now - kept[0] < _FRESH:
            return kept[1]
        verdict = kept[1] if kept is not None else Verdict()
        if kept is None and len(self._kept) >= _KEPT:
            self._kept.pop(next(iter(self._kept)))
        # Before anything is waited for: pages that come meanwhile share it, and what the first of them shows.
        self._kept[group] = (now, verdict)
        await self.refresh(group, verdict)
        return verdict

    async def refresh(self, group: str, verdict: Verdict) -> None:
        """Takes over what other workers have seen since."""
        stored = await self._memory.get(SPACE, group[:_LONGEST_KEY])
        if stored is not None:
            data = orjson.loads(stored)
            if data["checked_at"] > verdict.checked_at:
                verdict.way, verdict.samples, verdict.leaning = data["way"], data["samples"], data["leaning"]
                verdict.paths, verdict.checked_at = tuple(data["paths"]), data["checked_at"]

    async def keep(self, group: str, verdict: Verdict) -> None:
        await self._memory.put(SPACE, group[:_LONGEST_KEY], orjson.dumps(asdict(verdict)))
