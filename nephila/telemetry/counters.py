"""Counters of one worker process: cheap to raise, small to send. Knows names and plain numbers only.

    counters = Counters("worker-1")
    counters.add(Metric.PAGES)
    counters.error("timeout", url)
    snapshot = counters.snapshot()          # JSON bytes by snapshot.to_json()

A counter is one dictionary operation, without a lock: each worker counts on one thread, or on threads of one
interpreter where a lost tick in a million is of no account. Labels and examples are bounded, since a hostile site
chooses some of them.
"""

from __future__ import annotations

import secrets
import time
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import orjson

from nephila.telemetry.names import BUCKETS, Metric
from nephila.telemetry.redact import redact

MAX_LABELS = 64
"""Distinct labels a metric; what comes later is counted as `other`."""
MAX_LABEL_LENGTH = 64
MAX_URL_LENGTH = 300
OTHER = "other"

Labelled = dict[str, dict[str, int]]


@dataclass(slots=True)
class Timing:
    """Durations in buckets; adding two gives the timing of both."""

    buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    total: float = 0.0

    def observe(self, seconds: float) -> None:
        self.buckets[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds

    def include(self, other: Timing) -> None:
        self.buckets = [mine + its for mine, its in zip(self.buckets, other.buckets, strict=True)]
        self.total += other.total

    @property
    def count(self) -> int:
        return sum(self.buckets)

    @property
    def mean(self) -> float | None:
        return self.total / self.count if self.count else None

    def quantile(self, share: float) -> float | None:
        """Upper bound of the bucket that holds it; infinite beyond the last bound, None when nothing was seen."""
        wanted, seen = share * self.count, 0
        for bound, number in zip((*BUCKETS, float("inf")), self.buckets, strict=True):
            seen += number
            if number and seen >= wanted:
                return bound
        return None


@dataclass(slots=True)
class Snapshot:
    """What one run of one worker has counted since its start."""

    worker: str
    run: str
    """Random; tells two runs of the same worker apart."""
    started: float
    at: float
    sequence: int = 0
    state: str = "running"
    counts: dict[str, int] = field(default_factory=dict)
    gauges: dict[str, float] = field(default_factory=dict)
    labelled: Labelled = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    """One URL for each cause of error."""
    timings: dict[str, Timing] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Its name in the memory: one entry a run, so that a worker's restart overwrites nothing."""
        return f"{self.worker}/{self.run}"

    def to_json(self) -> bytes:
        return orjson.dumps(self)

    @classmethod
    def from_json(cls, data: bytes) -> Snapshot:
        """Reads what this or a newer version wrote; what is unknown here is left out."""
        raw: dict[str, Any] = orjson.loads(data)
        known = {name: raw[name] for name in cls.__dataclass_fields__ if name in raw}
        timings = {
            name: Timing(value["buckets"], value["total"])
            for name, value in known.get("timings", {}).items()
            if len(value["buckets"]) == len(BUCKETS) + 1
        }
        return cls(**(known | {"timings": timings}))


class Counters:
    """The counts of this process. `state` is a word for people: starting, running, draining, done."""

    def __init__(self, worker: str) -> None:
        self.worker = worker
        self.run = secrets.token_hex(4)
        self.started = time.time()
        self.state = "starting"
        self._sequence = 0
        self._counts: dict[str, int] = defaultdict(int)
        self._gauges: dict[str, float] = {}
        self._labelled: Labelled = {}
        self._examples: dict[str, str] = {}
        self._timings: dict[str, Timing] = {}

    def add(self, metric: Metric, n: int = 1, label: str | int | None = None) -> None:
        """Raises a counter; with a label, its share is kept as well."""
        self._counts[metric] += n
        if label is not None:
            self._label(metric, str(label), n)

    def set(self, metric: Metric, value: float) -> None:
        """Sets a gauge."""
        self._gauges[metric] = value

    def observe(self, metric: Metric, seconds: float) -> None:
        """Adds a duration to a timing."""
        timing = self._timings.get(metric)
        if timing is None:
            timing = self._timings[metric] = Timing()
        timing.observe(seconds)

    def error(self, cause: str, url: str | None = None) -> None:
        """Counts an error under a short stable cause (`timeout`, `http 404`), with its first URL as the example."""
        self._counts[Metric.ERRORS] += 1
        cause = self._label(Metric.ERRORS, cause, 1)
        if url is not None and cause not in self._examples:
            self._examples[cause] = redact(url)[:MAX_URL_LENGTH]

    def get(self, metric: Metric, label: str | int | None = None) -> int:
        if label is None:
            return self._counts.get(metric, 0)
        return self._labelled.get(metric, {}).get(str(label), 0)

    def snapshot(self) -> Snapshot:
        """A copy; each has a higher sequence than the one before it."""
        self._sequence += 1
        return Snapshot(
            worker=self.worker,
            run=self.run,
            started=self.started,
            at=time.time(),
            sequence=self._sequence,
            state=self.state,
            counts={str(name): value for name, value in self._counts.items()},
            gauges={str(name): value for name, value in self._gauges.items()},
            labelled={str(name): dict(shares) for name, shares in self._labelled.items()},
            examples=dict(self._examples),
            timings={str(name): Timing(list(t.buckets), t.total) for name, t in self._timings.items()},
        )

    def _label(self, metric: Metric, label: str, n: int) -> str:
        """Counts under the label, or under `other` when there are too many; returns the one that was used."""
        shares = self._labelled.setdefault(metric, {})
        label = label[:MAX_LABEL_LENGTH]
        if label not in shares and len(shares) >= MAX_LABELS:
            label = OTHER
        shares[label] = shares.get(label, 0) + n
        return label
