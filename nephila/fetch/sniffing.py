"""What a body is: a sitemap, a feed, a page, or something else.

The content decides, and the declared type only where the content is mute: feeds are served as `text/html` every day.
"""

from __future__ import annotations

import re
from typing import Literal

from nephila.fetch.loosexml import scan
from nephila.fetch.source_text import SourceText

Kind = Literal["sitemap", "feed", "html", "other"]

_LOOKED_AT = 64 * 1024
SITEMAP_ROOTS = frozenset({b"urlset", b"sitemapindex"})
FEED_ROOTS: dict[bytes, Literal["rss", "atom", "rdf"]] = {
    b"rss": "rss",
    b"channel": "rss",
    b"feed": "atom",
    b"rdf": "rdf",
}
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_PLAIN_TYPES = frozenset({"text/plain", "application/octet-stream", "application/gzip", "application/x-gzip", ""})
_HTML_TAGS = frozenset(
    b"html head body title meta link script style base noscript div p span a h1 h2 h3 table ul ol form header main "
    b"section article nav img br center frameset".split()
)
_HTML_DOCTYPE = re.compile(rb"\s*+(?:<!--(?:[^-]|-(?!->))*+-->\s*+)*+<!doctype\s++html", re.IGNORECASE)
_RSS_1 = re.compile(rb"purl\.org/rss|my\.netscape\.com/rdf|<item[\s>]")
_ADDRESS_LINE = re.compile(rb"https?://[^\s<>]+", re.IGNORECASE)


def sniff(body: bytes, content_type: str = "") -> Kind:
    """`content_type` is the media type, with or without its parameters."""
    declared = content_type.partition(";")[0].strip().lower()
    head = SourceText.of(body[:_LOOKED_AT], _LOOKED_AT).body
    start = head[:1024].lstrip()
    if start[:1] == b"{":
        return "feed" if b"jsonfeed.org/version" in head.replace(b"\\/", b"/") else "other"
    if start[:1] != b"<":
        return _without_markup(start, head, declared)
    if _HTML_DOCTYPE.match(head[:4096]):
        return "html"
    root = next((tag[2] for tag in scan(head)), b"")
    if root in SITEMAP_ROOTS:
        return "sitemap"
    if root == b"rdf":
        return "feed" if _RSS_1.search(head) else "other"
    if root in FEED_ROOTS:
        return "feed"
    return "html" if root in _HTML_TAGS or declared in _HTML_TYPES else "other"


def _without_markup(start: bytes, head: bytes, declared: str) -> Kind:
    if declared in _HTML_TYPES:
        return "html"
    if declared in _PLAIN_TYPES and start:
        # The last line may be cut, and says nothing.
        lines = [line.strip() for line in head.splitlines() if line.strip()]
        whole = lines[:-1] if len(head) >= _LOOKED_AT else lines
        if whole and all(_ADDRESS_LINE.fullmatch(line) for line in whole):
            return "sitemap"
    return "other"
