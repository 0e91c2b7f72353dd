"""The records of a cluster's jobs: shelves that are filled from the workers' spools, as far as these can be seen here.

Each look takes up what the workers have committed since, a bounded part of it: a look never takes long, and a backlog
is caught up with over some looks. How far each file was read is kept beside the shelf; were it lost, the shelf itself
knows the deliveries that it has.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import closing
from pathlib import Path

import orjson

from nephila.cluster.spool import segments_from, spool_files
from nephila.errors import NephilaError
from nephila.sinks.shelf import ShelfSink
from nephila.sinks.shelved import Shelf

logger = logging.getLogger(__name__)

_AT_ONCE = 1_000
"""Deliveries of one look."""


class SpooledShelves:
    def __init__(self, spool: Path, root: Path) -> None:
        """`root`: where the shelves are kept, on a disk of this machine."""
        self._spool, self._root = spool, root
        self._turns: dict[str, threading.Lock] = {}

    async def shelf(self, name: str) -> Shelf | None:
        """None where no spool of the job is to be seen from here."""
        if not (self._spool / name).is_dir():
            return None
        turn = self._turns.setdefault(name, threading.Lock())
        await asyncio.to_thread(self._catch_up, name, turn)
        path = self._path(name)
        return Shelf(path) if path.exists() else None

    def remove(self, name: str) -> None:
        for path in self._root.glob(f"{name}.shelf*"):
            path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._root / f"{name}.shelf"

    def _catch_up(self, name: str, turn: threading.Lock) -> None:
        if not turn.acquire(blocking=False):  # somebody else is at it: what is there already will do
            return
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            self._read_on(name)
        except (NephilaError, OSError) as error:
            logger.warning("the spool of %s cannot be shown: %s", name, error)
        finally:
            turn.release()

    def _read_on(self, name: str) -> None:
        places = self._places(name)
        fresh = [path for path in spool_files(self._spool / name) if path.stat().st_size > places.get(path.name, 0)]
        if not fresh:
            return
        taken = 0
        with closing(ShelfSink(self._path(name))) as sink:
            sink.open()
            for path in fresh:
                for end, deliveries in segments_from(path, places.get(path.name, 0)):
                    sink.commit(deliveries)
                    places[path.name] = end
                    taken += len(deliveries)
                    if taken >= _AT_ONCE:
                        break
                if taken >= _AT_ONCE:
                    break
        if taken:
            partial = self._path(name).with_suffix(".shelf-read.part")
            partial.write_bytes(orjson.dumps(places))
            partial.replace(self._path(name).with_suffix(".shelf-read"))

    def _places(self, name: str) -> dict[str, int]:
        try:
            places: dict[str, int] = orjson.loads(self._path(name).with_suffix(".shelf-read").read_bytes())
        except (FileNotFoundError, orjson.JSONDecodeError):
            return {}
        return places
