"""Inspection: what happens to records between reading and writing. Knows duplicates and checks, no page and no output.

Duplicates are marked (or left out) first, so that a check can look at the mark; then the chain of checks sets aside
what does not pass, with the reasons. Nothing is dropped without being counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import xxhash

from nephila.dedupe import Duplicates, Sketch, sketch
from nephila.job import Job
from nephila.quality import Checkpoint, Evidence, Fault, build_checkpoints, inspect
from nephila.record import Record
from nephila.sinks import Delivery
from nephila.telemetry import Counters, Metric

SET_ASIDE = "set_aside"
"""The name in `fields` under which a record carries the reasons."""


_NOTHING_KNOWN = Evidence()


class Inspection:
    def __init__(self, job: Job, duplicates: Duplicates | None, counters: Counters) -> None:
        self._rules = job.duplicates
        self._duplicates = duplicates
        self._checkpoints: list[Checkpoint] = build_checkpoints([rule.model_dump() for rule in job.checks])
        self._counters = counters
        self._evidence: dict[int, Evidence] = {}
        """By the key of a delivery, till it is inspected."""

    def tell(self, key: int, evidence: Evidence) -> None:
        """What is known of a delivery besides its records."""
        if self._checkpoints:
            self._evidence[key] = evidence

    @property
    def idle(self) -> bool:
        return self._duplicates is None and not self._checkpoints

    async def inspect(self, deliveries: Sequence[Delivery]) -> tuple[Sequence[Delivery], list[Delivery]]:
        """(What is to be written, what is set aside); a delivery whose records all went stays, to be known as done."""
        if self.idle:
            return deliveries, []
        await self._mark(deliveries)
        passed, aside = [], []
        for delivery in deliveries:
            fit, unfit = self._sorted(delivery.records, self._evidence.pop(delivery.key, _NOTHING_KNOWN))
            passed.append(delivery if len(fit) == len(delivery.records) else replace(delivery, records=fit))
            if unfit:
                aside.append(Delivery(delivery.key, unfit))
        return passed, aside

    def _sorted(self, records: Sequence[Record], evidence: Evidence) -> tuple[list[Record], list[Record]]:
        fit, unfit = list[Record](), list[Record]()
        for record in records:
            if self._rules.mode == "drop" and record.duplicate_of is not None:
                continue
            faults = inspect(record, self._checkpoints, evidence)
            if faults:
                for name in {fault.checkpoint for fault in faults}:
                    self._counters.add(Metric.REJECTED, label=name)
                unfit.append(_with_reasons(record, faults))
            else:
                fit.append(record)
        return fit, unfit

    async def _mark(self, deliveries: Sequence[Delivery]) -> None:
        if self._duplicates is None:
            return
        records = [(found, record) for each in deliveries for record in each.records if (found := self._sketch(record))]
        firsts = await self._duplicates.judge([(found, record.url) for found, record in records])
        for (_, record), first in zip(records, firsts, strict=True):
            if first is not None:
                record.duplicate_of = first
                self._counters.add(Metric.COPIES)

    def _sketch(self, record: Record) -> Sketch | None:
        if not record.text:
            return None
        found = sketch(record.text)
        if found is None or self._rules.across_sites:
            return found
        # Other keys for every site: pages of different ones never meet.
        salt = xxhash.xxh3_64_intdigest((record.site or "").encode("utf-8", "replace"))
        return replace(found, keys=tuple(key ^ salt for key in found.keys))


def _with_reasons(record: Record, faults: Sequence[Fault]) -> Record:
    reasons = [{"check": fault.checkpoint, "reason": fault.reason} for fault in faults]
    return replace(record, fields={**(record.fields or {}), SET_ASIDE: reasons})
