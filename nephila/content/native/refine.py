"""The second look by the native library: as `refine` and `symmetric` have it, but for rounding. Knows numbers only."""

from __future__ import annotations

import ctypes
import secrets
from functools import cache
from struct import Struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.page import Floats, PageFeatures
from nephila.content.native.features import logarithms
from nephila.native import address, load

_SEED = secrets.randbits(64)
_CELLS_A_BLOCK, _PLACES = 64, 3
ROOM_BELOW = 26


_LOOK = Struct("6qQ3d14q")
"""The library's `struct second_look`."""
_FOREST = Struct("6q2f")
"""Its `struct forest`."""


class TreePlaces(NamedTuple):
    """Where trees are, as the library takes them: all questions of a tree side by side."""

    features: int
    thresholds: int
    values: int
    trees: int
    depth: int


class Again(NamedTuple):
    """What the trees say of the candidates, `rows`, and what they were told of them."""

    rows: NDArray[np.int64]
    logits: Floats
    inputs: Floats
    room: Floats | None = None
    """The inputs, with `ROOM_BELOW` rows below them that others may fill."""


@cache
def _library() -> ctypes.CDLL | None:
    native = load()
    if native is not None:
        native.nephila_look_again.restype = ctypes.c_int64
        native.nephila_look_again.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        native.nephila_second_look_ranked.argtypes = [ctypes.c_void_p]
    return native


@cache
def _count(native: ctypes.CDLL, width: int, kinds: int) -> int:
    """The numbers that the trees are told of a block."""
    return int(native.nephila_second_look_width(ctypes.c_int64(width), ctypes.c_int64(kinds)))


class _Look:
    """A page as the library takes it; the arrays must live as long as it reads them."""

    def __init__(
        self,
        native: ctypes.CDLL,
        page: PageFeatures,
        said: tuple[Floats, Floats, Floats],
        rows: NDArray[np.int64],
        below: int = 0,
    ) -> None:
        """`said`: main, comment and kinds; `rows`: the candidates, or room for them; `below`: more rows of inputs."""
        blocks, width = page.dense.shape
        containers, kinds = len(page.spans), len(said[2])
        table = 1 << (2 * _PLACES * blocks).bit_length()
        cells = _CELLS_A_BLOCK * blocks + 2 * containers + 8
        # One array for all that is needed meanwhile: order, cells, slots.
        room = np.empty(blocks + cells + table // 2, dtype=np.int64)
        self.inputs: Floats = np.empty((_count(native, width, kinds) + below, len(rows)), dtype=np.float32)
        floats = [np.ascontiguousarray(each, np.float32) for each in (*said, page.dense, page.weights)]
        rest: list[NDArray[np.generic]] = [
            *(np.ascontiguousarray(each, dtype=np.int32) for each in (page.ancestors, page.spans)),
            np.ascontiguousarray(page.places, dtype=np.uint64),
        ]
        order = address(room)
        self.packed = bytearray(
            _LOOK.pack(
                *(blocks, containers, len(rows), width, kinds, table, _SEED, 0.0, 0.0, 0.0),
                *(*map(address, floats), logarithms(), order, address(rows), *map(address, rest)),
                *(order + 8 * blocks, order + 8 * (blocks + cells), address(self.inputs)),
            )
        )
        self._held = floats, rest, room, rows


def native_inputs(
    page: PageFeatures, main: Floats, comment: Floats, kinds: Floats, rows: NDArray[np.int64]
) -> Floats | None:
    """None where there is no library, or the page's numbers are not what they should be."""
    native = _library()
    if native is None:
        return None
    look = _Look(native, page, (main, comment, kinds), np.array(rows, dtype=np.int64))
    return None if native.nephila_second_look_ranked(address(look.packed)) else look.inputs


def look_again(
    page: PageFeatures, said: tuple[Floats, Floats, Floats], trees: TreePlaces, bias: float, ruled_out: float
) -> Again | None:
    """All of the second look in one call. None where there is no library, or nothing to look at again."""
    native = _library()
    if native is None:
        return None
    rows, logits = np.empty(len(page.dense), dtype=np.int64), np.empty(len(page.dense), dtype=np.float32)
    look = _Look(native, page, said, rows, ROOM_BELOW)
    found = native.nephila_look_again(address(look.packed), _FOREST.pack(*trees, address(logits), bias, ruled_out))
    if found <= 0:
        return None
    # The inputs of so many candidates lie side by side.
    numbers = len(look.inputs)
    room = look.inputs.ravel()[: numbers * found].reshape(numbers, found)
    return Again(rows[:found], logits[:found], room[:-ROOM_BELOW], room)
