"""Following: where a page, a list of pages or a redirect leads goes to the frontier. Knows discovery and the keeper.

Links go to the frontier before the page that they stood on is acked.
"""

from __future__ import annotations

from dataclasses import replace

from nephila.crawling.circles import Circles, second_look
from nephila.crawling.novelty import digest
from nephila.crawling.segments import Segments
from nephila.crawling.settling import Settling, page_of
from nephila.crawling.steering import Steering
from nephila.document import Document
from nephila.fetch.client import Answer
from nephila.fetch.discovery import Discovery
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.leases import LeaseKeeper
from nephila.fetch.sources import links_of_source
from nephila.forum import Guided
from nephila.frontier.base import Lease, Visit
from nephila.job import Job
from nephila.memory import Memory
from nephila.page import Page
from nephila.telemetry import Counters, Metric
from nephila.urls import canonicalize, fingerprint, resolve

_SITEMAP_LEVELS = 4
"""The protocol knows one index above the lists; a server that answers each index with another one would never end."""


class Following:
    def __init__(
        self,
        job: Job,
        keeper: LeaseKeeper,
        discovery: Discovery,
        segments: Segments,
        counters: Counters,
        memory: Memory,
        settling: Settling,
        steering: Steering | None,
    ) -> None:
        self._job = job
        self._keeper = keeper
        self._discovery = discovery
        self._segments = segments
        self._counters = counters
        self._memory = memory
        self._settling = settling
        self._steering = steering
        self._circles = Circles()

    async def links(self, lease: Lease, document: Document, guided: Guided | None = None) -> None:
        rules = self._job.scope
        if rules.nofollow and document.nofollow:
            return
        wanted = document.hrefs_within(rules.links) if rules.links else None
        if guided is not None and self._steering is not None:
            entries = await self._steering.entries(guided, lease)
            if wanted is not None:
                named = set(resolve(document.base_url or lease.url, sorted(wanted), encoding=document.encoding))
                entries = [entry for entry in entries if entry.url in named]
            self._keeper.found(entries)
            if guided.steered:
                self._counters.add(Metric.LINKS_FOUND, len(entries))
                return
        hrefs = [href for href, unvouched in document.hrefs if not (unvouched and rules.nofollow)]
        relations = document.relations
        hrefs += [href for href in (relations.next, relations.prev, relations.refresh) if href is not None]
        if wanted is not None:
            hrefs = [href for href in hrefs if href in wanted]
        base = document.base_url or lease.url
        found = self._discovery.references(base, hrefs, lease.depth + 1, encoding=document.encoding)
        if rules.feeds and lease.depth == 0 and guided is None:
            feeds = [self._discovery.source(feed, "feed", lease.depth) for feed in relations.feeds]
            found += [feed for feed in feeds if feed is not None]
        self._counters.add(Metric.LINKS_FOUND, len(hrefs))
        if found:
            self._keeper.found(found, lease)

    def source(self, lease: Lease, page: Page) -> None:
        source = links_of_source(page)
        depth = lease.depth
        found = self._discovery.dated_links(source.pages, depth + 1)
        below = int((lease.meta or {}).get("below", 0)) + 1
        for url in source.sitemaps if below <= _SITEMAP_LEVELS else ():
            entry = self._discovery.source(url, "sitemap", depth, below=below)
            if entry is not None:
                found.append(entry)
        self._counters.add(Metric.SKIPPED, label=f"{(lease.meta or {})['source']}: a list of pages")
        self._counters.add(Metric.LINKS_FOUND, len(source.pages))
        self._keeper.found(found, lease)
        content = digest(page.body)
        self._segments.settle(
            Visit(
                lease,
                counted=False,
                changed=content != lease.digest,
                etag=page.headers.get("etag"),
                last_modified=page.headers.get("last-modified"),
                digest=content,
            )
        )

    async def redirect(self, lease: Lease, answer: Answer) -> None:
        """The target becomes an entry of its own: deduped, judged by scope, robots, politeness like any other."""
        self._counters.add(Metric.REDIRECTS)
        location = answer.headers.get("location", "")
        meta = dict(lease.meta or {})
        hops = int(meta.get("hops", 0)) + 1
        target = canonicalize(location, lease.url) if location else None
        if target is None:
            raise FetchError(Cause.REDIRECT_TARGET, f"redirected to {location[:200]!r}")
        if hops > self._job.limits.max_redirects:
            raise FetchError(Cause.REDIRECTS, f"more than {self._job.limits.max_redirects} redirects")
        if fingerprint(target) == lease.fingerprint or "again" in meta:
            raise FetchError(Cause.REDIRECT_LOOP, "redirects to itself")  # the handler has followed it for a while
        meta.update({"from": meta.get("from", lease.url), "hops": hops})
        if lease.depth == 0 and "source" not in meta:
            await self._widen(target)
        entry = self._discovery.redirect(target, lease.depth, lease.priority, meta)
        if self._steering is not None:
            entry = self._steering.redirected(lease, target, entry)
        if entry is None:
            self._counters.add(Metric.OUT_OF_SCOPE)
        elif self._circles.closes(fingerprint(lease.url), fingerprint(target)):
            meta["again"] = True
            self._keeper.found([replace(entry, fingerprint=second_look(entry.fingerprint), meta=meta)], lease)
        else:
            self._keeper.found([entry], lease)
        self._settling.settle(Visit(lease, counted=False, novel=False), [], page_of(lease, answer))

    async def _widen(self, target: str) -> None:
        """A seed that redirects to another site means that site; the other workers learn it from the memory."""
        if self._discovery.widen(target):
            await self._memory.put("scope", target, b"")

    async def learn(self) -> None:
        """The sites that other workers were led to from the seeds."""
        for target, _ in await self._memory.items("scope"):
            self._discovery.widen(target)
