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
        """Whether one line at least is new; numbers and addresses say nothing (`Number 7` after `Number 6`).

        Line by line, for a list that is sorted anew is the same list. Only the first new line is remembered: that
        bounds what a family can earn by the lines that it has, and most pages are settled by their first line.
        """
        if family is None or not text:
            return family is None
        shown = self._shown
        for line in text.split("\n"):
            if line.startswith(("/", "http://", "https://")) and " " not in line:
                continue
            said = (family, digest(line.translate(_NO_DIGITS)))
            if said not in shown:
                shown[said] = None
                if len(shown) > _REMEMBERED:
                    for key in list(shown)[: _REMEMBERED // 2]:
                        del shown[key]
                return True
        return False
