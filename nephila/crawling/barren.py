"""URL families whose pages all ask not to be kept and not to be followed (the edit forms, histories and print views of
a wiki): once that is known, a fetch brings nothing. Knows families and counts alone.
"""

from __future__ import annotations

_ENOUGH = 15
"""Barren pages in a row that tell what a family is."""
_CHECKED = 10
"""Of a family that is told, one page of so many is fetched all the same."""
_REMEMBERED = 50_000


class Barren:
    """What the families have shown to this worker; bounded, the oldest half is forgotten."""

    def __init__(self) -> None:
        self._in_a_row: dict[int, int] = {}
        self._spared: dict[int, int] = {}

    def saw(self, family: int | None, *, barren: bool) -> None:
        """A page of the family was fetched; one that is good for something clears its name."""
        if family is None:
            return
        if not barren:
            if self._in_a_row.pop(family, 0):
                self._spared.pop(family, None)
            return
        self._in_a_row[family] = self._in_a_row.get(family, 0) + 1
        if len(self._in_a_row) > _REMEMBERED:
            for key in list(self._in_a_row)[: _REMEMBERED // 2]:
                del self._in_a_row[key]
                self._spared.pop(key, None)

    def tells_against(self, family: int | None) -> bool:
        return family is not None and self._in_a_row.get(family, 0) >= _ENOUGH

    def spares(self, family: int | None) -> bool:
        """Whether a page of the family need not be fetched."""
        if family is None or not self.tells_against(family):
            return False
        spared = self._spared[family] = self._spared.get(family, 0) + 1
        return spared % _CHECKED != 0
