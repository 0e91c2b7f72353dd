"""Circles of redirects: A leads to B, B leads back to A. Knows fingerprints alone."""

from __future__ import annotations

_REMEMBERED = 20_000
_LONGEST = 20
_SECOND_LOOK = 0x5DEECE66D


class Circles:
    """The redirects that this worker met lately; bounded, the oldest half is forgotten."""

    def __init__(self) -> None:
        self._leads_to: dict[int, int] = {}

    def closes(self, source: int, target: int) -> bool:
        """Notes the redirect; whether it leads back to where it came from."""
        self._leads_to[source] = target
        if len(self._leads_to) > _REMEMBERED:
            for fingerprint in list(self._leads_to)[: _REMEMBERED // 2]:
                del self._leads_to[fingerprint]
        place: int | None = target
        for _ in range(_LONGEST):
            if place is None or place == source:
                return place is not None
            place = self._leads_to.get(place)
        return False


def second_look(fingerprint: int) -> int:
    """Another identity for the same URL: the page that set a cookie on the way round may show itself now."""
    return fingerprint ^ _SECOND_LOOK
