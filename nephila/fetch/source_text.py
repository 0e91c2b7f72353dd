"""The bytes of a sitemap or feed, made ready for scanning: unpacked, within a bound, in a known encoding.

Knows nothing of XML beyond the declaration that may name the encoding.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

SIZE_LIMIT = 64 * 2**20
"""The sitemap protocol allows 50 MB unpacked; files a little over it are common."""

_GZIP = b"\x1f\x8b"
_CHUNK = 64 * 1024
_MAX_MEMBERS = 4096
_MAX_LAYERS = 2
"""A .gz file sent with a second compression that the server forgot to announce is known to happen."""

_DECLARED = re.compile(rb"""<\?xml[^<>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""", re.IGNORECASE)
# Encodings in which the bytes of < > & " ' never stand for anything else, so that bytes can be scanned as they are.
# A closed list: some of Python's codecs (punycode, unicode_escape, utf-7) are slow or change what the markup says.
_SCANNABLE = re.compile(
    r"utf-?8|us-ascii|ascii|iso-?8859-?\d{1,2}|latin-?[19]|(windows-?|cp)125\d|windows-?874|koi8-?[ru]|tis-?620"
    r"|gb2312|gbk|gb18030|big5(-hkscs)?|shift[_-]?jis|windows-?31j|euc-?(jp|kr|tw)|ks_c_5601-1987",
    re.IGNORECASE,
)
_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


@dataclass(frozen=True, slots=True)
class SourceText:
    body: bytes
    """In an encoding whose markup is ASCII."""
    encoding: str
    cut: bool
    """Not all of it is here: over the limit, or a broken stream."""

    @classmethod
    def of(cls, raw: bytes, limit: int = SIZE_LIMIT) -> SourceText:
        body, cut = _unpacked(raw, limit)
        for mark, encoding in _BYTE_ORDER_MARKS:
            if body.startswith(mark):
                if encoding == "utf-8":
                    return cls(body[len(mark) :], encoding, cut)
                return cls(_transcoded(body, encoding), "utf-8", cut)
        if body[:4] in (b"<\x00?\x00", b"<\x00r\x00", b"<\x00u\x00"):
            return cls(_transcoded(body, "utf-16-le"), "utf-8", cut)
        if body[:4] in (b"\x00<\x00?", b"\x00<\x00r", b"\x00<\x00u"):
            return cls(_transcoded(body, "utf-16-be"), "utf-8", cut)
        return cls(body, _declared(body[:512]), cut)

    def text(self, value: bytes) -> str:
        """A piece of the body as text. Files that claim UTF-8 and hold Windows-1252 are the usual fault."""
        try:
            return value.decode(self.encoding)
        except UnicodeDecodeError:
            return value.decode("cp1252" if self.encoding == "utf-8" else self.encoding, "replace")


def _declared(head: bytes) -> str:
    found = _DECLARED.search(head)
    name = found[1].decode("ascii").lower() if found else "utf-8"
    if not _SCANNABLE.fullmatch(name):
        return "utf-8"
    try:
        "".encode(name)
    except LookupError:
        return "utf-8"
    return "utf-8" if name == "utf8" else name


def _transcoded(body: bytes, encoding: str) -> bytes:
    return body.decode(encoding, "replace").encode("utf-8", "replace").removeprefix(b"\xef\xbb\xbf")


def _unpacked(body: bytes, limit: int) -> tuple[bytes, bool]:
    cut = False
    for _ in range(_MAX_LAYERS):
        if not body.startswith(_GZIP):
            break
        body, broken = _gunzipped(body, limit)
        cut = cut or broken
    return (body, cut) if len(body) <= limit else (body[:limit], True)


def _gunzipped(body: bytes, limit: int) -> tuple[bytes, bool]:
    """At most `limit` bytes of the content, and whether something is missing. What came before a fault is kept.

    Fed in chunks: zlib copies what follows the end of a member, and thousands of tiny members would make it copy the
    whole file each time.
    """
    found = bytearray()
    at = 0
    for _ in range(_MAX_MEMBERS):
        member = zlib.decompressobj(wbits=31)
        while not member.eof:
            chunk = member.unconsumed_tail or body[at : at + _CHUNK]
            if not member.unconsumed_tail:
                at += len(chunk)
            if not chunk:
                return bytes(found), True
            try:
                found += member.decompress(chunk, limit + 1 - len(found))
            except zlib.error:
                return bytes(found), True
            if len(found) > limit:
                return bytes(found[:limit]), True
        at -= len(member.unused_data)
        if not body.startswith(_GZIP, at):
            return bytes(found), False  # bytes after the last member are padding
    return bytes(found), True
