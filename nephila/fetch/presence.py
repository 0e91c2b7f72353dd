"""Which processes that share a frontier file are alive: each holds the lock of a small file of its own.

The system lets a lock go with its process, however that died: the leases of the dead are given back at once by whoever
comes next, instead of after their term. Knows files and names, nothing of leases.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path


class Presence:
    def __init__(self, directory: Path, name: str) -> None:
        self._directory = directory
        self._place = directory / name
        # Locked before it gets its name: nobody ever sees it without its owner.
        hidden = directory / f".{name}"
        self._descriptor = self._create(hidden)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        hidden.rename(self._place)

    def _create(self, path: Path) -> int:
        while True:
            self._directory.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # the last one has left and taken the directory away
                return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def departed(self) -> list[str]:
        """The names of those that are gone and said no farewell; each is told to one caller."""
        names = []
        for place in self._directory.iterdir():
            if place == self._place or place.name.startswith("."):
                continue
            with contextlib.suppress(OSError), place.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                place.unlink()
                names.append(place.name)
        return names

    def leave(self) -> None:
        self._place.unlink(missing_ok=True)
        os.close(self._descriptor)
        with contextlib.suppress(OSError):  # others are still there
            self._directory.rmdir()
