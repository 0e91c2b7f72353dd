"""The hashes of what a page's blocks say, by the native library: as `site` has them. Knows its arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from nephila.native import address, load

Keys = NDArray[np.uint64]


@cache
def _library() -> ctypes.CDLL | None:
    native = load()
    if native is not None:
        array, number = ctypes.c_void_p, ctypes.c_int64
        native.nephila_starts.argtypes = [ctypes.c_char_p, number, array, number, array, array, array]
    return native


def native_starts(texts: Sequence[str], places: Keys) -> tuple[Keys, Keys] | None:
    """Of each block the hash of its first words, and of the whole; None where there is no library."""
    native, count = _library(), len(texts)
    if native is None:
        return None
    whole, lengths = "".join(texts).encode("utf-8", "replace"), np.fromiter(map(len, texts), np.int64, count)
    places, found = np.ascontiguousarray(places), np.empty((2, count), np.uint64)
    starts, wholes = found
    given = address(lengths), count, address(places), address(starts), address(wholes)
    return None if native.nephila_starts(whole, len(whole), *given) else (starts, wholes)
