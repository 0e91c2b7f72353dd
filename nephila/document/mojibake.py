"""Text that was decoded once too often: UTF-8 that somebody took for Latin-1 or Windows-1252 ("cafÃ©"), mended.

Databases and programs do it (a client that believes the default of HTTP/1.1, for one), and a server then sends the
result as good UTF-8: no encoding is wrong any more, only the text. It is told by what no language writes: nearly all
characters beyond ASCII, and several of them, stand in sequences that would be UTF-8. Knows bytes, nothing of HTML.
"""

from __future__ import annotations

import ctypes
import re
from itertools import islice

from nephila.native import load

_LEAST = 8
"""Sequences of a page that is mended; a page may speak of a few."""
_FEW_OTHERS = 0.05
"""Characters beyond ASCII that may stand outside of sequences, as a share of all: what a template added later."""

_WINDOWS = {
    chr(byte): bytes((byte,)).decode("cp1252")
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_TO_BYTES = {ord(sign): control for control, sign in _WINDOWS.items()}
"""What Windows-1252 has in place of control characters, back to these."""
_NEXT = f"[\u0080-\u00bf{''.join(_WINDOWS.values())}]"
_SEQUENCE = re.compile(f"[\u00c2-\u00df]{_NEXT}|[\u00e0-\u00ef]{_NEXT}{{2}}|[\u00f0-\u00f4]{_NEXT}{{3}}")
_BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
_BEGUN = re.compile(
    rb"\xc3[\x82-\xb4](?:\xc2[\x80-\xbf]|\xe2[\x80-\x84]|\xc5[\x92\x93\xa0\xa1\xb8\xbd\xbe]|\xc6\x92|\xcb[\x86\x9c])"
)
"""The first two characters of one, as bytes."""


def mend(utf8: bytes) -> bytes:
    """The page as it was meant; as it is, where it was not decoded twice."""
    if utf8.isascii() or _begun(utf8) < _LEAST:
        return utf8
    text = utf8.decode("utf-8", "replace")
    sequences = _SEQUENCE.findall(text)
    beyond = sum(map(len, _BEYOND_ASCII.findall(text)))
    if len(sequences) < _LEAST or sum(map(len, sequences)) < (1 - _FEW_OTHERS) * beyond:
        return utf8
    return _SEQUENCE.sub(_meant, text).encode("utf-8", "replace")


def _begun(utf8: bytes) -> int:
    """How many sequences begin, up to those that matter: French has a thousand bytes a page that one may begin with."""
    native = load()
    if native is None:
        return sum(1 for _ in islice(_BEGUN.finditer(utf8), _LEAST))
    return int(native.nephila_twice_encoded(utf8, ctypes.c_int64(len(utf8)), _LEAST))


def _meant(found: re.Match[str]) -> str:
    try:
        return found[0].translate(_TO_BYTES).encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return found[0]
