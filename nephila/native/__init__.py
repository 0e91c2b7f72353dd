"""The native library: loops that Python is too slow for, in C. Knows no room; each that has such a loop calls it.

It is made of all `*.c` here when the package is installed, where there is a C compiler (`hatch_build.py`). It holds no
Python, allocates nothing and fills arrays of the caller's. Whoever calls it has the same in Python, for where it is
absent.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
LIBRARY = HERE / "libnative.so"


_TEXT = (ctypes.c_char_p, ctypes.c_int64)


def checksum(folder: Path) -> int:
    """Of all sources: the library tells of which it was made."""
    return crc32(b"".join([source.read_bytes() for source in sorted(folder.glob("*.c"))]))


@cache
def load() -> ctypes.CDLL | None:
    """The library; None where there is none, it was made of other sources, or the environment says NEPHILA_NATIVE=0."""
    if os.environ.get("NEPHILA_NATIVE") == "0" or not LIBRARY.exists():
        return None
    try:
        found = ctypes.CDLL(str(LIBRARY))
        found.nephila_source.restype = ctypes.c_uint32
        if found.nephila_source() != checksum(HERE):
            return None
        found.nephila_find.restype = found.nephila_count.restype = ctypes.c_int64
        found.nephila_beyond_ascii.restype = ctypes.c_int64
        found.nephila_beyond_ascii.argtypes = [*_TEXT]
        found.nephila_find.argtypes = [*_TEXT, ctypes.c_int64, *_TEXT]
        found.nephila_count.argtypes = [*_TEXT, ctypes.c_int]
        return found
    except (OSError, AttributeError):
        return None


def at(array: NDArray[np.generic]) -> ctypes.c_void_p:
    """Where the array's numbers are; they must lie side by side."""
    return ctypes.c_void_p(address(array))


_address_of, _from_buffer = ctypes.addressof, ctypes.c_char.from_buffer
"""By names of their own: a page has eighty arrays."""


def address(array: NDArray[Any] | bytearray) -> int:
    """The same as a plain number, as structures hold it; the array must live as long as somebody reads there."""
    buffer: Any = array
    try:
        return _address_of(_from_buffer(buffer))  # a quarter of the time of what follows
    except (TypeError, ValueError):  # nobody may write to it, or nothing is in it
        place: int = np.asarray(array).__array_interface__["data"][0] if len(array) else 0
        return place


_SMALL = 2_000
"""Bytes that Python searches faster than it makes the call."""


def find(text: bytes, word: bytes, start: int = 0) -> int:
    """As `text.find`, for words in whole pages: in a fifth of the time."""
    native = load() if len(text) - start > _SMALL else None
    if native is None:
        return text.find(word, start)
    place: int = native.nephila_find(text, len(text), start, word, len(word))
    return place


def count(text: bytes, octet: bytes) -> int:
    """How often a single byte is there."""
    native = load()
    return text.count(octet) if native is None else int(native.nephila_count(text, len(text), octet[0]))


def beyond_ascii(text: bytes) -> int | None:
    """The bytes by which characters outside ASCII are longer than one; None when the text is not valid UTF-8."""
    if text.isascii():
        return 0
    native = load()
    if native is not None:
        found: int = native.nephila_beyond_ascii(text, len(text))
        return None if found < 0 else found
    try:
        return len(text) - len(text.decode("utf-8"))
    except UnicodeDecodeError:
        return None
