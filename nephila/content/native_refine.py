"""The inputs of the second look by the native library: as `refine` finds them, but for rounding. Knows numbers only."""

from __future__ import annotations

import ctypes
import secrets
from functools import cache
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from nephila.content.features import Floats, PageFeatures
from nephila.content.native_features import logarithms
from nephila.native import address, load

_SEED = secrets.randbits(64)
_CELLS_A_BLOCK, _PLACES = 64, 3


_LOOK = Struct("6qQ3d14q")
"""The library's `struct second_look`."""


@cache
def _count(native: ctypes.CDLL, width: int, kinds: int) -> int:
    """The numbers that the trees are told of a block."""
    return int(native.nephila_second_look_width(ctypes.c_int64(width), ctypes.c_int64(kinds)))


def native_inputs(
    page: PageFeatures, main: Floats, comment: Floats, kinds: Floats, rows: NDArray[np.int64]
) -> Floats | None:
    """None where there is no library, or the page's numbers are not what they should be."""
    native = load()
    if native is None:
        return None
    blocks, width = page.dense.shape
    containers = len(page.spans)
    table = 1 << (2 * _PLACES * blocks).bit_length()
    room = np.empty(_CELLS_A_BLOCK * blocks + 2 * containers + 8, dtype=np.float64)
    slots = np.empty(table, dtype=np.int32)
    inputs = np.empty((_count(native, width, len(kinds)), len(rows)), dtype=np.float32)
    floats = [np.ascontiguousarray(each, np.float32) for each in (main, comment, kinds, page.dense, page.weights)]
    rest: list[NDArray[np.generic]] = [
        np.argsort(-main, kind="stable"),
        np.ascontiguousarray(rows, dtype=np.int64),
        *(np.ascontiguousarray(each, dtype=np.int32) for each in (page.ancestors, page.spans)),
        np.ascontiguousarray(page.places, dtype=np.uint64),
    ]
    likely, said = main * page.weights, comment * page.weights
    look = _LOOK.pack(
        *(blocks, containers, len(rows), width, len(kinds), table, _SEED),
        *map(np.add.reduce, (likely, main * comment * page.weights, said)),
        *(*map(address, floats), logarithms(), *map(address, rest)),
        *(address(room), address(slots), address(inputs)),
    )
    return None if native.nephila_second_look(look) else inputs
