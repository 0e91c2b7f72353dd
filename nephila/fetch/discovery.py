"""From links to entries: canonical form, scope, trap guards and depth, decided in one place for every source."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol

from nephila.frontier.base import Entry
from nephila.job import Job
from nephila.urls import References, Scope, canonicalize, family, fingerprint, host_key, resolve, trap, url_date

SOURCE_PRIORITY = 50
"""Sitemaps and feeds go first: they bring dates, and with them the order of everything else."""
SEED_PRIORITY = 20
_REMEMBERED = 200_000
"""Fingerprints that this worker pushed lately; a page repeats most of the links of the page before it."""


def scope_of(job: Job) -> Scope:
    rules = job.scope
    return Scope.of(job.seeds, mode=rules.mode, include=rules.include, exclude=rules.exclude)


class Guided(Protocol):
    """A link as a guide wants it followed."""

    url: str
    priority: int
    identity: str | None
    modified: float | None
    meta: dict[str, Any]


class Discovery:
    def __init__(self, job: Job, on_trap: Callable[[str, str], None]) -> None:
        self._job = job
        self._on_trap = on_trap
        self._pushed: dict[int, None] = {}
        self._references = References()
        self.scope = scope_of(job)

    def forget(self) -> None:
        """What was pushed lately may not have been kept."""
        self._pushed.clear()
        self._references.forget()

    def widen(self, url: str) -> bool:
        """A seed redirected out of its own scope: the site that it leads to is meant. Returns whether that was news."""
        if self.scope.allows(url):
            return False
        self.scope = self.scope.with_seed(url)
        self.forget()  # what was out of scope a moment ago may be within it now
        return True

    def references(self, base: str, hrefs: Iterable[str], depth: int, *, encoding: str = "utf-8") -> list[Entry]:
        """`page_links` for links as they are written on a page; what was met lately in its folder is not read again."""
        if not self._job.sites:  # else each link may have a depth of its own
            if self._too_deep(base, depth):
                return []
            hrefs = self._references.fresh(base, hrefs, encoding=encoding)
        return self.page_links(resolve(base, hrefs, encoding=encoding), depth)

    def page_links(self, urls: Iterable[str | None], depth: int) -> list[Entry]:
        """Entries for the canonical links of a page; `depth` is the links' own. What was pushed lately is left out."""
        entries = []
        pushed, allows = self._pushed, self.scope.allows
        for url in urls:
            if url is None:
                continue
            identity = fingerprint(url)
            if identity in pushed:
                continue
            if self._too_deep(url, depth):
                continue  # not remembered: it may be linked from nearer to a seed as well
            pushed[identity] = None
            entry = self._judged(url, depth) if allows(url) else None
            if entry is not None:
                entries.append(entry)
        if len(pushed) > _REMEMBERED:
            for identity in list(pushed)[: _REMEMBERED // 2]:
                del pushed[identity]
        return entries

    def dated_links(self, links: Iterable[tuple[str, float | None]], depth: int) -> list[Entry]:
        """Entries for what a sitemap or feed lists, with its dates; a date is news even for a URL that is known."""
        entries = []
        for raw, modified in links:
            url = canonicalize(raw)
            if url is not None and self.scope.allows(url):
                # Without a family: what a site lists itself is no trap, and newspapers list thousands of one shape.
                entry = self._judged(url, depth, modified=modified, listed=True)
                if entry is not None:
                    entries.append(entry)
        return entries

    def guided(self, way: Guided, depth: int) -> Entry | None:
        """The entry of a link that a guide chose; its identity may be shared by several URLs."""
        url = canonicalize(way.url)
        if url is None or not self.scope.allows(url) or self._too_deep(url, depth) or trap(url) is not None:
            return None
        entry = _entry(url, depth, priority=way.priority, modified=way.modified, meta=way.meta)
        return entry if way.identity is None else replace(entry, fingerprint=fingerprint(way.identity))

    def redirect(self, target: str, depth: int, priority: int, meta: dict[str, Any]) -> Entry | None:
        """The canonical target of a redirect, if it may be fetched; it keeps the depth of what led there."""
        if not self.scope.allows(target) and "source" not in meta:
            return None
        return self._judged(target, depth, priority=priority, meta=meta)

    def source(self, url: str, kind: str, depth: int, *, guessed: bool = False, below: int = 0) -> Entry | None:
        """A sitemap or feed; may stand on another host, as the protocol of sitemaps allows.

        `below`: how many indexes lead to it.
        """
        canonical = canonicalize(url)
        if canonical is None:
            return None
        meta = {"source": kind} | ({"guessed": True} if guessed else {}) | ({"below": below} if below else {})
        return _entry(canonical, depth, priority=SOURCE_PRIORITY, meta=meta)

    def _judged(
        self,
        url: str,
        depth: int,
        *,
        modified: float | None = None,
        priority: int = 0,
        meta: dict[str, Any] | None = None,
        listed: bool = False,
    ) -> Entry | None:
        if self._too_deep(url, depth):
            return None
        reason = trap(url)
        if reason is not None:
            self._on_trap(reason, url)
            return None
        shape = None if listed else family(url)
        return _entry(url, depth, priority=priority, modified=modified, shape=shape, meta=meta)

    def _too_deep(self, url: str, depth: int) -> bool:
        own = self._job.site(host_key(url)).depth if self._job.sites else None
        limit = self._job.limits.depth if own is None else own
        return limit is not None and depth > limit


def seed_entries(urls: Iterable[str]) -> list[Entry]:
    """Seeds are judged by nobody: a person named them."""
    canonical = [url for url in map(canonicalize, urls) if url is not None]
    return [_entry(url, 0, priority=SEED_PRIORITY) for url in canonical]


def _entry(
    url: str,
    depth: int,
    *,
    priority: int = 0,
    modified: float | None = None,
    shape: int | None = None,
    meta: dict[str, Any] | None = None,
) -> Entry:
    return Entry(
        url=url,
        fingerprint=fingerprint(url),
        host=host_key(url),
        depth=depth,
        priority=priority,
        modified=modified if modified is not None else url_date(url),
        family=shape,
        meta=meta,
    )
