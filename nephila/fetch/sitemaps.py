"""Sitemaps: XML, gzipped, plain text, indexes of sitemaps, and feeds used as sitemaps. Bytes in, entries out.

Knows nothing of fetching: which sitemaps to ask for, and how deep an index may lead, is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from nephila.fetch.dates import parse_date
from nephila.fetch.feeds import parse_feed_text
from nephila.fetch.listed_url import listed_url
from nephila.fetch.loosexml import CLOSE, OPEN, plain, scan
from nephila.fetch.sniffing import FEED_ROOTS, SITEMAP_ROOTS
from nephila.fetch.source_text import SIZE_LIMIT, SourceText

MAX_ENTRIES = 100_000
"""The protocol allows 50,000; files a little over it are common."""

_ENTRY = frozenset({b"url", b"sitemap"})
_FIELDS = frozenset({b"loc", b"lastmod", b"changefreq", b"priority"})
_CHANGE_FREQUENCIES = frozenset({"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"})
_LINE = re.compile(rb"[^\r\n]+")
_MAX_DEPTH = 32


class SitemapEntry(NamedTuple):
    loc: str
    lastmod: float | None = None
    """Seconds since the epoch."""
    changefreq: str | None = None
    priority: float | None = None
    published: float | None = None
    """From the news or video extension."""


@dataclass(frozen=True, slots=True)
class Sitemap:
    kind: Literal["index", "urlset", "text", "feed", "unknown"]
    entries: list[SitemapEntry] = field(default_factory=list)
    """Of an index: the sitemaps; otherwise the pages."""
    cut: bool = False
    """There was more than the limits allow, or the file is broken off."""


def parse_sitemap(
    body: bytes, url: str = "", *, max_entries: int = MAX_ENTRIES, max_bytes: int = SIZE_LIMIT
) -> Sitemap:
    """`url` is the sitemap's own, for relative addresses in it. Never raises: what is no sitemap is `unknown`."""
    source = SourceText.of(body, max_bytes)
    if source.body[:1024].lstrip()[:1] != b"<":
        return _text_sitemap(source, url, max_entries)
    root = next((tag[2] for tag in scan(source.body[:65536])), b"")
    if root in FEED_ROOTS:
        feed = parse_feed_text(source, url, max_entries)
        listed = [SitemapEntry(entry.url, lastmod=entry.date) for entry in feed.entries]
        return Sitemap("feed", listed, feed.cut)
    reader = _Reader(source, url)
    entries: list[SitemapEntry] = []
    for entry in reader.entries():
        if len(entries) >= max_entries:
            return Sitemap(reader.kind, entries, cut=True)
        entries.append(entry)
    kind = reader.kind if entries or root in SITEMAP_ROOTS else "unknown"
    return Sitemap(kind, entries, source.cut)


class _Reader:
    """One pass over the tags. Where an entry begins is believed more than where it ends: end tags get lost."""

    def __init__(self, source: SourceText, url: str) -> None:
        self._source = source
        self._url = url
        self._fields: dict[bytes, bytes] = {}
        self._open: list[bytes] = []  # elements within the entry
        self.kind: Literal["index", "urlset"] = "urlset"

    def entries(self) -> Iterator[SitemapEntry]:
        for kind, prefix, name, _, text in scan(self._source.body):
            done = self._close(name) if kind == CLOSE else self._start(kind, prefix, name, text)
            if done is not None:
                yield done
        last = self._finished()
        if last is not None:
            yield last

    def _start(self, kind: int, prefix: bytes, name: bytes, text: bytes) -> SitemapEntry | None:
        within = self._open
        if name in _ENTRY and (not within or not prefix):
            done = self._finished()
            self.kind = "index" if name == b"sitemap" else "urlset"
            return done
        if name in SITEMAP_ROOTS:
            self.kind = "index" if name == b"sitemapindex" else "urlset"
            return None
        done = None
        if name in _FIELDS and not within:
            done = self._finished() if name == b"loc" and b"loc" in self._fields else None
            self._fields.setdefault(name, text)
        elif name == b"publication_date":
            self._fields.setdefault(name, text)
        if kind == OPEN and len(within) < _MAX_DEPTH:
            within.append(name)
        return done

    def _close(self, name: bytes) -> SitemapEntry | None:
        if name in _ENTRY:
            return self._finished()
        if name in self._open:
            while self._open.pop() != name:
                pass
        return None

    def _finished(self) -> SitemapEntry | None:
        fields = self._fields
        self._open.clear()
        if not fields:
            return None
        self._fields = {}
        loc = listed_url(self._value(fields, b"loc"), self._url)
        if loc is None:
            return None
        frequency = self._value(fields, b"changefreq").lower()
        return SitemapEntry(
            loc,
            parse_date(self._value(fields, b"lastmod")),
            frequency if frequency in _CHANGE_FREQUENCIES else None,
            _priority(self._value(fields, b"priority")),
            parse_date(self._value(fields, b"publication_date")),
        )

    def _value(self, fields: dict[bytes, bytes], name: bytes) -> str:
        raw = fields.get(name)
        return plain(raw, self._source) if raw else ""


def _priority(text: str) -> float | None:
    try:
        value = float(text.replace(",", ".")) if text else -1.0
    except ValueError:
        return None
    return value if 0.0 <= value <= 1.0 else None


def _text_sitemap(source: SourceText, url: str, max_entries: int) -> Sitemap:
    """One address a line. Any other text has many lines that are none."""
    entries: list[SitemapEntry] = []
    strays = 0
    for line in _LINE.finditer(source.body):
        text = source.text(line[0][:10_000]).strip()
        if not text or text.startswith("#"):
            continue
        found = listed_url(text, url) if text.lower().startswith(("http://", "https://")) and " " not in text else None
        if found is None:
            strays += 1
            if strays > 10 + len(entries):
                return Sitemap("unknown", cut=source.cut)
            continue
        if len(entries) >= max_entries:
            return Sitemap("text", entries, cut=True)
        entries.append(SitemapEntry(found))
    if not entries or strays > len(entries):
        return Sitemap("unknown", cut=source.cut)
    return Sitemap("text", entries, source.cut)
