"""Readers' comments as a whole by the native library: as `talk` has them, but for rounding. Knows numbers only."""

from __future__ import annotations

import ctypes
from functools import cache
from struct import Struct

import numpy as np

from nephila.content.features.page import Floats, PageFeatures
from nephila.content.native.features import logarithms
from nephila.content.native.refine import ROOM_BELOW, Again, TreePlaces
from nephila.native import address, load

_TALK = Struct("19qd")
"""The library's `struct talk`."""
_CELLS_A_BLOCK = 10


@cache
def _library() -> ctypes.CDLL | None:
    native = load()
    if native is not None:
        native.nephila_talk.argtypes = [ctypes.c_char_p]
        native.nephila_talk_width.restype = ctypes.c_int64
        if native.nephila_talk_width() != ROOM_BELOW:
            return None
    return native


def native_talk(
    page: PageFeatures, again: Again, said: tuple[Floats, Floats], trees: TreePlaces, bias: float, *, thread: bool
) -> tuple[Floats, Floats] | None:
    """How likely each block is text, and a comment; `said` is the same as the second look left it.

    None where there is no library, or the second look was not its.
    """
    native, room, rows = _library(), again.room, again.rows
    if native is None or room is None:
        return None
    blocks, width = page.dense.shape
    main, comment = (np.array(each, np.float32) for each in said)
    given = [np.ascontiguousarray(each, np.float32) for each in (page.weights, page.dense)]
    talk = np.ascontiguousarray(page.talk, np.uint8)
    cells = np.empty(_CELLS_A_BLOCK * (blocks + 1) + len(rows), np.int32)
    asked = _TALK.pack(
        *(blocks, len(rows), width, len(room) - ROOM_BELOW, thread, *map(address, given), logarithms()),
        *(address(talk), address(rows), *trees, address(room)),
        *(address(main), address(comment), address(cells), bias),
    )
    return None if native.nephila_talk(asked) else (main, comment)
