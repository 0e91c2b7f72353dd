"""Mends markup after which an HTML parser takes the rest of the page for the inside of one element.

`<iframe .../>` (XHTML, or a tool that writes XML) and a <title> whose end tag is broken swallow all that follows, in
browsers too. It is looked for only where the walk met such an element with a page inside it.
"""

from __future__ import annotations

import re

SWALLOWED_LENGTH = 1_000
"""More text than this inside <iframe> or <title> is a page that was swallowed."""

_SELF_CLOSED = re.compile(
    rb"<(iframe|noembed|noframes|script|style|textarea|title|xmp)\b[^<>]{0,4000}+(?<=/)>", re.IGNORECASE
)
_TITLE = re.compile(rb"<title\b[^<>]*+>[^<]*+", re.IGNORECASE)
_TITLE_END = re.compile(rb"</title\s*>", re.IGNORECASE)


def close_swallowing(utf8: bytes) -> bytes:
    """The page with an end tag after each self-closed element of raw text, and after a title that has none."""
    utf8 = _SELF_CLOSED.sub(rb"\g<0></\1>", utf8)
    title = _TITLE.search(utf8)
    if title is not None and not _TITLE_END.search(utf8, title.end()):
        utf8 = utf8[: title.end()] + b"</title>" + utf8[title.end() :]
    return utf8
