"""The visual models of the sites of a crawl, shared by its workers. Knows the memory's contract and this room.

A worker gathers the drawn pages of a site until there are enough to learn from, learns, and shares the model; from then
on every worker reads the site's pages by it. What was gathered when a worker dies is lost, and gathered again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from nephila.content.visual.extract import Seen
from nephila.content.visual.learning import learn_site
from nephila.content.visual.model import SiteModel
from nephila.content.visual.page import VisualPage, read_visual
from nephila.errors import InputError
from nephila.memory.base import Memory

logger = logging.getLogger(__name__)

SPACE = "content.visual"
LESSONS = (10, 40)
"""Drawn pages of a site after which its model is learned, and learned again."""
_MOST_SITES = 50
_MOST_BLOCKS = 2_000
"""Of one page that is learned from: the longest lists of all teach nothing more."""


@dataclass(slots=True)
class _Site:
    model: SiteModel | None = None
    pages: list[VisualPage] = field(default_factory=list)
    readings: list[str | None] = field(default_factory=list)
    met: int = 0


class VisualStore:
    """Models by site, at hand and shared."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._sites: OrderedDict[str, _Site] = OrderedDict()

    async def look(self, name: str, value: Any, reading: str | None = None) -> Seen | None:
        """What the site's own model sees, given what the block script gave; None while there is no such model, or
        where it finds nothing. The page is learned from, and `reading`, its text by its markup, has a vote in it."""
        try:
            page = read_visual(value)
        except InputError as error:
            logger.debug("a drawn page of %s could not be looked at: %s", name, error)
            return None
        site = await self._site(name)
        await self._learn(name, site, page, reading)
        if site.model is None:
            return None
        scores = site.model.scores(page)
        return Seen(page, scores, "site") if (scores > 0).any() else None

    async def _site(self, name: str) -> _Site:
        site = self._sites.setdefault(name, _Site())
        self._sites.move_to_end(name)
        while len(self._sites) > _MOST_SITES:
            self._sites.popitem(last=False)
        if site.model is None:
            data = await self._memory.get(SPACE, name)
            if data and site.model is None:  # else it was learned meanwhile
                site.model = SiteModel.from_bytes(data)
        return site

    async def _learn(self, name: str, site: _Site, page: VisualPage, reading: str | None) -> None:
        if site.met >= LESSONS[-1] or not page.blocks or len(page.blocks) > _MOST_BLOCKS:
            return
        site.met += 1
        site.pages.append(page)
        site.readings.append(reading)
        if site.met not in LESSONS or (site.model is not None and site.model.pages >= site.met):
            return
        # Half a second for a large site: the loop has leases to renew meanwhile.
        lesson = await asyncio.to_thread(learn_site, list(site.pages), readings=list(site.readings))
        if lesson is not None:
            site.model = lesson.model
            await self._memory.put(SPACE, name, lesson.model.to_bytes())
        if site.met >= LESSONS[-1]:
            site.pages.clear()
            site.readings.clear()
