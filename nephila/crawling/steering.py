"""Forums within a crawl: turns what the guide says of pages and URLs into entries, deliveries and decisions.

The seam between the pipeline and the forum room; on sites that are no forums it does nothing. The first pages of what
may be a forum wait here under their leases till that is known, so that threads become posts and no records of other
kinds; a few more are remembered, to be looked at again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from nephila.crawling.circles import second_look
from nephila.crawling.commenting import Commented, Commenting
from nephila.document import Document
from nephila.fetch.client import Answer
from nephila.fetch.discovery import Discovery
from nephila.fetch.leases import LeaseKeeper
from nephila.forum import Archive, Guide, Guided, Kind, Way, post_record
from nephila.forum.rowfacts import RowFacts
from nephila.frontier.base import Entry, Lease
from nephila.memory import Memory
from nephila.page import Page
from nephila.record import Record
from nephila.sinks import Delivery
from nephila.urls import fingerprint, host_key

_PATIENCE, _LONG_PATIENCE = 30.0, 600.0
"""Seconds that a page waits for what others of its site tell, while there are others; the longer, if it looks like a
page of a forum."""
_SOON = 15.0
_A_WHILE = 1.0
_WAITING, _WAITING_OF_A_SITE = 64, 24
_REMEMBERED, _REMEMBERED_OF_A_SITE = 96, 24
"""Pages that were delivered as they were and may be looked at again when their site proves to be a forum."""
_LARGEST = 2**20


@dataclass(slots=True)
class _Waiting:
    lease: Lease
    answer: Answer
    document: Document
    kind: Kind
    since: float

    @property
    def patience(self) -> float:
        return _PATIENCE if self.kind is Kind.OTHER else _LONG_PATIENCE

    @property
    def followed(self) -> bool:
        """All its links were, and not only those to other pages of what may be a forum."""
        return self.kind is not Kind.THREAD


def _kind(guided: Guided | None) -> Kind:
    """What a page is by itself; an article with comments is like any other."""
    return Kind.OTHER if guided is None or guided.reading.comments else guided.reading.kind


@dataclass(slots=True)
class _Remembered:
    lease: Lease
    page: Page


class Steering:
    def __init__(
        self, guide: Guide, memory: Memory, discovery: Discovery, keeper: LeaseKeeper, *, alone: bool = True
    ) -> None:
        """`alone`: no other worker crawls the same sites."""
        self.guide = guide
        self._alone = alone
        self._archive = Archive(memory)
        self._commenting = Commenting(self._archive)
        self._facts = RowFacts(memory)
        self._discovery = discovery
        self._keeper = keeper
        self._waiting: list[_Waiting] = []
        self._waiting_of: Counter[str] = Counter()
        self._idle_since: float | None = None
        self._remembered: dict[str, list[_Remembered]] = {}

    def reads_first(self, lease: Lease) -> bool:
        """What this page tells may decide whether the next is worth its fetch."""
        return self.guide.knows_little(lease.url)

    async def judge(self, lease: Lease) -> bool:
        """Whether a lease is worth its fetch; where it is another URL's alias, that one is queued instead."""
        await self.guide.load(lease.url)
        if lease.attempt > 1:
            return True  # judged before, and not fetched for some other reason
        untried = not self._alone and self.guide.is_untried(lease.url)
        if untried:
            await self.guide.share_site(lease.url)
        verdict = self.guide.judge(lease.url, lease.meta, again=lease.visit > 0)
        if untried and verdict is True:
            await self.guide.share_site(lease.url)
        if isinstance(verdict, bool):
            return verdict
        meta = {**(lease.meta or {}), **verdict.meta}
        entry = self._discovery.guided(
            replace(verdict, priority=max(verdict.priority, lease.priority), meta=meta), lease.depth
        )
        if entry is None:
            return False
        if entry.fingerprint == lease.fingerprint:
            return True
        self._keeper.found([entry])
        return False

    def redirected(self, lease: Lease, target: str, entry: Entry | None) -> Entry | None:
        """The target's entry; one of its own lease where that has the identity of the target already."""
        self.guide.redirected(lease.url, target)
        if entry is None or not self.guide.is_same_page(lease.url, target, lease.meta):
            return entry
        return replace(entry, fingerprint=fingerprint(f"{target}#{lease.fingerprint}"))

    async def look(self, lease: Lease, page: Page, document: Document, *, again: bool) -> Guided | None:
        await self.guide.load(page.final_url)
        first = self.guide.knows_little(page.final_url)
        guided = self.guide.look(page.final_url, lease.meta, document, page.fetched_at, again=again)
        if first and not self._alone:
            await self.guide.share_site(page.final_url)
        await self._follow_after_all(lease)
        return guided

    async def _follow_after_all(self, lease: Lease) -> None:
        """What was left out and is worth its fetch; what was refused in its turn goes in under another identity."""
        for left in await self.guide.released():
            entry = self._discovery.guided(Way(left.url, 0), lease.depth + 1)
            if entry is not None:
                mark = second_look(entry.fingerprint) if left.refused else entry.fingerprint
                self._keeper.found([replace(entry, fingerprint=mark)])

    async def entries(self, guided: Guided, lease: Lease) -> list[Entry]:
        ways = await self._facts.sift(guided, self._archive) if guided.steered else guided.ways
        entries = [self._discovery.guided(way, lease.depth + 1) for way in ways]
        return [entry for entry in entries if entry is not None]

    def is_thread(self, guided: Guided | None) -> bool:
        return guided is not None and guided.steered and guided.reading.kind is Kind.THREAD and guided.key is not None

    async def posts(self, guided: Guided, frame: Record, page: Page) -> list[Delivery]:
        """One delivery a post: equal keys are one, so that no post is written twice whatever page it is seen on."""
        found, key = guided.reading.found, guided.key
        if found is None or key is None:
            return []
        host = host_key(page.final_url)
        versions = await self._archive.enter(host, key.name, key.page, page.final_url, found.posts, guided.first)
        thread_url = (guided.thread_url or page.final_url).partition("#")[0]
        return [
            Delivery(version.key, [post_record(frame, guided, version, guided.first + place, thread_url)])
            for place, version in enumerate(versions)
        ]

    async def comments(self, page: Page, document: Document, guided: Guided | None) -> Commented | None:
        """Comments under what may be an article: it is no forum's page, for all that is known."""
        if self.guide.is_forum(page.final_url) or _kind(guided) is Kind.THREAD:
            return None
        return await self._commenting.comments(page, document)

    # -- pages that wait -------------------------------------------------------------------------------------------

    def waits(self, lease: Lease, answer: Answer, document: Document, guided: Guided | None) -> bool:
        """Keeps a page back whose kind can be told when others of its site are read."""
        host, kind = host_key(answer.url), _kind(guided)
        if not self.guide.undecided(answer.url, lease.meta, kind):
            return False
        if len(answer.body) > _LARGEST or self._waiting_of[host] >= _WAITING_OF_A_SITE:
            return False
        self._waiting.append(_Waiting(lease, answer, document, kind, time.monotonic()))
        self._waiting_of[host] += 1
        self.guide.kept(answer.url)
        return True

    async def go_ahead(self, lease: Lease, guided: Guided) -> None:
        """Follows a waiting thread to what tells more of its site: its other links are worth nothing if it is one."""
        self._keeper.found(await self.entries(guided, lease))

    def remember(self, lease: Lease, page: Page) -> None:
        """Keeps a copy of a page whose site may be a forum, which is delivered as any other meanwhile."""
        if not self.guide.learning(page.final_url) or len(page.body) > _LARGEST:
            return
        host = host_key(page.final_url)
        full = sum(map(len, self._remembered.values())) >= _REMEMBERED
        if not full and len(self._remembered.get(host, ())) < _REMEMBERED_OF_A_SITE:
            self._remembered.setdefault(host, []).append(_Remembered(lease, page))
            self.guide.kept(page.final_url)

    def recalled(self) -> list[tuple[Lease, Page]]:
        """Pages to look at again: their site is a forum. Those of sites that are none are forgotten."""
        found = []
        for host, kept in list(self._remembered.items()):
            if not self.guide.learning(kept[0].page.final_url):
                del self._remembered[host]
                if self.guide.is_forum(kept[0].page.final_url):
                    found += [(one.lease, one.page) for one in kept]
        return found

    async def release(
        self, process: Callable[[Lease, Answer, Document, bool], Awaitable[None]], *, ending: bool = False
    ) -> None:
        """Lets pages go on that waited long enough, or whose site is known by now; the oldest where they are many.

        `ending`: the worker stops, and what was fetched is not thrown away.
        """
        if not self._waiting:
            return
        idle = ending or await self._idle()
        many = len(self._waiting) - _WAITING
        ready = [one for n, one in enumerate(self._waiting) if idle or n < many or self._is_ready(one)]
        self._waiting = [one for one in self._waiting if one not in ready]
        self._waiting_of = Counter(host_key(one.answer.url) for one in self._waiting)
        for one in ready:
            if self._keeper.holds(one.lease):  # else another worker has it by now
                await process(one.lease, one.answer, one.document, one.followed)

    async def _idle(self) -> bool:
        """Nothing else is under way or will be soon, for a while: there is nothing to wait for.

        For a moment it may look so, while links or leases are on their way to the frontier or from there.
        """
        ready = await self._keeper.next_ready() if self._keeper.starving else 0.0
        if ready is not None and ready <= time.time() + _SOON:
            self._idle_since = None
            return False
        if self._idle_since is None:
            self._idle_since = time.monotonic()
        return time.monotonic() - self._idle_since >= _A_WHILE

    def _is_ready(self, one: _Waiting) -> bool:
        if time.monotonic() - one.since > one.patience:
            return True
        return not self.guide.undecided(one.answer.url, one.lease.meta, one.kind)
