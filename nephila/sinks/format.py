"""What a format must tell: how deliveries become bytes. Where the bytes go is the sink's matter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from nephila.sinks.base import Delivery


class Format(ABC):
    suffix: str
    """Of a file in this format, with the dot."""
    wants_pages = False

    @abstractmethod
    def encode(self, deliveries: Sequence[Delivery]) -> bytes:
        """The deliveries as a piece that may stand after any other; empty when they hold nothing for this format."""

    def head(self) -> bytes:
        """What stands before the first piece of a file."""
        return b""

    def whole(self, pieces: Sequence[bytes]) -> bytes:
        """The pieces as one complete file."""
        return self.head() + b"".join(pieces)
