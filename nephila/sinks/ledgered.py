"""The commit protocol that every sink with a ledger shares: what is known is left out, the rest is stored, then noted.

A format encodes deliveries to bytes, outside of the lock; a sink adds `store` (bytes to their place, inside of it).
Whatever `store` left behind without the ledger's commit does not count, and the sink must be able to tell.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from nephila.errors import SinkError
from nephila.sinks.base import Delivery
from nephila.sinks.format import Format
from nephila.sinks.ledger import Committed, Ledger


class LedgeredSink(ABC):
    """Safe for several processes that share the ledger."""

    def __init__(self, uri: str, output: str, ledger: Ledger, format_: Format) -> None:
        self.uri = uri
        self.output = output
        """The name under which the ledger knows this place."""
        self.ledger = ledger
        self.format = format_
        self.wants_pages = format_.wants_pages

    @abstractmethod
    def open(self) -> None: ...

    @abstractmethod
    def store(self, committed: Committed, encoded: bytes) -> Committed:
        """Makes the piece durable; returns the output's new size and mark. Called within the ledger's lock."""

    def commit(self, segment: Sequence[Delivery]) -> int:
        deliveries = {delivery.key: delivery for delivery in reversed(segment)}
        fresh = _without(deliveries, self.ledger.known(self.output, deliveries))
        # Encoding happens before the lock is taken, since others wait there; it is done again only in the rare case
        # that another process has delivered one of these pages in between.
        encoded = self._encode(fresh)
        with self.ledger.writing():
            committed = self.ledger.committed(self.output)
            if committed is None:
                raise SinkError(f"{self.uri} was not opened before it was written")
            late = self.ledger.known(self.output, fresh)
            if late:
                fresh = _without(fresh, late)
                encoded = self._encode(fresh)
            if fresh:
                self._enter(committed, fresh, encoded)
        return len(fresh)

    def close(self) -> None:
        self.ledger.close()

    def _encode(self, fresh: dict[int, Delivery]) -> bytes:
        return self.format.encode(list(reversed(fresh.values()))) if fresh else b""

    def _enter(self, committed: Committed, fresh: dict[int, Delivery], encoded: bytes) -> None:
        state = self.store(committed, encoded) if encoded else committed
        state = replace(
            state,
            records=committed.records + sum(len(delivery.records) for delivery in fresh.values()),
            deliveries=committed.deliveries + len(fresh),
        )
        self.ledger.enter(self.output, state)
        self.ledger.add(self.output, fresh)


def _without(deliveries: dict[int, Delivery], keys: set[int]) -> dict[int, Delivery]:
    return {key: delivery for key, delivery in deliveries.items() if key not in keys}
