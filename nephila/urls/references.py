"""The links of pages as they are written: which of them were on a page before. Knows no other room.

Most links of a page are those of the page before it. They are told by their text and by what it is read against (the
origin, or the folder of the page), before anything is made of them: 0.1 us a link instead of 3.
"""

from __future__ import annotations

from collections.abc import Iterable

from nephila.urls.canonical import is_from_folder, is_from_root, place

_ROOM = 100_000


class References:
    """What was met lately, in `room` places; when they are full, all is forgotten."""

    def __init__(self, room: int = _ROOM) -> None:
        self._room = room
        self._left = room
        self._met: dict[tuple[str, str], set[str]] = {}
        """By what they are read against (the origin, or the folder) and the page's encoding."""

    def forget(self) -> None:
        self._met.clear()
        self._left = self._room

    def fresh(self, base: str, hrefs: Iterable[str], *, encoding: str = "utf-8") -> list[str]:
        """Those that were not met before, each once, in their order; from now on they are, where that can be told."""
        read_against = place(base)
        if read_against is None:
            return list(dict.fromkeys(hrefs))
        if self._left <= 0:
            self.forget()
        root, here = [self._met.setdefault((text, encoding), set()) for text in read_against]
        found = [href for href in dict.fromkeys(hrefs) if href not in root and href not in here]
        known = len(root) + len(here)
        root.update(filter(is_from_root, found))
        here.update(filter(is_from_folder, found))
        self._left -= len(root) + len(here) - known
        return found
