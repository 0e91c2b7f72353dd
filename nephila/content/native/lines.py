"""Lines that may speak of readers' comments, found by the native library. Knows code points only.

It reads the texts as the features have them already, in a tenth of the time that Python takes to look for the stems.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from nephila.content.native.features import lowered
from nephila.content.talk.lines import STEMS
from nephila.native import address, load

_TABLES = Struct("4q")
"""The library's `struct stems`."""
_LETTER, _STARTS, _STARTS_ANYWHERE, _NOTHING = 1, 2, 4, 8
_CJK_FROM = "\u3040"
"""Where the scripts begin that write no spaces: their stems may stand amid a word."""


@cache
def _library() -> ctypes.CDLL | None:
    native = load()
    if native is not None:
        array, number = ctypes.c_void_p, ctypes.c_int64
        native.nephila_talk_lines.restype = number
        native.nephila_talk_lines.argtypes = [ctypes.c_char_p, ctypes.c_char_p, number, array, number, array]
    return native


class _Stems:
    """The stems as the library takes them; the arrays must live as long as it reads them."""

    def __init__(self) -> None:
        plain, lower, left = lowered()
        self._marks, self._starts = np.zeros(len(lower), np.uint8), np.zeros(len(lower), np.uint16)
        self._marks[[match.start() for match in re.finditer(r"[^\W\d_]", plain)]] = _LETTER
        self._marks[left] = 0  # one of them may end in what is no letter
        self._marks[0] = _NOTHING
        points = [0]
        for first in sorted({stem[0] for stem in STEMS}):
            begin_so = lower == ord(first)
            self._starts[begin_so] = len(points)
            self._marks[begin_so] |= _STARTS if first < _CJK_FROM else _STARTS_ANYWHERE
            for stem in STEMS:
                if stem[0] == first:
                    points += [len(stem), *map(ord, stem)]
            points.append(0)
        self._points = np.array(points, np.uint16)
        places = address(lower), address(self._marks), address(self._starts), address(self._points)
        self.packed = _TABLES.pack(*places)


@cache
def _stems() -> _Stems:
    return _Stems()


def native_lines(points: bytes, lengths: NDArray[np.int64]) -> list[int] | None:
    """The places of the short texts in which a word begins with a stem of `talk_lines`; None where there is no library.

    `points`: the code points of all texts, one text after the other.
    """
    native, count = _library(), len(lengths)
    if native is None or lengths.dtype != np.int64 or not lengths.flags.c_contiguous:
        return None
    places = np.empty(count, np.int64)
    found = native.nephila_talk_lines(
        _stems().packed, points, len(points) // 4, address(lengths), count, address(places)
    )
    return None if found < 0 else places[:found].tolist()
