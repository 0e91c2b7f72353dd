"""The store in one file that all workers of a machine map: 20 bytes a text, and no more than its capacity.

    head        what file this is, and how many texts were ever added
    sketches    80 bits a text, in a ring: the newest text takes the place of the oldest
    slots       buckets of 16 slots of 32 bits, found by a key: 8 bits of the key, 24 bits of the text's place plus one

A batch is judged and added under the file's lock, so that of two copies in two workers one is the first. Nothing here
has to survive a crash whole: a slot that points at a place which was never written, or was written anew, fails the
comparison of the sketches. URLs are long and rarely asked for: they lie in a file of their own, on the disk.
"""

from __future__ import annotations

import asyncio
import fcntl
import mmap
import os
import sqlite3
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from nephila.dedupe.base import BUCKET, SKETCH_BYTES, SLOT_BYTES, Limits, position
from nephila.dedupe.sketches import STORED, Sketch, distance
from nephila.errors import StateError
from nephila.sqlite import turn_to_wal

_MAGIC = b"NphNear1"
_HEAD = struct.Struct("<8sQQ")
_PLACE = 0xFFFFFF


class FileDuplicates:
    def __init__(self, path: Path | str, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._path = Path(path)
        try:
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            with self._turn():
                self._limits = self._prepare()
                self._urls = _open_urls(Path(f"{self._path}.urls"))
            self._map = mmap.mmap(self._fd, self._size)
        except (OSError, sqlite3.Error) as error:
            raise StateError(f"cannot use the memory of duplicates {self._path}: {error}") from None
        capacity, buckets = self._limits.capacity, self._limits.buckets
        self._sketches = memoryview(self._map)[_HEAD.size : _HEAD.size + SKETCH_BYTES * capacity]
        slots = np.frombuffer(self._map, np.uint32, buckets * BUCKET, self._size - buckets * BUCKET * SLOT_BYTES)
        self._slots = slots.reshape(buckets, BUCKET)

    async def judge(self, texts: Sequence[tuple[Sketch, str]]) -> list[str | None]:
        return await asyncio.to_thread(self.judge_now, texts)

    def judge_now(self, texts: Sequence[tuple[Sketch, str]]) -> list[str | None]:
        with self._turn():
            batch = _Batch(self._limits.distance)
            seen = self._candidates([text for text, _ in texts])
            found = [
                self._first_like(text, seen.get(number, ())) or batch.judge(text, url)
                for number, (text, url) in enumerate(texts)
            ]
            self._add(batch.new)
        return [None if first == url else first for first, (_, url) in zip(found, texts, strict=True)]

    async def close(self) -> None:
        if self._fd >= 0:
            with self._turn():
                self._urls.close()
            self._sketches.release()
            del self._slots
            self._map.close()
            os.close(self._fd)
            self._fd = -1

    @property
    def count(self) -> int:
        """Texts that were ever added."""
        return int(_HEAD.unpack_from(self._map)[2])

    def _candidates(self, texts: Sequence[Sketch]) -> dict[int, list[int]]:
        """For each text by its number, the places that share a key with it."""
        owners = [number for number, text in enumerate(texts) for _ in text.keys]
        keys = np.fromiter((key for text in texts for key in text.keys), np.uint64, len(owners))
        rows = self._slots[(keys >> np.uint64(8) & np.uint64(2**40 - 1)) % np.uint64(self._limits.buckets)]
        same = (rows >> np.uint32(24)) == (keys & np.uint64(0xFF)).astype(np.uint32)[:, None]
        found: dict[int, list[int]] = {}
        for row, column in np.argwhere(same & (rows != 0)).tolist():
            found.setdefault(owners[row], []).append((int(rows[row, column]) & _PLACE) - 1)
        return found

    def _first_like(self, text: Sketch, places: Sequence[int]) -> str | None:
        allowed = self._limits.distance if text.near else 0
        for place in places:
            if place >= 0 and distance(self._sketch_at(place), text.bits) <= allowed:
                first = self._url_at(place)
                if first is not None:
                    return first
        return None

    def _add(self, new: Sequence[tuple[Sketch, str]]) -> None:
        count, capacity = self.count, self._limits.capacity
        rows = []
        for number, (text, url) in enumerate(new, count):
            place = number % capacity
            self._sketches[place * SKETCH_BYTES : (place + 1) * SKETCH_BYTES] = text.bits.to_bytes(SKETCH_BYTES, "big")
            rows.append((place, url.encode("utf-8", "replace").decode()))
            for key in text.keys[:STORED]:
                bucket, tag = position(key, self._limits.buckets)
                slots = self._slots[bucket].tolist()
                if 0 in slots:
                    chosen = slots.index(0)
                else:
                    ages = [(place - (slot & _PLACE) + 1) % capacity for slot in slots]
                    chosen = ages.index(max(ages))
                self._slots[bucket, chosen] = tag << 24 | place + 1
        _HEAD.pack_into(self._map, 0, _MAGIC, capacity, count + len(new))
        self._urls.execute("BEGIN IMMEDIATE")
        try:
            self._urls.executemany("INSERT OR REPLACE INTO urls VALUES (?, ?)", rows)
        finally:
            self._urls.execute("COMMIT")

    def _sketch_at(self, place: int) -> int:
        return int.from_bytes(self._sketches[place * SKETCH_BYTES : (place + 1) * SKETCH_BYTES], "big")

    def _url_at(self, place: int) -> str | None:
        row = self._urls.execute("SELECT url FROM urls WHERE place = ?", (place,)).fetchone()
        return None if row is None else str(row[0])

    @property
    def _size(self) -> int:
        limits = self._limits
        slots = -(-(_HEAD.size + SKETCH_BYTES * limits.capacity) // SLOT_BYTES) * SLOT_BYTES
        return slots + limits.buckets * BUCKET * SLOT_BYTES

    def _prepare(self) -> Limits:
        """A new file is made; one that is there keeps its capacity."""
        head = os.pread(self._fd, _HEAD.size, 0)
        if not head:
            os.ftruncate(self._fd, self._size)  # sparse: what is never written takes no room
            os.pwrite(self._fd, _HEAD.pack(_MAGIC, self._limits.capacity, 0), 0)
            return self._limits
        if len(head) != _HEAD.size or head[:8] != _MAGIC:
            raise StateError(f"{self._path} is no memory of duplicates: move it away, or choose another --state")
        return Limits(_HEAD.unpack(head)[1], self._limits.similarity)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._fd, fcntl.LOCK_UN)


def _open_urls(path: Path) -> sqlite3.Connection:
    """Under the lock: whoever closes the file last takes its log away, and nobody may open it meanwhile."""
    urls = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=60)
    turn_to_wal(urls)
    urls.execute("PRAGMA synchronous = OFF")  # a hint may be lost with the machine, never with a process
    urls.execute("CREATE TABLE IF NOT EXISTS urls (place INTEGER PRIMARY KEY, url TEXT NOT NULL)")
    return urls


class _Batch:
    """The texts of a batch that the file does not know, compared with each other."""

    def __init__(self, allowed: int) -> None:
        self.new: list[tuple[Sketch, str]] = []
        self._allowed = allowed
        self._by_key: dict[int, list[int]] = {}

    def judge(self, text: Sketch, url: str) -> str | None:
        allowed = self._allowed if text.near else 0
        for key in text.keys:
            for number in self._by_key.get(key, ()):
                other, first = self.new[number]
                if distance(other.bits, text.bits) <= allowed:
                    return first
        for key in text.keys[:STORED]:
            self._by_key.setdefault(key, []).append(len(self.new))
        self.new.append((text, url))
        return None
