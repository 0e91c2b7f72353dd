"""The choice by the native library: as `choice` makes it, but for rounding. Knows numbers only."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats
from nephila.native import address, load


@cache
def _library() -> ctypes.CDLL | None:
    native = load()
    if native is not None:
        array, number = ctypes.c_void_p, ctypes.c_int64
        native.nephila_choose.restype = ctypes.c_float
        native.nephila_choose.argtypes = [array, array, number, ctypes.c_double, array, array]
    return native


def native_choice(probabilities: Floats, weights: Floats, least: float) -> tuple[NDArray[np.bool_], float] | None:
    """None where there is no library, or the numbers are not of single precision, side by side."""
    native, count = _library(), len(probabilities)
    both = (probabilities, weights)
    if native is None or any(e.dtype != np.float32 or e.shape != (count,) or not e.flags.c_contiguous for e in both):
        return None
    kept, room = np.empty(count, dtype=np.bool_), np.empty(2 * count, dtype=np.int64)
    places = address(probabilities), address(weights), count, least, address(room), address(kept)
    return kept, native.nephila_choose(*places)
