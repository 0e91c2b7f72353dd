"""The wiring, the one place that knows every room: Answer -> Page -> Document -> Records -> sinks -> ack.

Each answer ends in exactly one of: a visit that waits for the next segment (acked after the sinks committed it), or a
failure told to the frontier at once. Links go to the frontier before the page that they stood on is acked.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from nephila.crawling.blame import Deaths, Note
from nephila.crawling.early import Early, EarlyPages
from nephila.crawling.failures import Failures, guessed
from nephila.crawling.following import Following
from nephila.crawling.novelty import Novelty, digest
from nephila.crawling.segments import Segments
from nephila.crawling.settling import Settling, page_of
from nephila.crawling.steering import Steering
from nephila.crawling.worth import Worth
from nephila.document import Document, parse
from nephila.errors import InputError
from nephila.fetch.client import Answer
from nephila.fetch.discovery import Discovery
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.leases import LeaseKeeper
from nephila.forum import Guided, Kind, describe
from nephila.frontier.base import Lease, Visit
from nephila.job import Job
from nephila.memory import Memory
from nephila.page import Page
from nephila.reading import Reader, Reading, frame, is_html, read_file
from nephila.sinks import Delivery
from nephila.telemetry import Counters, Metric
from nephila.telemetry.tracing import span
from nephila.urls import delivery_key

if TYPE_CHECKING:
    from nephila.fetch.login import Member

logger = logging.getLogger(__name__)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NO_CONTENT = frozenset({204, 205})


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
        self._segments = segments
        self._counters = counters
        self._novelty = Novelty()
        self._settling = settling = Settling(segments, counters)
        self.worth = Worth(job, keeper, discovery, settling, steering)
        self._following = Following(job, keeper, discovery, segments, counters, memory, settling, steering)
        self.failures = Failures(job, keeper, segments, counters, settling, self._deaths)

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
            await self.failures.failed(lease, error)
        except InputError as error:
            await self.failures.failed(lease, FetchError(Cause.PARSE, str(error)))
        except Exception as error:
            logger.exception("could not process %s", lease.url)
            await self.failures.failed(lease, FetchError(Cause.INTERNAL, f"{type(error).__name__}: {error}"))

    async def _dispatch(self, lease: Lease, answer: Answer) -> None:
        status = answer.status
        if status in _NO_CONTENT:
            self._settling.skip(lease, "no content")
        elif 200 <= status < 300:
            await self._page(lease, answer)
        elif status == 304 and (lease.etag or lease.last_modified):
            visit = Visit(lease, etag=lease.etag, last_modified=lease.last_modified, digest=lease.digest)
            self._settling.unchanged(visit, page_of(lease, answer))
        elif status in _REDIRECTS:
            await self._following.redirect(lease, answer)
        elif guessed(lease):
            self._settling.uncounted(lease)
        else:
            await self.failures.refused(lease, answer)

    async def _page(self, lease: Lease, answer: Answer) -> None:
        page = page_of(lease, answer)
        if "source" in (lease.meta or {}):
            self._following.source(lease, page)
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
        await self._following.links(lease, document, guided)
        await self._settled(lease, page, document, guided)

    async def _waited(self, lease: Lease, answer: Answer, document: Document, followed: bool) -> None:
        """A page that waited for what other pages tell: it is taken as it is now; `followed`: its links were."""
        if self._steering is None:
            return
        page = page_of(lease, answer)
        guided = await self._steering.look(lease, page, document, again=True)
        if not followed or (guided is not None and guided.steered):
            await self._following.links(lease, document, guided)
        await self._settled(lease, page, document, guided)

    async def _settled(self, lease: Lease, page: Page, document: Document, guided: Guided | None) -> None:
        """What the page is to be taken for is decided: reads and delivers it."""
        self.worth.saw(lease, document)
        if self._job.scope.nofollow and document.noindex:
            self._settling.skip(lease, "noindex")
        elif guided is not None and guided.view:
            self._settling.skip(lease, "forum: a view of a thread")
        elif self._steering is not None and guided is not None and self._steering.is_thread(guided):
            await self._thread(lease, page, document, guided)
        else:
            if guided is None or not guided.steered:
                self.worth.compare(lease, document)
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
            self._settling.unchanged(visit, page)
            return
        key = delivery_key(lease.fingerprint, lease.visit)
        if reading.early and await self._kept_for_later(Early(key, page, lease.depth, content)):
            self._segments.settle(visit)
        else:
            self._settling.settle(visit, [record], page, reading.evidence)

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
        self._settling.settle(visit, [], page)

    async def _go_ahead(self, lease: Lease, document: Document, guided: Guided | None) -> None:
        """The page waits, its links do not."""
        thread = guided is not None and guided.reading.kind is Kind.THREAD and not guided.reading.comments
        if thread and self._steering is not None and guided is not None:
            await self._steering.go_ahead(lease, guided)
        else:
            await self._following.links(lease, document, guided)

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
        await self._following.links(lease, document, guided)
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

    async def learn(self) -> None:
        """What other workers know by now; called every second."""
        await self._following.learn()
        await self.worth.share(self._memory)
