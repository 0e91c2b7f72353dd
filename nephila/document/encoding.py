"""Bytes of a page -> UTF-8 and the name of their encoding. Knows labels and bytes, nothing of HTML beyond <meta>.

Order of trust: byte order mark, HTTP header, <meta> or XML declaration, valid UTF-8, detection. A declaration is
believed unless the bytes contradict it: valid UTF-8, by more than chance, is UTF-8 whatever the server says.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, to_unicode

from nephila.errors import InputError
from nephila.native import beyond_ascii

# The encodings of the web, by Python's names. A label outside (rot13, idna, unicode_escape, ...) is ignored: some
# codecs of Python take quadratic time or mean something else than text.
_WEB_ENCODINGS = frozenset(
    (
        *("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"),
        *("big5", "big5hkscs", "gb2312", "gbk", "gb18030"),
        *("cp932", "shift_jis", "euc_jp", "iso2022_jp", "cp949", "euc_kr"),
        *("koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "cp866", "cp874"),
        *(f"cp125{number}" for number in range(9)),
        *(f"iso8859-{number}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    )
)
_WIDE = ("utf-16", "utf-32")
_MULTIBYTE = frozenset({"big5", "big5hkscs", "cp932", "cp949", "euc_jp", "euc_kr", "gb18030", "shift_jis"})
_ESCAPED = "iso2022_jp"
"""All of it is ASCII: only the escape character tells it apart."""

_DETECTION_BYTES = 256 * 1024
_FEW_ERRORS = 0.02
"""Share of broken characters, of those outside ASCII, up to which an encoding is still believed."""
_SURELY_UTF8 = 16
"""Fewer continuation bytes can be valid UTF-8 by chance while they are GBK, Big5 or Shift_JIS."""

_TELLING_BYTES = 512
"""Fewer bytes are not refused for the control characters among them."""

_NON_ASCII = re.compile(rb"[\x80-\xff]+")
_CONTROL = bytes((*range(0x09), *range(0x0E, 0x1B)))
_SIGNATURES = {
    b"%PDF-": "a PDF file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "gzip data",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"\x7fELF": "a program",
}
_BINARY = tuple(_SIGNATURES)


class Decoded(NamedTuple):
    """The page as UTF-8 (possibly with broken bytes, which readers replace) and what it was in."""

    utf8: bytes
    encoding: str


def decode(body: bytes, content_type: str | None = None, *, url: str | None = None) -> Decoded:
    """Finds the encoding and gives the body as UTF-8; broken bytes are replaced, never raised.

    `content_type` is the value of the HTTP header; the top-level domain of the page's `url` helps the detection.
    Raises InputError for bytes that are no text at all (an image, an archive).
    """
    bom_encoding, bom = read_bom(body)
    if bom is not None:
        rest = body[len(bom) :]
        return Decoded(rest, "utf-8") if bom_encoding == "utf-8" else _transcode(rest, str(bom_encoding))
    header = _known(http_content_type_encoding(content_type))
    if header is not None and header.startswith(_WIDE):
        return _transcode(body, header)
    wide = _refuse_binary(body)
    if wide is not None:
        return _transcode(body, wide)
    if b"\x1b" in body and (header or _declared_inside(body)) == _ESCAPED:
        return _transcode(body, _ESCAPED)
    beyond = beyond_ascii(body)
    if beyond is not None:
        surely = beyond == 0 or beyond >= _SURELY_UTF8
        if surely or (header or _declared_inside(body)) not in _MULTIBYTE:
            return Decoded(body, "utf-8")
    return _legacy(body, header, url)


def _known(name: str | None) -> str | None:
    return name if name in _WEB_ENCODINGS else None


def _declared_inside(body: bytes) -> str | None:
    """What <meta> or the XML declaration says; UTF-16 cannot be true there, since the ASCII of the tag was read."""
    name = _known(html_body_declared_encoding(body))
    return "utf-8" if name is not None and name.startswith(_WIDE) else name


def _legacy(body: bytes, header: str | None, url: str | None) -> Decoded:
    """Neither valid UTF-8 nor ASCII: the first declared encoding with few errors, or else the one that is detected."""
    inside = _declared_inside(body)
    best: tuple[float, str, str] | None = None
    for name in dict.fromkeys(filter(None, (header, inside, "utf-8"))):
        text = to_unicode(body, name)
        broken = _broken_share(body, text)
        if broken <= _FEW_ERRORS:
            return Decoded(text.encode("utf-8", "replace"), name)
        if best is None or broken < best[0]:
            best = (broken, name, text)
    detected = detect(body, tld=_top_level_domain(url))
    text = to_unicode(body, detected)
    if best is not None and best[0] <= _broken_share(body, text):
        _, detected, text = best
    return Decoded(text.encode("utf-8", "replace"), detected)


def _top_level_domain(url: str | None) -> str | None:
    try:
        host = urlsplit(url or "").hostname
    except ValueError:
        return None
    return host.rpartition(".")[2] if host and "." in host else None


def _broken_share(body: bytes, text: str) -> float:
    """Replacement characters, as a share of the bytes outside ASCII. A cut last character does not count."""
    outside = sum(map(len, _NON_ASCII.findall(body)))
    return max(0, text.count("\ufffd") - 1) / max(1, outside)


def detect(body: bytes, *, tld: str | None = None) -> str:
    """The likely legacy encoding of bytes that are not valid UTF-8, by Firefox's detector.

    Measured on 150 pages in 10 encodings (right / median ms): chardetng 150 / 5.5, cchardet 147 / 1.7,
    chardet 142 / 13, charset-normalizer on a sample 134 / 2.5. It runs only where nothing was declared.
    """
    from chardetng_py import EncodingDetector  # only few pages need it

    detector = EncodingDetector()
    detector.feed(body[:_DETECTION_BYTES], last=True)
    ascii_tld = tld.lower().encode("ascii", "ignore") if tld and tld.isascii() and "." not in tld else None
    label = detector.guess(tld=ascii_tld or None, allow_utf8=False)
    return _known(http_content_type_encoding(f"text/html; charset={label}")) or "cp1252"


def _transcode(body: bytes, name: str) -> Decoded:
    return Decoded(to_unicode(body, name).encode("utf-8", "replace"), name)


def _refuse_binary(body: bytes) -> str | None:
    """Raises InputError when the bytes are no text; the name of a wide encoding when they are that, without a mark."""
    head = body[:4096]
    if head.startswith(_BINARY):
        what = next(what for signature, what in _SIGNATURES.items() if head.startswith(signature))
        raise InputError(f"the page is {what}, not HTML: give it to a program that reads such files")
    controls = len(head) - len(head.translate(None, _CONTROL))
    if controls * 20 <= len(head):
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd * 4 > len(head) and even * 20 <= len(head):
        return "utf-16-le"
    if even * 4 > len(head) and odd * 20 <= len(head):
        return "utf-16-be"
    # Stray NULs in a text are dropped by the parser, and of a few bytes nothing can be said.
    if controls == even + odd or len(head) < _TELLING_BYTES:
        return None
    raise InputError("the page is binary data, not HTML: check its Content-Type")
