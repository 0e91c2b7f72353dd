"""A crawl without a network: the guide leads, a layout answers, nothing is fetched twice under one identity."""

from __future__ import annotations

import asyncio
import heapq
import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from nephila.document import Document, parse
from nephila.forum import META, Archive, Guide, Guided, Kind
from nephila.forum.rowfacts import RowFacts
from nephila.memory import SqliteMemory
from nephila.urls import canonicalize, fingerprint, host_key, resolve


class Site(Protocol):
    @property
    def start(self) -> str: ...

    def get(self, url: str) -> tuple[int, str]: ...


@dataclass
class Walked:
    fetched: list[str] = field(default_factory=list)
    posts: dict[str, dict[str, Any]] = field(default_factory=dict)
    again: int = 0
    """Posts that were delivered though they had been."""
    guide: Guide | None = None


@dataclass(order=True)
class _Queued:
    rank: tuple[int, int]
    url: str = field(compare=False)
    meta: dict[str, Any] = field(compare=False)
    mark: int = field(compare=False)


class Walk:
    def __init__(self, site: Site, memory: SqliteMemory, seen: set[int] | None = None) -> None:
        self.site = site
        self.guide = Guide(memory)
        self.archive = Archive(memory)
        self.facts = RowFacts(memory)
        self.walked = Walked(guide=self.guide)
        self._queue: list[_Queued] = []
        self._seen: set[int] = set() if seen is None else seen
        """Identities that were ever queued: what a frontier keeps between runs."""
        self._count = 0
        self._waiting: list[tuple[str, dict[str, Any], str, Kind]] = []
        self._remembered: list[tuple[str, dict[str, Any], str]] = []
        self._keys: set[int] = set()

    def push(self, url: str, priority: int, identity: str | None, meta: dict[str, Any]) -> None:
        mark = fingerprint(identity or url)
        if mark not in self._seen:
            self._seen.add(mark)
            self._count += 1
            heapq.heappush(self._queue, _Queued((-priority, self._count), url, meta, mark))

    async def run(self, most: int = 2000) -> Walked:
        await self.guide.load(self.site.start)
        self.push(canonicalize(self.site.start) or "", 20, None, {})
        while (self._queue or self._waiting) and len(self.walked.fetched) < most:
            if not self._queue:
                await self._release(everything=True)
                continue
            await self._turn(heapq.heappop(self._queue))
            await self._release()
        await self.guide.share()
        return self.walked

    async def _turn(self, queued: _Queued) -> None:
        verdict = self.guide.judge(queued.url, queued.meta, again=False)
        if verdict is False:
            return
        if verdict is not True:
            known = fingerprint(verdict.identity or verdict.url)
            if known in self._seen:
                return
            self._seen.add(known)
            queued.mark = known
            queued.meta = {**queued.meta, **verdict.meta}
        self.walked.fetched.append(queued.url)
        status, body = self.site.get(queued.url)
        if 300 <= status < 400:
            target = canonicalize(body, queued.url)
            if target is not None:
                self.guide.redirected(queued.url, target)
                same = self.guide.is_same_page(queued.url, target, queued.meta)
                identity = f"{target}#{queued.mark}" if same else None
                self.push(target, -queued.rank[0], identity, {**queued.meta, "from": queued.url})
        elif status == 200:
            await self._page(queued.url, queued.meta, body)

    async def _page(self, url: str, meta: dict[str, Any], body: str, *, settled: bool = False) -> None:
        document = parse(body, url)
        guided = self.guide.look(url, meta, document, self._now(), again=settled)
        for left in await self.guide.released():
            self.push(left.url, 0, f"{left.url}#again" if left.refused else None, {})
        kind = Kind.OTHER if guided is None or guided.reading.comments else guided.reading.kind
        if not settled and self.guide.undecided(url, meta, kind):
            if guided is not None:
                self._follow(guided.ways)
            if kind is not Kind.THREAD:
                self._follow_all(document, url)
            self._waiting.append((url, meta, body, kind))
            self.guide.kept(url)
            return
        if not settled and self.guide.learning(url):
            self._remembered.append((url, meta, body))
            self.guide.kept(url)
        if guided is not None:
            self._follow(await self.facts.sift(guided, self.archive) if guided.steered else guided.ways)
            if guided.steered and guided.reading.kind is Kind.THREAD and guided.key is not None:
                await self._deliver(guided, url)
        if guided is None or not guided.steered:
            self._follow_all(document, url)

    def _follow_all(self, document: Document, url: str) -> None:
        for link in resolve(url, [href for href, _ in document.hrefs]):
            if link is not None and host_key(link) == host_key(url):
                self.push(link, 0, None, {})

    def _now(self) -> float:
        """A site may show its pages as of a moment of its own."""
        now: datetime | None = getattr(self.site, "now", None)
        return time.time() if now is None else now.timestamp()

    def _follow(self, ways: list[Any]) -> None:
        for way in ways:
            self.push(canonicalize(way.url) or way.url, way.priority, way.identity, way.meta)

    async def _deliver(self, guided: Guided, url: str) -> None:
        assert guided.reading.found is not None
        assert guided.key is not None
        found = guided.reading.found.posts
        versions = await self.archive.enter(host_key(url), guided.key.name, guided.key.page, url, found, guided.first)
        for place, version in enumerate(versions):
            if version.key in self._keys or version.post is None:
                continue
            self._keys.add(version.key)
            self.walked.again += version.id in self.walked.posts
            post = version.post
            self.walked.posts[version.id] = {
                "board": guided.board, "title": guided.title, "author": post.author, "text": post.text,
                "published": post.published, "position": post.number or guided.first + place, "version": version.number,
                "quotes": post.quotes,
            }  # fmt: skip

    async def _release(self, *, everything: bool = False) -> None:
        if self.guide.is_forum(self.site.start):
            remembered, self._remembered = self._remembered, []
            for url, meta, body in remembered:
                await self._page(url, meta, body, settled=True)
        waiting, self._waiting = self._waiting, []
        for url, meta, body, kind in waiting:
            if everything or not self.guide.undecided(url, meta, kind):
                await self._page(url, meta, body, settled=True)
            else:
                self._waiting.append((url, meta, body, kind))


def walk(site: Site, place: Path, most: int = 2000) -> Walked:
    async def go() -> Walked:
        memory = SqliteMemory(place / "memory.sqlite")
        try:
            return await Walk(site, memory).run(most)
        finally:
            await memory.close()

    return asyncio.run(go())


__all__ = ["META", "Walk", "Walked", "walk"]
