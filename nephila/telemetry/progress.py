"""Progress: one picture of a crawl from the snapshots of all its workers, living and dead.

    progress = Progress(max_pages=5000, since=time.time())
    progress.update(await collect(memory))
    progress.total(Metric.PAGES), progress.rate(), progress.time_left(), progress.errors()

Each run of each worker is one snapshot that only grows. Keeping the newest of every run and adding them up neither
loses the counts of a dead worker nor counts a restarted one twice, in whatever order and how often they are seen.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from nephila.telemetry.counters import Snapshot, Timing
from nephila.telemetry.names import Metric

WINDOW_SECONDS = 20.0
SILENT_SECONDS = 10.0
_ENDED = frozenset({"done", "failed"})


class FrontierFigures(Protocol):
    """What `frontier.stats()` gives; a shape, so that this room need not know the frontier."""

    @property
    def queued(self) -> int: ...
    @property
    def leased(self) -> int: ...
    @property
    def dead(self) -> int: ...
    @property
    def hosts(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ErrorCause:
    cause: str
    count: int
    example: str | None
    """A URL that met it."""


@dataclass(frozen=True, slots=True)
class WorkerView:
    """One worker, all its runs together."""

    worker: str
    state: str
    """What it says of itself, or `silent` when nothing came from it lately."""
    pages: int
    rate: float
    in_flight: int
    errors: int
    restarts: int
    silent_seconds: float


class Window:
    """Speed of a number that grows, over the last seconds."""

    def __init__(self, seconds: float = WINDOW_SECONDS) -> None:
        self._seconds = seconds
        self._points: deque[tuple[float, int]] = deque()

    def note(self, now: float, value: int) -> None:
        points = self._points
        if points and now <= points[-1][0]:
            return  # the clock was set back, or two looks in one instant
        points.append((now, value))
        while len(points) > 2 and points[1][0] <= now - self._seconds:
            points.popleft()

    def rate(self) -> float:
        if len(self._points) < 2:
            return 0.0
        (start, first), (end, last) = self._points[0], self._points[-1]
        return max(0.0, (last - first) / (end - start))


@dataclass(slots=True)
class _Run:
    snapshot: Snapshot
    seen: float
    """When it was last seen to move, by our own clock: clocks of other machines may be wrong."""


class Progress:
    """`since` leaves out runs that began before it: those of an earlier crawl on the same state."""

    def __init__(
        self,
        *,
        max_pages: int | None = None,
        since: float | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.max_pages = max_pages
        self.since = since
        self._clock = clock
        self.started = since if since is not None else clock()
        self._runs: dict[str, _Run] = {}
        self._frontier: dict[Metric, int] = {}
        self._pages = Window()
        self._bytes = Window()
        self._workers: dict[str, Window] = {}

    def update(self, snapshots: Iterable[Snapshot], frontier: FrontierFigures | None = None) -> None:
        """Takes what `collect` brought; call it about once a second, for the speeds."""
        now = self._clock()
        for snapshot in snapshots:
            if self.since is None or snapshot.started >= self.since:
                self._take(snapshot, now)
        if frontier is not None:
            self._frontier = {
                Metric.QUEUED: frontier.queued,
                Metric.LEASED: frontier.leased,
                Metric.DEAD: frontier.dead,
                Metric.HOSTS: frontier.hosts,
            }
        self._pages.note(now, self.total(Metric.PAGES))
        self._bytes.note(now, self.total(Metric.BYTES))
        for worker, runs in self._by_worker().items():
            pages = sum(run.snapshot.counts.get(Metric.PAGES, 0) for run in runs)
            self._workers.setdefault(worker, Window()).note(now, pages)

    def total(self, metric: Metric, label: str | None = None) -> int:
        """A counter over all workers; with a label, that share of it."""
        if label is not None:
            return self.labelled(metric).get(label, 0)
        return sum(run.snapshot.counts.get(metric, 0) for run in self._runs.values())

    def totals(self) -> dict[str, int]:
        """Every counter that was raised, by name."""
        sums: dict[str, int] = {}
        for run in self._runs.values():
            for name, value in run.snapshot.counts.items():
                sums[name] = sums.get(name, 0) + value
        return sums

    def labelled(self, metric: Metric) -> dict[str, int]:
        """The shares of a counter, the largest first."""
        shares: dict[str, int] = {}
        for run in self._runs.values():
            for label, value in run.snapshot.labelled.get(metric, {}).items():
                shares[label] = shares.get(label, 0) + value
        return dict(sorted(shares.items(), key=lambda share: (-share[1], share[0])))

    def gauge(self, metric: Metric) -> int:
        """A state of now: the frontier's own figure, or the sum over the workers that live."""
        if metric in self._frontier:
            return self._frontier[metric]
        now = self._clock()
        return int(
            sum(run.snapshot.gauges.get(metric, 0) for run in self._runs.values() if self._silence(run, now) is None)
        )

    def timing(self, metric: Metric) -> Timing:
        whole = Timing()
        for run in self._runs.values():
            if metric in run.snapshot.timings:
                whole.include(run.snapshot.timings[metric])
        return whole

    def errors(self) -> list[ErrorCause]:
        """Causes of errors, the most frequent first, each with an example."""
        examples: dict[str, str] = {}
        for run in self._runs.values():
            examples = run.snapshot.examples | examples
        return [ErrorCause(cause, n, examples.get(cause)) for cause, n in self.labelled(Metric.ERRORS).items()]

    def rate(self) -> float:
        """Pages a second, over the last 20 seconds."""
        return self._pages.rate()

    def bytes_rate(self) -> float:
        return self._bytes.rate()

    def elapsed(self) -> float:
        return max(0.0, self._clock() - self.started)

    def time_left(self) -> float | None:
        """Seconds to `max_pages` at the present speed; None when there is no bound or no speed yet."""
        if self.max_pages is None or not self.rate():
            return None
        return max(0, self.max_pages - self.total(Metric.PAGES)) / self.rate()

    def workers(self) -> list[WorkerView]:
        now = self._clock()
        return [self._view(worker, runs, now) for worker, runs in sorted(self._by_worker().items(), key=_by_number)]

    def _take(self, snapshot: Snapshot, now: float) -> None:
        known = self._runs.get(snapshot.key)
        if known is None:
            self._runs[snapshot.key] = _Run(snapshot, min(snapshot.at, now))
        elif snapshot.sequence > known.snapshot.sequence:
            self._runs[snapshot.key] = _Run(snapshot, now)

    def _by_worker(self) -> dict[str, list[_Run]]:
        """Runs of each worker, the newest last."""
        workers: dict[str, list[_Run]] = {}
        for run in sorted(self._runs.values(), key=lambda run: run.snapshot.started):
            workers.setdefault(run.snapshot.worker, []).append(run)
        return workers

    def _silence(self, run: _Run, now: float) -> float | None:
        """Seconds since a sign of life, where there should be one; None for a worker that is well."""
        quiet = now - run.seen
        return quiet if quiet > SILENT_SECONDS or run.snapshot.state in _ENDED else None

    def _view(self, worker: str, runs: list[_Run], now: float) -> WorkerView:
        newest = runs[-1]
        silence, ended = self._silence(newest, now), newest.snapshot.state in _ENDED
        gone = silence is not None
        return WorkerView(
            worker=worker,
            state="silent" if gone and not ended else newest.snapshot.state,
            pages=sum(run.snapshot.counts.get(Metric.PAGES, 0) for run in runs),
            rate=0.0 if gone else self._workers[worker].rate(),
            in_flight=0 if gone else int(newest.snapshot.gauges.get(Metric.IN_FLIGHT, 0)),
            errors=sum(run.snapshot.counts.get(Metric.ERRORS, 0) for run in runs),
            restarts=len(runs) - 1,
            silent_seconds=silence or 0.0,
        )


def _by_number(item: tuple[str, object]) -> list[tuple[int, str]]:
    """worker-2 before worker-10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", item[0])]
