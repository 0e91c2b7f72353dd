"""A parsed page as lexbor writes it out again, in UTF-8. Knows selectolax; nothing of what is written.

selectolax gives it as a string, which is made of many small pieces, decoded, and then encoded again. lexbor's own
function hands the pieces to the native library, which puts them side by side: two thirds of the time. It is called
where selectolax's module shows it, of a version that is known to name its nodes by their addresses.
"""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
import selectolax
from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

from nephila.native import address, beyond_ascii, load

_KNOWN_VERSIONS = ("1.0.",)
_SPARE = 4096


def written(tree: LexborHTMLParser, likely: int) -> bytes:
    """`likely`: about how many bytes it has. What is no UTF-8 is replaced."""
    found = _by_library(tree, 2 * likely + _SPARE)
    return (tree.html or "").encode("utf-8", "replace") if found is None else found


@cache
def _library() -> ctypes.PyDLL | None:
    """The native library as it is called while nobody else may touch the tree; None where lexbor cannot be asked."""
    native = load()
    if native is None or _serialise() is None:
        return None
    held = ctypes.PyDLL(native._name)
    held.nephila_written.restype = ctypes.c_int64
    held.nephila_written.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    return held


@cache
def _serialise() -> int | None:
    """Where lexbor's function is; None where it is not shown, or selectolax is not one that was tried."""
    if not selectolax.__version__.startswith(_KNOWN_VERSIONS):
        return None
    try:
        return ctypes.cast(ctypes.PyDLL(lexbor.__file__).lxb_html_serialize_tree_cb, ctypes.c_void_p).value
    except (OSError, AttributeError):
        return None


def _by_library(tree: LexborHTMLParser, room: int) -> bytes | None:
    native = _library()
    root = tree.root if native is not None else None
    document = root.parent if root is not None else None
    if native is None or document is None:
        return None
    text = np.empty(room, dtype=np.uint8)
    length = native.nephila_written(_serialise(), document.mem_id, address(text), room)
    if not 0 <= length <= room:
        return None
    found = text.data[:length].tobytes()
    return found if beyond_ascii(found) is not None else None
