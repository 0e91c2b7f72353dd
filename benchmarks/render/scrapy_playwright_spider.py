"""scrapy-playwright as its readme says, with as many pages at once as the others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy_playwright.page import PageMethod
from task import Task


class Pages(scrapy.Spider):
    name = "pages"
    task: Task

    async def start(self) -> AsyncIterator[scrapy.Request]:
        wait = self.task.wait
        ready = PageMethod("wait_for_selector", wait) if wait else PageMethod("wait_for_load_state", "networkidle")
        for url in self.task.urls:
            meta: dict[str, Any] = {"playwright": True, "playwright_page_methods": [ready]}
            yield scrapy.Request(url, meta=meta, dont_filter=True)

    def parse(self, response: scrapy.http.Response) -> None:
        self.task.drew(response.url, response.text)


if __name__ == "__main__":
    task = Task.read()
    handler = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
    process = AsyncCrawlerProcess(
        {
            "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
            "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
            "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": task.executable},
            "PLAYWRIGHT_MAX_PAGES_PER_CONTEXT": task.concurrency,
            "CONCURRENT_REQUESTS": task.concurrency,
            "CONCURRENT_REQUESTS_PER_DOMAIN": task.concurrency,
            "LOG_LEVEL": "ERROR",
            "ROBOTSTXT_OBEY": False,
        }
    )
    process.crawl(Pages, task=task)
    process.start()
    task.report()
