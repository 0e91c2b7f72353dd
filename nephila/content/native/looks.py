"""The looks of a page's containers by the native library, which remembers those of start tags. Knows its structures.

To ask a dictionary for a hundred tags, each cut out of the page first, took three times as long.
"""

from __future__ import annotations

import ctypes
import secrets
from collections.abc import Callable
from functools import cache
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from nephila.document.layout import Layout
from nephila.document.outline import Outline
from nephila.native import address, load

_MOST, _ROOM = 50_000, 4 * 1024 * 1024
"""Tags that are remembered, and their bytes in all; then all are forgotten. Memory is touched only as it fills."""
_LONGEST = 4096
"""Bytes of a tag that is worth it."""
_MEMORY, _CONTAINERS = Struct("3qQ7q"), Struct("10q")
"""The library's `struct memory` and `struct containers`."""


@cache
def _library() -> ctypes.PyDLL | None:
    """The library as it is called while nobody else may touch the memory."""
    native = load()
    if native is None:
        return None
    held = ctypes.PyDLL(native._name)
    held.nephila_looks.restype = ctypes.c_int64
    held.nephila_looks.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p]
    held.nephila_remember.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64, ctypes.c_char_p]
    return held


class _Memory:
    """Looks by start tags."""

    def __init__(self, size: int, most: int = _MOST, room: int = _ROOM) -> None:
        slots = 1 << (2 * most).bit_length()
        self._arrays: list[NDArray[np.generic]] = [
            np.full(slots, -1, dtype=np.int32),
            np.empty(most, dtype=np.uint64),
            np.empty(most, dtype=np.int64),
            np.empty(room, dtype=np.uint8),
            np.empty(most * size, dtype=np.uint8),
        ]
        seed = secrets.randbits(64)
        self._packed = bytearray(_MEMORY.pack(slots, most, room, seed, 0, 0, *map(address, self._arrays)))
        self.place = address(self._packed)


_memories: dict[int, _Memory] = {}


def native_looks(layout: Layout, outline: Outline, size: int, look_of: Callable[[bytes], bytes]) -> bytearray | None:
    """The looks side by side, of `size` bytes each; `look_of` makes one that is not known. None without the library."""
    native, markup, count = _library(), layout.markup, len(outline.numbers)
    if native is None:
        return None
    memory = _memories.get(size) or _memories.setdefault(size, _Memory(size))
    looks, missing, hashes = bytearray(count * size), np.empty(count, dtype=np.int32), np.empty(count, dtype=np.uint64)
    given = _CONTAINERS.pack(
        *(count, len(markup.html), len(markup.tag)),
        *map(address, (outline.numbers, layout.tag_of, markup.start, markup.stop)),
        *(address(looks), address(missing), address(hashes)),
    )
    unknown = native.nephila_looks(markup.html, memory.place, given)
    if unknown < 0:
        return None
    made: dict[bytes, bytes] = {}
    for container in missing[:unknown].tolist():
        tag = markup.source(int(layout.tag_of[outline.numbers[container]]))
        look = made.get(tag)
        if look is None:
            look = made[tag] = look_of(tag)
            if len(tag) <= _LONGEST and native.nephila_remember(memory.place, tag, len(tag), look):
                # Another memory, not this one made empty: another thread may be about to ask it.
                memory = _memories[size] = _Memory(size)
        looks[container * size : (container + 1) * size] = look
    return looks
