"""The frontier of a Scrapy project, as its settings name it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from nephila.frontier import Frontier, HostRule, Limits, Politeness, SqliteFrontier

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def frontier_path(crawler: Crawler) -> Path:
    """NEPHILA_FRONTIER, or a file named after the project and the spider."""
    settings = crawler.settings
    place = settings.get("NEPHILA_FRONTIER") or f".nephila/{settings['BOT_NAME']}-{crawler.spidercls.name}.sqlite"
    if "://" in place and not place.startswith("sqlite:///"):
        raise NotConfigured(f"NEPHILA_FRONTIER: {place.split('://', 1)[0]}:// is not a frontier that is installed")
    return Path(place.removeprefix("sqlite:///"))


def open_frontier(crawler: Crawler) -> Frontier:
    """With the project's politeness: DOWNLOAD_DELAY and CONCURRENT_REQUESTS_PER_DOMAIN, for all processes together."""
    settings = crawler.settings
    path = frontier_path(crawler)
    path.parent.mkdir(parents=True, exist_ok=True)
    rule = HostRule(
        delay=settings.getfloat("NEPHILA_DELAY"), parallel=settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
    )
    limits = Limits(family_budget=None, lease_seconds=settings.getfloat("NEPHILA_LEASE"))
    return SqliteFrontier(path, Politeness(default=rule), limits)
