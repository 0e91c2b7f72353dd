"""Gathering: places that want large pieces (row groups, objects of a store) get them; the ledger holds what waits.

A segment is durable when the ledger holds it. When enough has gathered, whoever commits next writes it out and the
ledger lets it go in the same commit: a crash in between makes the next one write the same piece again, over the first.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Sequence

from nephila.errors import SinkError
from nephila.sinks.ledger import Committed
from nephila.sinks.ledgered import LedgeredSink

logger = logging.getLogger(__name__)


class GatheringSink(LedgeredSink):
    gather_bytes: int = 32 * 2**20
    is_open = False

    @abstractmethod
    def write_out(self, committed: Committed, pieces: Sequence[bytes]) -> Committed:
        """Puts the pieces into their place, durably, so that doing it again changes nothing."""

    def store(self, committed: Committed, encoded: bytes) -> Committed:
        self.ledger.hold(self.output, encoded)
        return self._write_out(committed) if self.ledger.held_size(self.output) >= self.gather_bytes else committed

    def settle(self) -> None:
        """Writes out what waits, be it little."""
        with self.ledger.writing():
            committed = self.ledger.committed(self.output)
            if committed is not None and self.ledger.held_size(self.output):
                self.ledger.enter(self.output, self._write_out(committed))

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            try:
                self.settle()
            except SinkError as error:
                logger.warning("%s; the records wait in %s: run again to write them", error, self.ledger.path)
        super().close()

    def _write_out(self, committed: Committed) -> Committed:
        state = self.write_out(committed, self.ledger.held(self.output))
        self.ledger.release(self.output)
        return state
