"""The Scrapy add-ons: one line gives any Scrapy project Nephila's frontier and its browser.

    ADDONS = {"nephila.fetch.addon.FrontierAddon": 100}

`RenderAddon` is the browser alone.

Links and start requests then live in the frontier (resume after a crash, leases, dead letters, politeness across
processes) while spiders, pipelines and middlewares stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from nephila.fetch.browser.scrapy import install

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

MIDDLEWARE = "nephila.fetch.middleware.FrontierMiddleware"


class RenderAddon:
    """Pages of requests with `meta["renderjs"]` are drawn by a browser."""

    def update_settings(self, settings: BaseSettings) -> None:
        install(settings)


class FrontierAddon:
    def update_settings(self, settings: BaseSettings) -> None:
        if not settings.getbool("NEPHILA_ENABLED", True):
            raise NotConfigured("NEPHILA_ENABLED is off")
        install(settings)
        # First before the engine: it sees the spider's output after every other spider middleware has.
        settings["SPIDER_MIDDLEWARES"].setdefault(MIDDLEWARE, 10)
        # The frontier keeps the delay between the requests of all processes, counted from the end of one to the start
        # of the next. Scrapy's own stays for what one lease asks for in a row (robots.txt, redirects, retries); only
        # its dice would slow down what the frontier has let pass.
        for name, value in (
            ("NEPHILA_FRONTIER", ""),  # a file named after the project and the spider; or redis://host:port
            ("NEPHILA_JOB", ""),  # named after the project and the spider
            ("NEPHILA_START_KEY", ""),
            ("NEPHILA_MAX_IDLE", 0.0),
            ("NEPHILA_DELAY", settings.getfloat("DOWNLOAD_DELAY")),
            ("NEPHILA_LEASE", 120.0),
            ("RANDOMIZE_DOWNLOAD_DELAY", False),
        ):
            settings.set(name, value, "addon")
