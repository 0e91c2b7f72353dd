"""The address that a sitemap, feed or robots.txt lists, as one that can be fetched."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

MAX_LENGTH = 8192
_BREAKS = re.compile(r"[\x00-\x1f\x7f]+\s*")
_WEB = ("http://", "https://")


def listed_url(text: str, base: str) -> str | None:
    """Absolute http(s) URL, or None; line breaks inside are the file's formatting, not the address."""
    if not text or len(text) > MAX_LENGTH:
        return None
    text = _BREAKS.sub("", text).strip()
    try:
        if not text.startswith(_WEB):
            text = urljoin(base, text) if text else ""
        elif "[" in text:  # a bracket may make the host one that no parser takes
            urlsplit(text)
    except ValueError:
        return None
    if not text.lower().startswith(_WEB):
        return None
    return text if text.partition("://")[2].strip("/") else None
