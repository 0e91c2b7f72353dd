"""What the pieces that Scrapy builds (handler, gate) share with the spider within one worker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from nephila.fetch.client import Answer, Client
from nephila.fetch.leases import LeaseKeeper
from nephila.fetch.robots import RobotsCache
from nephila.fetch.robotstxt import RobotsFetcher
from nephila.frontier.base import Lease, Politeness
from nephila.job import Job


@dataclass(frozen=True, slots=True)
class RobotsParts:
    cache: RobotsCache
    fetcher: RobotsFetcher
    agent: str
    """The User-Agent whose product token the groups of a robots.txt are matched against."""


@dataclass(frozen=True, slots=True)
class FetchParts:
    job: Job
    client: Client
    keeper: LeaseKeeper
    politeness: Politeness
    robots: RobotsParts | None
    """None: robots.txt is not asked."""
    on_answer: Callable[[Lease, Answer], Awaitable[None]]
    on_failure: Callable[[Lease, BaseException], Awaitable[None]]
    on_sitemaps: Callable[[Lease, list[str]], None]
    """Called with the sitemaps that a robots.txt names, the first time that this worker passes its gate."""
    condemns: Callable[[int], bool] = lambda _: False
    """Whether a page, by its fingerprint, has killed too many of the workers that read it."""
    draw: Callable[[Lease, Answer, bool | None], Awaitable[Answer]] | None = None
    """Gives the page as a browser draws it where that is wanted (True, False; None: as the job says), else as it is."""
    judge: Callable[[Lease], Awaitable[bool]] | None = None
    """Whether a lease is still worth its fetch."""
    reads_first: Callable[[Lease], bool] | None = None
    """Whether a page has to be read before its host is asked for the next."""
    on_unwanted: Callable[[Lease], Awaitable[None]] | None = None
    """Called with the leases that are not."""
