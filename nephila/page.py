"""What a fetch brought: bytes and their circumstances, before any parsing. Knows no other room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Page:
    """One answer of a server (or of a browser), with the body already decompressed."""

    url: str
    """The address that was asked for first, before any redirect."""
    final_url: str
    """The address that answered."""
    status: int
    body: bytes
    fetched_at: float
    """Seconds since the epoch."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Lower-case names; of repeated headers, the values joined by a comma."""
    rendered: bool = False
    seen: Any = None
    """What the block script saw of a drawn page (`nephila.content.visual`); None where it was not asked."""
    request_headers: Mapping[str, str] | None = None
    """As they went over the wire; None when nobody knows."""

    @property
    def content_type(self) -> str:
        """The media type alone, lower-case, such as `text/html`; empty when the server sent none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()
