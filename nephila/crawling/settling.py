"""Settling: a visit that is over waits for the next segment, with what it delivers. Knows segments and counters.

Each answer ends in exactly one of: a visit that waits for the next segment (acked after the sinks committed it), or a
failure told to the frontier at once (`failures.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nephila.crawling.segments import Segments
from nephila.fetch.client import Answer
from nephila.frontier.base import Lease, Visit
from nephila.page import Page
from nephila.quality import Evidence
from nephila.record import Record
from nephila.sinks import Delivery
from nephila.telemetry import Counters, Metric
from nephila.urls import delivery_key


class Settling:
    def __init__(self, segments: Segments, counters: Counters) -> None:
        self._segments = segments
        self._counters = counters

    def settle(self, visit: Visit, records: Sequence[Record], page: Page, evidence: Evidence | None = None) -> None:
        """A body is kept till the commit only where an output archives it."""
        key = delivery_key(visit.lease.fingerprint, visit.lease.visit)
        if evidence is not None:
            self._segments.tell(key, evidence)
        if self._segments.wants_pages:
            self._segments.settle(visit, Delivery(key, records, page), len(page.body) * 5 // 4)
        elif records:
            self._segments.settle(visit, Delivery(key, records), len(page.body) // 4)
        else:
            self._segments.settle(visit)

    def unchanged(self, visit: Visit, page: Page) -> None:
        """The outputs hold this page as it is."""
        self._counters.add(Metric.UNCHANGED)
        self.settle(replace(visit, changed=False), [], page)

    def skip(self, lease: Lease, reason: str) -> None:
        self._counters.add(Metric.SKIPPED, label=reason)
        self._segments.settle(Visit(lease, counted=False, novel=False))

    def uncounted(self, lease: Lease) -> None:
        """It was asked for without much hope, and is not there: neither a page nor an error."""
        self._segments.settle(Visit(lease, counted=False))


def page_of(lease: Lease, answer: Answer) -> Page:
    return Page(
        url=str((lease.meta or {}).get("from", lease.url)),
        final_url=answer.url,
        status=answer.status,
        body=answer.body,
        fetched_at=answer.started_at,
        headers=answer.headers,
        rendered=answer.rendered,
        seen=answer.seen,
        request_headers=answer.request_headers,
    )
