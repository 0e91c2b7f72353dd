"""Feeds: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed. Bytes in; addresses, dates and titles out: what a crawler needs.

Knows nothing of fetching; `sniffing` tells feeds, sitemaps and pages apart.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple
from urllib.parse import urljoin

import orjson

from nephila.fetch.dates import parse_date
from nephila.fetch.listed_url import listed_url
from nephila.fetch.loosexml import CLOSE, OPEN, Tag, attributes_of, plain, scan
from nephila.fetch.sniffing import FEED_ROOTS, sniff
from nephila.fetch.source_text import SourceText

__all__ = ["Feed", "FeedEntry", "parse_feed", "parse_feed_text", "sniff"]

MAX_ENTRIES = 10_000
MAX_BYTES = 32 * 2**20

_ENTRY = frozenset({b"item", b"entry"})
_PUBLISHED = frozenset({b"pubdate", b"published", b"issued", b"date", b"created"})
_UPDATED = frozenset({b"updated", b"modified"})
_TEXTS = _PUBLISHED | _UPDATED | {b"guid", b"id", b"origlink"}
_MARKUP = re.compile(r"<[^<>]*>")
_MAX_DEPTH = 64
_MAX_TITLE = 500


class FeedEntry(NamedTuple):
    url: str
    date: float | None = None
    """The newest date that the entry gives, seconds since the epoch."""
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    kind: Literal["rss", "atom", "rdf", "json", "unknown"]
    entries: list[FeedEntry] = field(default_factory=list)
    cut: bool = False


def parse_feed(body: bytes, url: str = "", *, max_entries: int = MAX_ENTRIES, max_bytes: int = MAX_BYTES) -> Feed:
    """`url` is the feed's own, for relative addresses in it. Never raises: what is no feed is `unknown`."""
    return parse_feed_text(SourceText.of(body, max_bytes), url, max_entries)


def parse_feed_text(source: SourceText, url: str, max_entries: int = MAX_ENTRIES) -> Feed:
    if source.body[:1024].lstrip()[:1] == b"{":
        return _json_feed(source, url, max_entries)
    reader = _Reader(source, url)
    entries: list[FeedEntry] = []
    for entry in reader.entries():
        if len(entries) >= max_entries:
            return Feed(reader.kind, entries, cut=True)
        entries.append(entry)
    return Feed(reader.kind, entries, source.cut)


class _Item:
    """What has been read of one entry."""

    __slots__ = ("base", "fallback", "link", "prefix", "texts", "title")

    def __init__(self, prefix: bytes, base: str, about: str) -> None:
        self.prefix = prefix
        self.base = base
        self.fallback = about
        self.link = ""
        self.title: bytes | None = None
        self.texts: dict[bytes, bytes] = {}


class _Reader:
    """One pass over the tags. Only what stands directly in an entry counts: a quoted source has links of its own."""

    def __init__(self, source: SourceText, url: str) -> None:
        self._source = source
        self._base = url
        self._item: _Item | None = None
        self._open: list[bytes] = []  # elements within the item
        self.kind: Literal["rss", "atom", "rdf", "unknown"] = "unknown"

    def entries(self) -> Iterator[FeedEntry]:
        for tag in scan(self._source.body):
            done = self._close(tag[2]) if tag[0] == CLOSE else self._start(tag)
            if done is not None:
                yield done
        last = self._finished()
        if last is not None:
            yield last

    def _start(self, tag: Tag) -> FeedEntry | None:
        kind, prefix, name, attributes, text = tag
        item = self._item
        if name in _ENTRY and (item is None or prefix == item.prefix):
            done = self._finished()
            given = attributes_of(attributes, self._source) if attributes else {}
            self._item = _Item(prefix, _joined(self._base, given.get("base")), given.get("about", ""))
            return done
        if item is None:
            self._start_outside(name, attributes)
            return None
        if not self._open:
            self._take(item, prefix, name, attributes, text)
        if kind == OPEN and len(self._open) < _MAX_DEPTH:
            self._open.append(name)
        return None

    def _start_outside(self, name: bytes, attributes: bytes) -> None:
        if self.kind == "unknown" and name in FEED_ROOTS:
            self.kind = FEED_ROOTS[name]
            self._base = _joined(self._base, attributes_of(attributes, self._source).get("base"))

    def _take(self, item: _Item, prefix: bytes, name: bytes, attributes: bytes, text: bytes) -> None:
        own = prefix in (b"", item.prefix)
        if name == b"link" and (own or prefix == b"atom"):
            given = attributes_of(attributes, self._source)
            if given.get("rel", "alternate").lower() == "alternate" and not item.link:
                item.link = given.get("href") or plain(text, self._source)
        elif name == b"title" and own and item.title is None:
            item.title = text
        elif name == b"guid" and b"false" in attributes.lower():
            return
        elif name in _TEXTS:
            item.texts.setdefault(name, text)

    def _close(self, name: bytes) -> FeedEntry | None:
        if name in _ENTRY:
            return self._finished()
        if name in self._open:
            while self._open.pop() != name:
                pass
        return None

    def _finished(self) -> FeedEntry | None:
        item, self._item = self._item, None
        self._open.clear()
        if item is None:
            return None
        texts = {name: plain(raw, self._source) for name, raw in item.texts.items()}
        # An identifier is an address only if it looks like one; feed proxies keep the true address in `origLink`.
        named = [text for text in (texts.get(b"guid", ""), texts.get(b"id", "")) if text.startswith("http")]
        for candidate in (texts.get(b"origlink", ""), item.link, *named, item.fallback):
            url = listed_url(candidate, item.base)
            if url is not None:
                dates = [parse_date(text) for name, text in texts.items() if name in _PUBLISHED or name in _UPDATED]
                title = None if item.title is None else _title(plain(item.title, self._source))
                return FeedEntry(url, _newest(dates), title)
        return None


def _joined(base: str, relative: str | None) -> str:
    if not relative:
        return base
    try:
        return urljoin(base, relative)
    except ValueError:
        return base


def _newest(dates: list[float | None]) -> float | None:
    return max((date for date in dates if date is not None), default=None)


def _title(text: str) -> str | None:
    text = " ".join(html.unescape(_MARKUP.sub(" ", text)).split())
    return text[:_MAX_TITLE] or None


def _json_feed(source: SourceText, url: str, max_entries: int) -> Feed:
    try:
        feed = orjson.loads(source.body)
    except ValueError:
        return Feed("unknown")
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        return Feed("unknown")
    entries = [entry for item in items[:max_entries] if (entry := _json_entry(item, url)) is not None]
    return Feed("json", entries, cut=len(items) > max_entries)


def _json_entry(item: Any, base: str) -> FeedEntry | None:
    if not isinstance(item, dict):
        return None
    texts = {key: value for key, value in item.items() if isinstance(value, str)}
    identifier = texts.get("id", "")
    for candidate in (texts.get("url", ""), texts.get("external_url", ""), identifier if "://" in identifier else ""):
        url = listed_url(candidate, base)
        if url is not None:
            dates = [parse_date(texts.get(key, "")) for key in ("date_modified", "date_published")]
            return FeedEntry(url, _newest(dates), _title(texts.get("title", "")))
    return None
