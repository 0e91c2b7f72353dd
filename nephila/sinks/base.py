"""The sink's contract: records become durable in segments, each page's records once, whatever is killed and whenever.

The pipeline collects deliveries, hands them over as one segment, and acks their leases only after `commit` returned.
A crash between commit and ack lets the page be fetched again; its delivery has the same key, so the sink leaves it out.
Sinks are plain synchronous code, called in a thread of their own; they know nothing of the frontier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from nephila.errors import SinkError
from nephila.page import Page
from nephila.record import Record


@dataclass(frozen=True, slots=True)
class Delivery:
    """All records of one visit of one page."""

    key: int
    """Signed 64-bit identity of (URL, visit): equal keys are the same delivery."""
    records: Sequence[Record]
    page: Page | None = None
    """The answer itself, where an output archives it (`wants_pages`); the others never look at it."""


class UnreachableError(SinkError):
    """The place does not answer now; it may later."""


def shown(uri: str) -> str:
    """An output's name for people and logs: without the password."""
    return re.sub(r"(//[^/?#:@]*):[^/?#]*@", r"\1:***@", uri)


def records_of(deliveries: Sequence[Delivery]) -> list[Record]:
    return [record for delivery in deliveries for record in delivery.records]


def wants_pages(sink: Sink) -> bool:
    """Whether the sink archives answers; only then does the pipeline keep bodies till the commit."""
    return bool(getattr(sink, "wants_pages", False))


@runtime_checkable
class Sink(Protocol):
    uri: str

    def open(self) -> None:
        """Checks that it can be written, mends what a crash left; raises SinkError with what to change."""
        ...

    def commit(self, segment: Sequence[Delivery]) -> int:
        """Writes the deliveries that are not there yet, all or none, durably; returns how many were written.

        Safe against other processes that write to the same place.
        """
        ...

    def close(self) -> None: ...


@runtime_checkable
class Counted(Protocol):
    """A sink whose place can be asked how much it holds; of the others the ledger knows."""

    def count(self) -> int:
        """Records that are there now, whoever wrote them."""
        ...
