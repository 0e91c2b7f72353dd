"""From a page to its record: what the rooms that understand pages say of it, in the shape of a Record.

A worker has one `Reader`. What else is to be read out of a page (fields by learned rules, posts of a thread) is added
in `Reader.read`, after the text; how pages are fetched, kept and delivered is not known here.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from nephila.content import SiteStore
from nephila.crawling.novelty import digest
from nephila.document import Document, plain_text
from nephila.extraction import fill
from nephila.job import Job
from nephila.memory import Memory
from nephila.page import Page
from nephila.quality import Evidence
from nephila.record import Record
from nephila.urls import registered_domain

if TYPE_CHECKING:  # loaded by the crawls that need them
    from nephila.content.visual import VisualStore
    from nephila.wrappers.site_rules import Found, SiteRules

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
_SNIFFED_TYPES = frozenset(
    {"", "text/plain", "application/octet-stream", "application/xml", "text/xml", "unknown/unknown"}
)
_HTML_STARTS = (b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<meta", b"<title", b"<div", b"<p>", b"<h1")
_SNIFFED_BYTES = 512
_LONG_BLOCKS = 2000
EARLY_PAGES = 20
"""Pages of a site till its memory tells most of what it will (docs/extraction-figures.md has the curve)."""
_BINARY = bytes(set(range(32)) - {9, 10, 12, 13, 27})


def is_html(page: Page) -> bool:
    """Whether the body is to be read as HTML: by its type, and by its first bytes where the type says little."""
    start = page.body[:_SNIFFED_BYTES]
    if page.content_type in _HTML_TYPES:
        return not _is_binary(start)
    if page.content_type in _SNIFFED_TYPES:
        return start.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_HTML_STARTS)
    return False


def _is_binary(start: bytes) -> bool:
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16
        return False
    return len(start.translate(None, _BINARY)) < len(start) - 2


def _site_rules(memory: Memory) -> SiteRules:
    from nephila.wrappers.site_rules import SiteRules
    from nephila.wrappers.store import RuleStore

    return SiteRules(RuleStore(memory))


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read out of a page."""

    record: Record
    digest: int
    """Of title and text by the page alone: equal on two visits when the page is, whatever was learned in between."""
    evidence: Evidence = field(default_factory=Evidence)
    """What the quality checks are told besides the record."""
    early: bool = False
    """Read while little was known of its site: with what is learned later it may be read better."""


class Reader:
    """Reads pages as the job wants it, with what the workers learn of the sites on the way."""

    def __init__(self, job: Job, memory: Memory) -> None:
        self._plain = job.extract == "plain"
        self._with_links = job.links
        self._sites = SiteStore(memory)
        self._memory = memory
        self._rules = _site_rules(memory) if job.fields and not self._plain else None

    @cached_property
    def _looks(self) -> VisualStore:
        from nephila.content.visual import VisualStore

        return VisualStore(self._memory)

    async def read(self, page: Page, document: Document, depth: int, before: int | None = None) -> Reading:
        """`before` is the digest of an earlier reading of the page: a site learns nothing from the same page twice."""
        record = frame(page, depth)
        if self._plain:
            _read_plainly(record, document)
            content, early = digest(f"{record.title}\n{record.text}"), False
        else:
            content, early = await self._read_content(record, document, before)
            if page.seen is not None:
                await self._look(record, page.seen)
        if self._with_links:
            record.links = [link.url for link in document.links]
        # A drawn page cannot be drawn again from its copy.
        early = early and page.seen is None
        if self._rules is None:
            return Reading(record, content, early=early)
        found = await self._rules.read(document, _site_name(record), record.kind, again=content == before)
        _add_fields(record, found)
        early = early or (found.early and page.seen is None)
        return Reading(record, content, Evidence(found.group, found.agreement), early)

    async def _read_content(self, record: Record, document: Document, before: int | None) -> tuple[int, bool]:
        name = urlsplit(record.final_url or record.url).netloc
        site = await self._sites.site(name)
        early = site.pages < EARLY_PAGES
        learned = before is not None
        if len(document.layout.texts) > _LONG_BLOCKS:
            # Some tenths of a second: the loop has leases to renew meanwhile.
            content = await asyncio.to_thread(fill, record, document, site=site, learned=learned)
        else:
            content = fill(record, document, site=site, learned=learned)
        said = digest(f"{record.title}\n{content.alone}")
        if said != before and content.view is not None and content.likely is not None:
            await self._sites.learn(name, content.view, content.likely)
        return said, early

    async def _look(self, record: Record, seen: Any) -> None:
        """A drawn article is told by its site's own looks, once these are known."""
        look = await self._looks.look(urlsplit(record.final_url or record.url).netloc, seen, record.text)
        if look is not None and record.kind == "article":
            look.write_to(record)

    async def close(self) -> None:
        """Shares what was learned."""
        await self._sites.close()
        if self._rules is not None:
            await self._rules.finish()


def _site_name(record: Record) -> str:
    """Rules are kept by registered domain; a host that has none (an address, localhost) is its own."""
    return record.site or urlsplit(record.final_url or record.url).netloc


def _add_fields(record: Record, found: Found) -> None:
    record.fields = found.values or None
    if found.values and found.kind is not None:
        record.kind = found.kind.lower()
        record.extractor = "rules" if found.agreement else record.extractor


def _read_plainly(record: Record, document: Document) -> None:
    metadata = document.metadata
    record.title = metadata.title
    record.text = plain_text(document)
    record.author = metadata.author
    record.published = metadata.published
    record.modified = metadata.modified
    record.language = metadata.language
    record.site_name = metadata.site_name
    record.description = metadata.description
    record.image = metadata.image
    record.canonical_url = document.relations.canonical
    record.tags = metadata.tags or None
    record.extractor = "plain"


def read_file(page: Page, depth: int) -> Record:
    """What is not HTML is recorded, not parsed."""
    record = frame(page, depth)
    record.kind = "file"
    return record


def frame(page: Page, depth: int) -> Record:
    """The record of a page with what its fetch tells, before it is read."""
    return Record(
        url=page.url,
        final_url=page.final_url,
        fetched_at=datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="seconds"),
        status=page.status,
        site=registered_domain(urlsplit(page.final_url).hostname or ""),
        content_type=page.content_type or None,
        content_length=len(page.body),
        depth=depth,
        rendered=page.rendered,
    )
