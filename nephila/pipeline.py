"""The wiring, the one place that knows every room: Answer -> Page -> Document -> Records -> sinks -> ack.

Each answer ends in exactly one of: a visit that waits for the next segment (acked after the sinks committed it), or a
failure told to the frontier at once. Links go to the frontier before the page that they stood on is acked.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from nephila.aliases import Aliases
from nephila.barren import Barren
from nephila.blame import Deaths, Note
from nephila.circles import Circles, second_look
from nephila.document import Document, parse
from nephila.early import Early, EarlyPages
from nephila.errors import InputError
from nephila.fetch.client import Answer
from nephila.fetch.discovery import Discovery
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.leases import LeaseKeeper
from nephila.fetch.retries import RetryPolicy
from nephila.fetch.sources import links_of_source
from nephila.forum import Guided, Kind, describe
from nephila.frontier.base import Lease, Visit
from nephila.job import Job
from nephila.memory import Memory
from nephila.novelty import Novelty, digest
from nephila.page import Page
from nephila.quality import Evidence
from nephila.reading import Reader, Reading, frame, is_html, read_file
from nephila.record import Record
from nephila.segments import Segments
from nephila.sinks import Delivery
from nephila.steering import Steering
from nephila.telemetry import Counters, Metric
from nephila.telemetry.tracing import span
from nephila.urls import canonicalize, delivery_key, fingerprint, resolve

if TYPE_CHECKING:
    from nephila.fetch.login import Member

logger = logging.getLogger(__name__)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NO_CONTENT = frozenset({204, 205})
_SITEMAP_LEVELS = 4
"""The protocol knows one index above the lists; a server that answers each index with another one would never end."""


_SHARED_SECONDS = 3.0
"""Between two looks at what others have learned of addresses."""


class Pipeline:
    def __init__(
        self,
        job: Job,
        keeper: LeaseKeeper,
        discovery: Discovery,
        segments: Segments,
        counters: Counters,
        memory: Memory,
        reader: Reader,
        early: EarlyPages | None = None,
        steering: Steering | None = None,
        member: Member | None = None,
        note: Note | None = None,
        deaths: Deaths | None = None,
    ) -> None:
        self._job = job
        self._member = member
        self._note = note or Note()
        self._deaths = deaths or Deaths(memory)
        self._steering = steering
        self._reader = reader
        self._early = early
        self._memory = memory
        self._keeper = keeper
        self._discovery = discovery
        self._segments = segments
        self._counters = counters
        self._retries = RetryPolicy(job.limits, keeper.frontier)
        self._barren = Barren()
        self._aliases = Aliases()
        self._shared = 0.0
        self._novelty = Novelty()
        self._circles = Circles()

    # -- answers ---------------------------------------------------------------------------------------------------

    async def answered(self, lease: Lease, answer: Answer) -> None:
        self._counters.add(Metric.STATUS, label=answer.status)
        self._counters.add(Metric.BYTES, len(answer.body))
        self._counters.observe(Metric.FETCH_SECONDS, answer.seconds)
        if self._member is not None and await self._member.lost(lease.url, answer):
            logger.info("the session was lost at %s: logged in again", lease.url)
            self._counters.add(Metric.RETRIES)
            await self._keeper.fail(lease, "the session was lost", time.time())
            return
        await self._guarded(lease, self._dispatch(lease, answer))
        await self.go_on()

    async def _guarded(self, lease: Lease, work: Awaitable[None]) -> None:
        page = lease.fingerprint
        suspect = lease.orphaned or self._deaths.suspects(page)
        try:
            async with (
                self._note.reading(page, alone=suspect),
                self._deaths.at_risk(page) if suspect else nullcontext(),
            ):
                with span("nephila.page", {"url.full": lease.url}):
                    await work
        except FetchError as error:
            await self.failed(lease, error)
        except InputError as error:
            await self.failed(lease, FetchError(Cause.PARSE, str(error)))
        except Exception as error:
            logger.exception("could not process %s", lease.url)
            await self.failed(lease, FetchError(Cause.INTERNAL, f"{type(error).__name__}: {error}"))

    async def _dispatch(self, lease: Lease, answer: Answer) -> None:
        status = answer.status
        if status in _NO_CONTENT:
            self._skip(lease, "no content")
        elif 200 <= status < 300:
            await self._page(lease, answer)
        elif status == 304 and (lease.etag or lease.last_modified):
            visit = Visit(lease, etag=lease.etag, last_modified=lease.last_modified, digest=lease.digest)
            self._unchanged(visit, _page_of(lease, answer))
        elif status in _REDIRECTS:
            await self._redirect(lease, answer)
        elif _guessed(lease):
            self._segments.settle(Visit(lease, counted=False))
        else:
            await self._refused(lease, answer)

    async def _page(self, lease: Lease, answer: Answer) -> None:
        page = _page_of(lease, answer)
        if "source" in (lease.meta or {}):
            self._source(lease, page)
        elif not is_html(page):
            await self._deliver(lease, page, Reading(read_file(page, lease.depth), digest(page.body)))
        else:
            await self._html(lease, answer, page)

    async def _html(self, lease: Lease, answer: Answer, page: Page) -> None:
        document = parse(page.body, page.final_url, headers=page.headers)
        guided = None
        if self._steering is not None:
            guided = await self._steering.look(lease, page, document, again=False)
            if self._steering.waits(lease, answer, document, guided):
                await self._go_ahead(lease, document, guided)
                return
            self._steering.remember(lease, page)
        await self._follow(lease, document, guided)
        await self._settled(lease, page, document, guided)

    async def _waited(self, lease: Lease, answer: Answer, document: Document, followed: bool) -> None:
        """A page that waited for what other pages tell: it is taken as it is now; `followed`: its links were."""
        if self._steering is None:
            return
        page = _page_of(lease, answer)
        guided = await self._steering.look(lease, page, document, again=True)
        if not followed or (guided is not None and guided.steered):
            await self._follow(lease, document, guided)
        await self._settled(lease, page, document, guided)

    async def _settled(self, lease: Lease, page: Page, document: Document, guided: Guided | None) -> None:
        """What the page is to be taken for is decided: reads and delivers it."""
        barren = self._job.scope.nofollow and document.noindex and document.nofollow
        self._barren.saw(lease.family, barren=barren)
        if self._job.scope.nofollow and document.noindex:
            self._skip(lease, "noindex")
        elif guided is not None and guided.view:
            self._skip(lease, "forum: a view of a thread")
        elif self._steering is not None and guided is not None and self._steering.is_thread(guided):
            await self._thread(lease, page, document, guided)
        else:
            steered = guided is not None and guided.steered
            if self._job.scope.aliases and not steered and self._aliases.asks_for(lease.url):
                hrefs = (href for href, _ in document.hrefs)
                self._aliases.saw(lease.url, document.text(), document.title, hrefs)
            reading = await self._reading(page, document, lease.depth, lease.digest, guided)
            await self._deliver(lease, page, reading)

    async def _reading(
        self, page: Page, document: Document, depth: int, before: int | None, guided: Guided | None = None
    ) -> Reading:
        """The page as it is to be delivered; `before`: the digest of its earlier reading."""
        comments = await self._steering.comments(page, document, guided) if self._steering is not None else None
        if comments is None:
            reading = await self._reader.read(page, document, depth, before)
        else:
            # One number tells both: that of the text alone is what the reader knows.
            text = None if before is None else before ^ comments.digest
            reading = await self._reader.read(page, document, depth, text)
            reading = replace(reading, digest=reading.digest ^ comments.digest)
        if guided is not None:
            describe(reading.record, guided)
        if comments is not None:
            reading.record.posts = comments.posts
        return reading

    async def _deliver(self, lease: Lease, page: Page, reading: Reading) -> None:
        record, content = reading.record, reading.digest
        visit = Visit(
            lease,
            # A file says nothing that could be compared, and nobody builds endless files: it counts as new.
            novel=record.kind == "file" or self._novelty.is_new(lease.family, record.text or record.title),
            etag=page.headers.get("etag"),
            last_modified=page.headers.get("last-modified"),
            digest=content,
        )
        self._counters.add(Metric.PAGES)
        if content == lease.digest:
            self._unchanged(visit, page)
            return
        key = delivery_key(lease.fingerprint, lease.visit)
        if reading.early and await self._kept_for_later(Early(key, page, lease.depth, content)):
            self._segments.settle(visit)
        else:
            self._settle(visit, [record], page, reading.evidence)

    async def _thread(self, lease: Lease, page: Page, document: Document, guided: Guided) -> None:
        """Posts are delivered one by one: each has its own key, wherever it is seen."""
        if self._steering is None:
            return
        self._counters.add(Metric.PAGES)
        deliveries = await self._steering.posts(guided, frame(page, lease.depth), page)
        for delivery in deliveries:
            self._segments.deliver(delivery)
        visit = Visit(
            lease,
            novel=bool(deliveries),
            etag=page.headers.get("etag"),
            last_modified=page.headers.get("last-modified"),
            digest=digest(document.text()),
        )
        self._settle(visit, [], page)

    async def _go_ahead(self, lease: Lease, document: Document, guided: Guided | None) -> None:
        """The page waits, its links do not."""
        thread = guided is not None and guided.reading.kind is Kind.THREAD and not guided.reading.comments
        if thread and self._steering is not None and guided is not None:
            await self._steering.go_ahead(lease, guided)
        else:
            await self._follow(lease, document, guided)

    async def go_on(self, *, ending: bool = False) -> None:
        """Takes up what the steering kept back or remembered, where it can be told by now."""
        if self._steering is None:
            return

        async def settle(lease: Lease, answer: Answer, document: Document, followed: bool) -> None:
            await self._guarded(lease, self._waited(lease, answer, document, followed))

        await self._steering.release(settle, ending=ending)
        for lease, page in self._steering.recalled():
            await self._look_again(lease, page)

    async def _look_again(self, lease: Lease, page: Page) -> None:
        """A page that was delivered before its site was known for a forum: its posts, and the way on from there."""
        if self._steering is None:
            return
        document = parse(page.body, page.final_url, headers=page.headers)
        guided = await self._steering.look(lease, page, document, again=True)
        if guided is None or not guided.steered or guided.key is None:
            return
        await self._follow(lease, document, guided)
        for delivery in await self._steering.posts(guided, frame(page, lease.depth), page):
            self._segments.deliver(delivery)

    async def _kept_for_later(self, early: Early) -> bool:
        return self._job.refine and self._early is not None and await self._early.keep(early)

    async def refine(self) -> None:
        """Reads the pages again that were kept from the beginning, and delivers them; safe to break off at any point.

        Another worker may do the same: equal keys are one delivery.
        """
        archived = self._segments.wants_pages
        while self._early is not None and self._segments.broken is None and (kept := await self._early.some()):
            for early in kept:
                document = parse(early.page.body, early.page.final_url, headers=early.page.headers)
                reading = await self._reading(early.page, document, early.depth, early.digest)
                self._segments.tell(early.key, reading.evidence)
                self._segments.deliver(Delivery(early.key, [reading.record], early.page if archived else None))
            await self._segments.flush()
            if self._segments.broken is None:
                await self._early.drop(early.key for early in kept)

    def _settle(self, visit: Visit, records: Sequence[Record], page: Page, evidence: Evidence | None = None) -> None:
        """A body is kept till the commit only where an output archives it."""
        key = delivery_key(visit.lease.fingerprint, visit.lease.visit)
        if evidence is not None:
            self._segments.tell(key, evidence)
        if self._segments.wants_pages:
            self._segments.settle(visit, Delivery(key, records, page), len(page.body) * 5 // 4)
        elif records:
            self._segments.settle(visit, Delivery(key, records), len(page.body) // 4)
        else:
            self._segments.settle(visit)

    def _unchanged(self, visit: Visit, page: Page) -> None:
        """The outputs hold this page as it is."""
        self._counters.add(Metric.UNCHANGED)
        self._settle(replace(visit, changed=False), [], page)

    def _skip(self, lease: Lease, reason: str) -> None:
        self._counters.add(Metric.SKIPPED, label=reason)
        self._segments.settle(Visit(lease, counted=False, novel=False))

    async def judge(self, lease: Lease) -> bool:
        """Whether a lease is still worth its fetch; what people named is."""
        if lease.depth and (self._barren.spares(lease.family) or self._same_as_another(lease)):
            return False
        return self._steering is None or await self._steering.judge(lease)

    async def unwanted(self, lease: Lease) -> None:
        """What was queued and has proved to be useless is not fetched."""
        self._keeper.request_over(lease, asked=False)
        if self._barren.tells_against(lease.family):
            reason = "not fetched: all of the kind are noindex"
        elif self._aliases.tells_against(lease.url):
            reason = "not fetched: the same page was, under another address"
        else:
            reason = "forum: nothing new there"
        self._skip(lease, reason)

    def _same_as_another(self, lease: Lease) -> bool:
        # What a sitemap lists has no family: the site vouches for it.
        if not self._job.scope.aliases or lease.family is None:
            return False
        shorter = self._aliases.shorter(lease.url)
        if shorter is not None and not self._discovery.scope.allows(shorter):
            return False  # nobody would fetch the page by its other name
        if not self._aliases.spares(lease.url):
            return False
        if shorter is not None:
            self._keeper.found(self._discovery.page_links([shorter], lease.depth), lease)
        return True

    async def _follow(self, lease: Lease, document: Document, guided: Guided | None = None) -> None:
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

    def _source(self, lease: Lease, page: Page) -> None:
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

    async def _redirect(self, lease: Lease, answer: Answer) -> None:
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
        if entry is None:
            self._counters.add(Metric.OUT_OF_SCOPE)
        elif self._circles.closes(lease.fingerprint, entry.fingerprint):
            meta["again"] = True
            self._keeper.found([replace(entry, fingerprint=second_look(entry.fingerprint), meta=meta)], lease)
        else:
            self._keeper.found([entry], lease)
        self._settle(Visit(lease, counted=False, novel=False), [], _page_of(lease, answer))

    async def _widen(self, target: str) -> None:
        """A seed that redirects to another site means that site; the other workers learn it from the memory."""
        if self._discovery.widen(target):
            await self._memory.put("scope", target, b"")

    async def learn(self) -> None:
        """What other workers know by now; called every second."""
        for target, _ in await self._memory.items("scope"):
            self._discovery.widen(target)
        if self._job.scope.aliases and time.monotonic() > self._shared + _SHARED_SECONDS:
            self._shared = time.monotonic()
            await self._aliases.share(self._memory)

    # -- failures --------------------------------------------------------------------------------------------------

    async def failed(self, lease: Lease, error: BaseException) -> None:
        if not isinstance(error, FetchError):
            logger.error("fetching %s failed unexpectedly", lease.url, exc_info=error)
            error = FetchError(Cause.INTERNAL, f"{type(error).__name__}: {error}")
        if error.cause is Cause.LEASE_LOST:
            self._counters.add(Metric.LEASES_LOST)
            self._keeper.forget(lease)
        elif error.cause is Cause.ROBOTS:
            self._counters.add(Metric.ROBOTS_DENIED)
            self._segments.settle(Visit(lease, counted=False, novel=False))
        elif _guessed(lease):
            self._segments.settle(Visit(lease, counted=False))
        else:
            retry_at = await self._retries.after_error(lease, error)
            await self._fail(lease, str(error.cause), f"{error.cause}: {error}", retry_at)
            if error.cause is Cause.CRASH:
                await self._deaths.forget(lease.fingerprint)

    async def _refused(self, lease: Lease, answer: Answer) -> None:
        cause = f"HTTP {answer.status}"
        retry_at = await self._retries.after_status(lease, answer.status, answer.headers.get("retry-after"))
        await self._fail(lease, cause, cause, retry_at)

    async def _fail(self, lease: Lease, cause: str, reason: str, retry_at: float | None) -> None:
        last = retry_at is None or lease.attempt >= self._job.limits.max_attempts
        if last:
            self._counters.error(cause, lease.url)
        else:
            self._counters.add(Metric.RETRIES)
        await self._keeper.fail(lease, reason[:500], retry_at)


def _page_of(lease: Lease, answer: Answer) -> Page:
    return Page(
        url=str((lease.meta or {}).get("from", lease.url)),
        final_url=answer.url,
        status=answer.status,
        body=answer.body,
        fetched_at=answer.started_at,
        headers=answer.headers,
        rendered=answer.rendered,
        seen=answer.seen,
        request_headers=answer.request_headers,
    )


def _guessed(lease: Lease) -> bool:
    return bool(lease.meta and lease.meta.get("guessed"))
