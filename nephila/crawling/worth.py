"""Worth: whether a page that was queued is still worth its fetch, by what the crawl has learned of its kind meanwhile.

Knows kinds that ask not to be kept (`barren`), parameters that change nothing (`aliases`) and the forum's guide.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from nephila.crawling.aliases import Aliases
from nephila.crawling.barren import Barren
from nephila.crawling.settling import Settling
from nephila.crawling.steering import Steering
from nephila.document import Document
from nephila.fetch.discovery import Discovery
from nephila.fetch.leases import LeaseKeeper
from nephila.frontier.base import Lease
from nephila.job import Job
from nephila.memory import Memory

_SHARED_SECONDS = 3.0
"""Between two looks at what others have learned of addresses."""


class Worth:
    def __init__(
        self, job: Job, keeper: LeaseKeeper, discovery: Discovery, settling: Settling, steering: Steering | None
    ) -> None:
        self._scope = job.scope
        self._keeper = keeper
        self._discovery = discovery
        self._settling = settling
        self._steering = steering
        self._barren = Barren()
        self._aliases = Aliases()
        self._shared = 0.0

    def saw(self, lease: Lease, document: Document) -> None:
        """A page that was fetched, and what it says of being kept."""
        barren = self._scope.nofollow and document.noindex and document.nofollow
        self._barren.saw(lease.family, barren=barren)

    def compare(self, lease: Lease, document: Document) -> None:
        """A page that may be the same as another under a shorter address."""
        if self._scope.aliases and self._aliases.asks_for(lease.url):
            hrefs: Iterable[str] = (href for href, _ in document.hrefs)
            self._aliases.saw(lease.url, document.text(), document.title, hrefs)

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
        self._settling.skip(lease, reason)

    def _same_as_another(self, lease: Lease) -> bool:
        # What a sitemap lists has no family: the site vouches for it.
        if not self._scope.aliases or lease.family is None:
            return False
        shorter = self._aliases.shorter(lease.url)
        if shorter is not None and not self._discovery.scope.allows(shorter):
            return False  # nobody would fetch the page by its other name
        if not self._aliases.spares(lease.url):
            return False
        if shorter is not None:
            self._keeper.found(self._discovery.page_links([shorter], lease.depth), lease)
        return True

    async def share(self, memory: Memory) -> None:
        """Exchanges with other workers what was learned of addresses, from time to time."""
        if self._scope.aliases and time.monotonic() > self._shared + _SHARED_SECONDS:
            self._shared = time.monotonic()
            await self._aliases.share(memory)
