"""The figures of a process that runs several workers in its life: their sum, those that ended included.

    figures = Gathered("machine-4711")
    with figures.counting(worker.counters):     # for as long as the worker lives
        ...
    serve_metrics(address, figures.snapshot)

A counter that Prometheus reads may never fall; so what an ended worker has counted stays in the sum, but its gauges go.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from nephila.telemetry.counters import Counters, Snapshot, Timing


class Gathered:
    def __init__(self, name: str) -> None:
        # One value, replaced as a whole: a reader in another thread sees each worker once.
        self._known: tuple[Snapshot, list[Counters]] = (Snapshot(name, "", time.time(), time.time()), [])

    @contextmanager
    def counting(self, counters: Counters) -> Iterator[None]:
        ended, living = self._known
        self._known = ended, [*living, counters]
        try:
            yield
        finally:
            ended, living = self._known
            whole = _sum(ended, [counters])
            whole.gauges = {}
            self._known = whole, [each for each in living if each is not counters]

    def snapshot(self) -> Snapshot:
        return _sum(*self._known)


def _sum(first: Snapshot, others: list[Counters]) -> Snapshot:
    whole = Snapshot(first.worker, first.run, first.started, time.time())
    for part in (first, *(each.snapshot() for each in others)):
        for name, count in part.counts.items():
            whole.counts[name] = whole.counts.get(name, 0) + count
        for name, gauge in part.gauges.items():
            whole.gauges[name] = whole.gauges.get(name, 0.0) + gauge
        for name, shares in part.labelled.items():
            sums = whole.labelled.setdefault(name, {})
            for label, count in shares.items():
                sums[label] = sums.get(label, 0) + count
        for name, timing in part.timings.items():
            whole.timings.setdefault(name, Timing()).include(timing)
    return whole
