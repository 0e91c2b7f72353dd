"""The Scrapy add-on: one line gives any Scrapy project Nephila's frontier.

    ADDONS = {"nephila.fetch.addon.FrontierAddon": 100}

Links and start requests then live in the frontier (resume after a crash, leases, dead letters, politeness across
processes) while spiders, pipelines and middlewares stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

MIDDLEWARE = "nephila.fetch.middleware.FrontierMiddleware"


class FrontierAddon:
    def update_settings(self, settings: BaseSettings) -> None:
        if not settings.getbool("NEPHILA_ENABLED", True):
            raise NotConfigured("NEPHILA_ENABLED is off")
        # First before the engine: it sees the spider's output after every other spider middleware has.
        settings["SPIDER_MIDDLEWARES"].setdefault(MIDDLEWARE, 10)
        # The frontier keeps the delay between the requests of all processes, counted from the end of one to the start
        # of the next. Scrapy's own stays for what one lease asks for in a row (robots.txt, redirects, retries); only
        # its dice would slow down what the frontier has let pass.
        for name, value in (
            ("NEPHILA_FRONTIER", ""),  # a file named after the project and the spider
            ("NEPHILA_DELAY", settings.getfloat("DOWNLOAD_DELAY")),
            ("NEPHILA_LEASE", 120.0),
            ("RANDOMIZE_DOWNLOAD_DELAY", False),
        ):
            settings.set(name, value, "addon")
