"""Scrapy's settings for a Nephila worker: our handler, a short list of middlewares, every risky default off."""

from __future__ import annotations

from typing import Any

from nephila.fetch.parts import FetchParts
from nephila.job import Job

_UNLIMITED = 10_000
"""Politeness is the frontier's: Scrapy's own per-domain bound must never be the tighter one."""


def in_flight(job: Job) -> int:
    """Pages of a worker under way: those that wait for its browser have room of their own, beside the plain ones."""
    waiting = 8 * job.browser.concurrency if may_render(job) else 0
    return job.politeness.concurrency + waiting


def share_of(job: Job, hosts: int, workers: int) -> tuple[int, bool]:
    """Requests that one of several workers may have under way at so many hosts; and whether it may claim ahead."""
    most = in_flight(job)
    parallel = max(job.politeness.parallel, *(site.parallel or 1 for site in job.sites.values()), 1)
    share = -(-parallel * max(1, hosts) // workers)
    return min(most, share), share >= most


def may_render(job: Job) -> bool:
    return job.render != "never" or any(site.render not in (None, "never") for site in job.sites.values())


def scrapy_settings(parts: FetchParts) -> dict[str, Any]:
    return {
        # The worker runs its own asyncio loop (uvloop) with Scrapy as a guest in it; no Twisted reactor is needed.
        "TWISTED_REACTOR_ENABLED": False,
        "DOWNLOAD_HANDLERS": {
            "http": "nephila.fetch.handler.HttpHandler",
            "https": "nephila.fetch.handler.HttpHandler",
            "file": None,
            "data": None,
            "ftp": None,
            "s3": None,
        },
        # Redirects, retries, cookies, compression, robots: each has one place of ours (the pipeline, the frontier, the
        # client, the gate), so none of Scrapy's middlewares is left. A middleware costs about 0.05 ms a page.
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "DOWNLOADER_MIDDLEWARES": {"nephila.fetch.gate.Gate": 100},
        "SPIDER_MIDDLEWARES_BASE": {},
        "EXTENSIONS_BASE": {},
        "SCHEDULER": "nephila.fetch.scheduler.Queue",
        "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",  # the counters are ours
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "LOG_ENABLED": False,
        "CONCURRENT_REQUESTS": in_flight(parts.job),
        "CONCURRENT_REQUESTS_PER_DOMAIN": _UNLIMITED,
        # 100, the default, starts 100 tasks a response: 0.7 ms a page.
        "CONCURRENT_ITEMS": 1,
        "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 64 * 2**20,
        "DOWNLOAD_DELAY": 0,
        "RETRY_ENABLED": False,
        "REDIRECT_ENABLED": False,
        "COOKIES_ENABLED": False,
        "HTTPCACHE_ENABLED": False,
    }
