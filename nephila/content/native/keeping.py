"""The blocks to keep by the native library: as `keeping` finds them by numbers alone. Knows numbers only."""

from __future__ import annotations

import ctypes
from functools import cache
from struct import Struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats, PageFeatures
from nephila.native import address, load

_KEEPING = Struct("9qd")
"""The library's `struct keeping`."""


class Kept(NamedTuple):
    blocks: NDArray[np.bool_]
    expected: float
    again: list[int]
    """Those of them whose texts are long and on the page more than once."""


@cache
def _library() -> ctypes.CDLL | None:
    native = load()
    if native is not None:
        native.nephila_keep.restype = ctypes.c_int64
        native.nephila_keep.argtypes = [ctypes.c_char_p]
    return native


def native_keeping(main: Floats, page: PageFeatures, least: float) -> Kept | None:
    """None where there is no library, or the numbers are not as they should be."""
    native, (count, width) = _library(), page.dense.shape
    if native is None or len(main) != count:
        return None
    given = [np.ascontiguousarray(each, np.float32) for each in (main, page.weights, page.dense)]
    likely, places, kept = np.empty(count + 1, np.float32), np.empty(3 * count, np.int64), np.empty(count, np.bool_)
    room = address(places)
    again = native.nephila_keep(
        _KEEPING.pack(
            *(count, width, *map(address, given), address(likely)),
            *(room, address(kept), room + 16 * count, least),
        )
    )
    if again < 0:
        return None
    return Kept(kept, float(likely[count]), places[2 * count : 2 * count + again].tolist())
