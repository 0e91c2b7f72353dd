"""The frontier of a Scrapy project, as its settings name it: a file of its own, or a server that processes share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from nephila.frontier import Frontier, HostRule, Limits, Politeness, SqliteFrontier

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from nephila.fetch.feed import StartFeed


@dataclass(frozen=True, slots=True)
class FrontierPlace:
    path: Path
    """The file; of a shared frontier none, but beside its name lies who of this machine takes part."""
    url: str | None
    """The server, None for a file."""
    job: str
    """Names the job on a server."""

    @property
    def start_anew(self) -> str:
        """What a person has to do for it."""
        return f"remove {self.path}" if self.url is None else f"set NEPHILA_JOB to another name than {self.job!r}"


def frontier_place(crawler: Crawler) -> FrontierPlace:
    """NEPHILA_FRONTIER, or a file named after the project and the spider."""
    settings = crawler.settings
    name = f"{settings['BOT_NAME']}-{crawler.spidercls.name}"
    place = settings.get("NEPHILA_FRONTIER") or f".nephila/{name}.sqlite"
    if "://" not in place or place.startswith("sqlite:///"):
        return FrontierPlace(Path(place.removeprefix("sqlite:///")), None, name)
    if place.split("://", 1)[0] not in ("redis", "rediss", "unix"):
        raise NotConfigured(f"NEPHILA_FRONTIER: {place.split('://', 1)[0]}:// is not a frontier that is installed")
    return FrontierPlace(Path(f".nephila/{name}.redis"), place, settings.get("NEPHILA_JOB") or name)


def open_frontier(crawler: Crawler) -> Frontier:
    """With the project's politeness: DOWNLOAD_DELAY and CONCURRENT_REQUESTS_PER_DOMAIN, for all processes together."""
    settings = crawler.settings
    place = frontier_place(crawler)
    rule = HostRule(
        delay=settings.getfloat("NEPHILA_DELAY"), parallel=settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
    )
    limits = Limits(family_budget=None, lease_seconds=settings.getfloat("NEPHILA_LEASE"))
    if place.url is None:
        place.path.parent.mkdir(parents=True, exist_ok=True)
        return SqliteFrontier(place.path, Politeness(default=rule), limits)
    try:
        from nephila.frontier.redis import RedisFrontier
    except ImportError:
        raise NotConfigured("NEPHILA_FRONTIER: redis:// needs the redis extra: pip install 'nephila[redis]'") from None
    return RedisFrontier(place.url, place.job, Politeness(default=rule), limits)


def open_feed(crawler: Crawler) -> StartFeed | None:
    """NEPHILA_START_KEY: where other programs push URLs to start from; None where there is none."""
    settings, url = crawler.settings, frontier_place(crawler).url
    key = settings.get("NEPHILA_START_KEY")
    if not key:
        return None
    if url is None:
        raise NotConfigured("NEPHILA_START_KEY: only a frontier on a server (redis://...) can be fed")
    from nephila.fetch.feed import StartFeed

    return StartFeed(url, key.replace("%(name)s", crawler.spidercls.name), settings.getfloat("NEPHILA_MAX_IDLE"))
