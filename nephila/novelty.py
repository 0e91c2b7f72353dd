"""Novelty: whether a page says anything that its URL family has not said before. Knows text alone."""

from __future__ import annotations

import xxhash

_REMEMBERED = 200_000
_NO_DIGITS = {ord(digit): None for digit in "0123456789"}


def digest(content: bytes | str) -> int:
    """Signed 64 bits, as the frontier keeps it."""
    raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
    return int.from_bytes(xxhash.xxh3_64_digest(raw), "big", signed=True)


class Novelty:
    """What the families have shown to this worker; bounded, the oldest half is forgotten."""

    def __init__(self) -> None:
        self._shown: dict[tuple[int, int], None] = {}

    def is_new(self, family: int | None, text: str | None) -> bool:
        """Numbers do not count as saying: `Number 7` after `Number 6` is nothing new."""
        if family is None or not text:
            return family is None
        shown = (family, digest(text.translate(_NO_DIGITS)))
        if shown in self._shown:
            return False
        self._shown[shown] = None
        if len(self._shown) > _REMEMBERED:
            for key in list(self._shown)[: _REMEMBERED // 2]:
                del self._shown[key]
        return True
