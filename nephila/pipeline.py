"""The wiring, the one place that knows every room: Answer -> Page -> Document -> Records -> sinks -> ack.

Each answer ends in exactly one of: a visit that waits for the next segment (acked after the sinks committed it), or a
failure told to the frontier at once. Links go to the frontier before the page that they stood on is acked.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import xxhash

from nephila.document import Document, parse
from nephila.errors import InputError, SinkError
from nephila.fetch.client import Answer
from nephila.fetch.discovery import Discovery
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.leases import LeaseKeeper
from nephila.fetch.retries import RetryPolicy
from nephila.fetch.sources import links_of_source
from nephila.frontier.base import Lease, Visit
from nephila.job import Job
from nephila.memory import Memory
from nephila.page import Page
from nephila.reading import is_html, read_file, read_page
from nephila.sinks import Delivery, Sink
from nephila.telemetry import Counters, Metric
from nephila.urls import canonicalize, delivery_key, fingerprint, resolve

logger = logging.getLogger(__name__)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SEGMENT_PAGES = 512
_SEGMENT_BYTES = 32 * 2**20
_SEGMENT_SECONDS = 1.0
_TICK = 0.05
_FAMILY_MEMORY = 200_000


@dataclass(frozen=True, slots=True)
class _Pending:
    visit: Visit
    delivery: Delivery | None


class Pipeline:
    def __init__(
        self,
        job: Job,
        keeper: LeaseKeeper,
        discovery: Discovery,
        sinks: Sequence[Sink],
        counters: Counters,
        memory: Memory,
    ) -> None:
        self._job = job
        self._memory = memory
        self._keeper = keeper
        self._discovery = discovery
        self._sinks = sinks
        self._counters = counters
        self._retries = RetryPolicy(job.limits, keeper.frontier)
        self._pending: list[_Pending] = []
        self._pending_bytes = 0
        self._pending_since = 0.0
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="sinks")
        self._shown: dict[tuple[int, int], None] = {}
        self.broken: SinkError | None = None
        """Set when an output cannot be written any more: the worker has to stop; nothing unwritten was acked."""

    # -- answers ---------------------------------------------------------------------------------------------------

    async def answered(self, lease: Lease, answer: Answer) -> None:
        self._counters.add(Metric.STATUS, label=answer.status)
        self._counters.add(Metric.BYTES, len(answer.body))
        self._counters.observe(Metric.FETCH_SECONDS, answer.seconds)
        try:
            await self._dispatch(lease, answer)
        except FetchError as error:
            await self.failed(lease, error)
        except InputError as error:
            await self.failed(lease, FetchError(Cause.PARSE, str(error)))
        except Exception as error:
            logger.exception("could not process %s", lease.url)
            await self.failed(lease, FetchError(Cause.INTERNAL, f"{type(error).__name__}: {error}"))

    async def _dispatch(self, lease: Lease, answer: Answer) -> None:
        status = answer.status
        if 200 <= status < 300:
            self._retries.succeeded(lease.host)
            self._page(lease, answer)
        elif status == 304:
            self._retries.succeeded(lease.host)
            self._counters.add(Metric.UNCHANGED)
            same = Visit(lease, changed=False, etag=lease.etag, last_modified=lease.last_modified, digest=lease.digest)
            self._settle(same)
        elif status in _REDIRECTS and answer.headers.get("location"):
            self._retries.succeeded(lease.host)
            await self._redirect(lease, answer.headers["location"])
        elif _guessed(lease):
            self._settle(Visit(lease, counted=False))
        else:
            await self._refused(lease, answer)

    def _page(self, lease: Lease, answer: Answer) -> None:
        meta = lease.meta or {}
        page = Page(
            url=str(meta.get("from", lease.url)),
            final_url=answer.url,
            status=answer.status,
            body=answer.body,
            fetched_at=answer.started_at,
            headers=answer.headers,
        )
        if "source" in meta:
            self._source(lease, page)
            return
        if not is_html(page):
            record, digest = read_file(page, lease.depth), _digest(page.body)
        else:
            document = parse(page.body, page.final_url, headers=page.headers)
            record = read_page(page, document, lease.depth, with_links=self._job.links)
            digest = _digest(record.text or "")
            self._follow(lease, document)
        visit = Visit(
            lease,
            changed=digest != lease.digest,
            novel=self._is_novel(lease, record.text),
            etag=page.headers.get("etag"),
            last_modified=page.headers.get("last-modified"),
            digest=digest,
        )
        self._counters.add(Metric.PAGES)
        delivery = Delivery(delivery_key(lease.fingerprint, lease.visit), [record])
        self._settle(visit, delivery, len(page.body) // 4)

    def _follow(self, lease: Lease, document: Document) -> None:
        rules = self._job.scope
        if rules.nofollow and document.nofollow:
            return
        hrefs = [link.href for link in document.links if not (rules.nofollow and link.nofollow)]
        relations = document.relations
        hrefs += [href for href in (relations.next, relations.prev, relations.refresh) if href is not None]
        urls = resolve(document.base_url or lease.url, hrefs, encoding=document.encoding)
        found = self._discovery.page_links(urls, lease.depth + 1)
        if rules.feeds and lease.depth == 0:
            feeds = [self._discovery.source(feed, "feed", lease.depth) for feed in relations.feeds]
            found += [feed for feed in feeds if feed is not None]
        self._counters.add(Metric.LINKS_FOUND, len(hrefs))
        if found:
            self._keeper.found(found)

    def _source(self, lease: Lease, page: Page) -> None:
        source = links_of_source(page)
        depth = lease.depth
        found = self._discovery.dated_links(source.pages, depth + 1)
        for url in source.sitemaps:
            entry = self._discovery.source(url, "sitemap", depth)
            if entry is not None:
                found.append(entry)
        self._counters.add(Metric.SKIPPED, label=f"{(lease.meta or {})['source']}: a list of pages")
        self._counters.add(Metric.LINKS_FOUND, len(source.pages))
        self._keeper.found(found)
        digest = _digest(page.body)
        self._settle(
            Visit(
                lease,
                counted=False,
                changed=digest != lease.digest,
                etag=page.headers.get("etag"),
                last_modified=page.headers.get("last-modified"),
                digest=digest,
            )
        )

    async def _redirect(self, lease: Lease, location: str) -> None:
        """The target becomes an entry of its own: deduped, judged by scope, robots, politeness like any other."""
        self._counters.add(Metric.REDIRECTS)
        meta = dict(lease.meta or {})
        hops = int(meta.get("hops", 0)) + 1
        target = canonicalize(location, lease.url)
        if target is None:
            raise FetchError(Cause.REDIRECT_TARGET, f"redirected to {location[:200]!r}")
        if hops > self._job.limits.max_redirects:
            raise FetchError(Cause.REDIRECTS, f"more than {self._job.limits.max_redirects} redirects")
        if fingerprint(target) == lease.fingerprint:
            raise FetchError(Cause.REDIRECT_LOOP, "redirects to itself")  # the handler has followed it for a while
        meta.update({"from": meta.get("from", lease.url), "hops": hops})
        if lease.depth == 0 and "source" not in meta:
            await self._widen(target)
        entry = self._discovery.redirect(target, lease.depth, lease.priority, meta)
        if entry is not None:
            self._keeper.found([entry])
        else:
            self._counters.add(Metric.OUT_OF_SCOPE)
        self._settle(Visit(lease, counted=False, novel=False))

    async def _widen(self, target: str) -> None:
        """A seed that redirects to another site means that site; the other workers learn it from the memory."""
        if self._discovery.widen(target):
            await self._memory.put("scope", target, b"")

    async def learn_scope(self) -> None:
        for target, _ in await self._memory.items("scope"):
            self._discovery.widen(target)

    # -- failures --------------------------------------------------------------------------------------------------

    async def failed(self, lease: Lease, error: BaseException) -> None:
        if not isinstance(error, FetchError):
            logger.error("fetching %s failed unexpectedly", lease.url, exc_info=error)
            error = FetchError(Cause.INTERNAL, f"{type(error).__name__}: {error}")
        if error.cause is Cause.ROBOTS:
            self._counters.add(Metric.ROBOTS_DENIED)
            self._settle(Visit(lease, counted=False, novel=False))
        elif _guessed(lease):
            self._settle(Visit(lease, counted=False))
        else:
            retry_at = await self._retries.after_error(lease, error)
            await self._fail(lease, str(error.cause), f"{error.cause}: {error}", retry_at)

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

    # -- segments --------------------------------------------------------------------------------------------------

    def _settle(self, visit: Visit, delivery: Delivery | None = None, size: int = 256) -> None:
        if not self._pending:
            self._pending_since = time.monotonic()
        self._pending.append(_Pending(visit, delivery))
        self._pending_bytes += size

    def _due(self) -> bool:
        if not self._pending:
            return False
        return (
            self._keeper.starving
            or len(self._pending) >= _SEGMENT_PAGES
            or self._pending_bytes >= _SEGMENT_BYTES
            or time.monotonic() - self._pending_since >= _SEGMENT_SECONDS
        )

    async def flush_forever(self) -> None:
        while self.broken is None:
            await asyncio.sleep(_TICK)
            if self._due():
                await self.flush()

    async def flush(self) -> None:
        """Commits what is pending to every sink, then acks it. On a sink's error nothing of it is acked."""
        pending, self._pending, self._pending_bytes = self._pending, [], 0
        deliveries = [entry.delivery for entry in pending if entry.delivery is not None]
        if deliveries:
            try:
                written = await asyncio.get_running_loop().run_in_executor(self._writer, self._commit, deliveries)
            except SinkError as error:
                self.broken = error
                self._keeper.drain()
                return
            self._counters.add(Metric.RECORDS, sum(len(delivery.records) for delivery in deliveries[:written]))
            self._counters.add(Metric.DUPLICATES, len(deliveries) - written)
        if pending:
            await self._keeper.complete([entry.visit for entry in pending])

    def _commit(self, deliveries: Sequence[Delivery]) -> int:
        """Deliveries that were new to an output; those known to all of them were written before a crash."""
        return max([sink.commit(deliveries) for sink in self._sinks], default=0)

    async def finish(self) -> None:
        while self._pending and self.broken is None:
            await self.flush()
        self._writer.shutdown()

    # -- novelty ---------------------------------------------------------------------------------------------------

    def _is_novel(self, lease: Lease, text: str | None) -> bool:
        """Whether the page says anything that its URL family has not said before; numbers do not count as saying."""
        if lease.family is None or not text:
            return lease.family is None
        shown = (lease.family, _digest(text.translate(_NO_DIGITS)))
        if shown in self._shown:
            return False
        self._shown[shown] = None
        if len(self._shown) > _FAMILY_MEMORY:
            for key in list(self._shown)[: _FAMILY_MEMORY // 2]:
                del self._shown[key]
        return True


_NO_DIGITS = {ord(digit): None for digit in "0123456789"}


def _guessed(lease: Lease) -> bool:
    return bool(lease.meta and lease.meta.get("guessed"))


def _digest(content: bytes | str) -> int:
    """Signed 64 bits, as the frontier keeps it."""
    raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
    return int.from_bytes(xxhash.xxh3_64_digest(raw), "big", signed=True)
