"""Tables of a site's memory: a few numbers for each 64-bit key, in the order in which keys came. Knows numbers only.

A page asks for two thousand keys and adds as many. By the native library it is a call for each; where there is none,
dictionaries do the same, with the same results.
"""

from __future__ import annotations

import ctypes
import secrets
from collections.abc import Iterator, Mapping
from functools import cache
from struct import Struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.native import address, load

Keys = NDArray[np.uint64]
Rows = NDArray[np.float64]

_TALLY = Struct("5qQ4q")
"""The library's `struct tally`."""
_COUNT = Struct("q")
_COUNT_AT = 24
_SEED = secrets.randbits(64)
_LEAST = 64


class Tally(Mapping[int, list[float]]):
    """A row of `width` numbers for each key; as a mapping, for those who look at single ones."""

    def __init__(self, keys: Keys, rows: Rows) -> None:
        """`rows`: one for each key; no key twice."""
        self.width = rows.shape[1]
        self._kept = _kept(keys, rows)

    @classmethod
    def empty(cls, width: int) -> Tally:
        return cls(np.empty(0, np.uint64), np.empty((0, width)))

    def rows_of(self, keys: Keys) -> Rows:
        """The row of each key; of zeros where it is not there."""
        return self._kept.rows_of(keys)

    def add(self, keys: Keys, rows: Rows) -> None:
        """Adds a row to that of each key."""
        self._kept = self._kept.with_room(len(keys))
        self._kept.add(keys, rows)

    def add_page(self, keys: Keys, rows: Rows) -> None:
        """Adds a page: of each different key the sums of its rows, which lack the last number, and there 1."""
        self._kept = self._kept.with_room(len(keys))
        self._kept.add_page(keys, rows)

    def arrays(self) -> tuple[Keys, Rows]:
        """All keys and their rows."""
        return self._kept.arrays()

    def __getitem__(self, key: int) -> list[float]:
        keys, rows = self.arrays()
        found = np.flatnonzero(keys == np.uint64(key))
        if not len(found):
            raise KeyError(key)
        row: list[float] = rows[found[0]].tolist()
        return row

    def __iter__(self) -> Iterator[int]:
        return iter(self.arrays()[0].tolist())

    def __len__(self) -> int:
        return len(self._kept)


def _kept(keys: Keys, rows: Rows) -> _ByLibrary | _ByDictionary:
    native = _library()
    return _ByDictionary(keys, rows) if native is None else _ByLibrary(native, keys, rows)


class _ByDictionary:
    def __init__(self, keys: Keys, rows: Rows) -> None:
        self._width = rows.shape[1]
        self._rows: dict[int, list[float]] = dict(zip(keys.tolist(), rows.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self._rows)

    def with_room(self, _: int) -> _ByDictionary:
        return self

    def rows_of(self, keys: Keys) -> Rows:
        none = [0.0] * self._width
        return np.array([self._rows.get(key, none) for key in keys.tolist()], np.float64).reshape(-1, self._width)

    def add(self, keys: Keys, rows: Rows) -> None:
        for key, row in zip(keys.tolist(), rows.tolist(), strict=True):
            own = self._rows.setdefault(key, [0.0] * self._width)
            for place, value in enumerate(row):
                own[place] += value

    def add_page(self, keys: Keys, rows: Rows) -> None:
        sums: dict[int, list[float]] = {}
        for key, row in zip(keys.tolist(), rows.tolist(), strict=True):
            own = sums.setdefault(key, [0.0] * (self._width - 1))
            for place, value in enumerate(row):
                own[place] += value
        whole = [[*row, 1.0] for row in sums.values()]
        self.add(np.array(list(sums), np.uint64), np.array(whole, np.float64).reshape(-1, self._width))

    def arrays(self) -> tuple[Keys, Rows]:
        rows = np.array(list(self._rows.values()), np.float64).reshape(-1, self._width)
        return np.array(list(self._rows), np.uint64), rows


@cache
def _library() -> ctypes.PyDLL | None:
    """The library as it is called while nobody else may touch the table: a page of another thread asks for it, too."""
    native = load()
    if native is None:
        return None
    held, array, number = ctypes.PyDLL(native._name), ctypes.c_void_p, ctypes.c_int64
    held.nephila_tally_rows.argtypes = [array, array, number, array]
    held.nephila_tally_rows.restype = None
    held.nephila_tally_add.argtypes = [array, array, number, array]
    held.nephila_tally_page.argtypes = [array, array, number, array, array, array]
    return held


class _Arrays(NamedTuple):
    keys: Keys
    rows: Rows
    marks: NDArray[np.int64]
    table: NDArray[np.int32]


class _ByLibrary:
    """One size for its life: who asks it in another thread never sees it grow."""

    def __init__(self, native: ctypes.PyDLL, keys: Keys, rows: Rows, room: int = 0) -> None:
        self._native, width = native, rows.shape[1]
        self._most = max(_LEAST, len(keys) + room)
        slots = 1 << (2 * self._most).bit_length()
        self._arrays = _Arrays(
            np.empty(self._most, np.uint64),
            np.empty((self._most, width), np.float64),
            np.empty(self._most, np.int64),
            np.full(slots, -1, np.int32),
        )
        places = [address(array) for array in self._arrays]
        self._packed = bytearray(_TALLY.pack(slots, self._most, width, 0, 0, _SEED, *places))
        self._place = address(self._packed)
        self.add(keys, rows)

    def __len__(self) -> int:
        count: int = _COUNT.unpack_from(self._packed, _COUNT_AT)[0]
        return count

    def with_room(self, more: int) -> _ByLibrary:
        """Itself where as many more keys have room, else a larger one."""
        if len(self) + more <= self._most:
            return self
        return _ByLibrary(self._native, *self.arrays(), room=max(more, self._most))

    def rows_of(self, keys: Keys) -> Rows:
        keys, rows = np.ascontiguousarray(keys), np.empty((len(keys), self._arrays.rows.shape[1]), np.float64)
        self._native.nephila_tally_rows(self._place, address(keys), len(keys), address(rows))
        return rows

    def add(self, keys: Keys, rows: Rows) -> None:
        keys, rows = np.ascontiguousarray(keys), np.ascontiguousarray(rows, np.float64)
        self._told(self._native.nephila_tally_add(self._place, address(keys), len(keys), address(rows)))

    def add_page(self, keys: Keys, rows: Rows) -> None:
        keys, rows = np.ascontiguousarray(keys), np.ascontiguousarray(rows, np.float64)
        sums, met = np.empty_like(rows), np.empty(len(keys), np.int64)
        given = address(keys), len(keys), address(rows), address(sums), address(met)
        self._told(self._native.nephila_tally_page(self._place, *given))

    def _told(self, full: int) -> None:
        if full:
            raise IndexError(f"a table for {self._most} keys was given more")

    def arrays(self) -> tuple[Keys, Rows]:
        count = len(self)
        return self._arrays.keys[:count].copy(), self._arrays.rows[:count].copy()
