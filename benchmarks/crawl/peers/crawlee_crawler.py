"""Crawlee for Python: the Parsel crawler with the memory storage, links by its own `enqueue_links`."""

from __future__ import annotations

import asyncio
import json
import re
from urllib.parse import urldefrag

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

from benchmarks.crawl.peers.options import Options, parse


async def crawl(options: Options) -> None:
    hosts = "|".join(re.escape(host) for host in options.hosts)
    inside = re.compile(rf"^https?://(?:{hosts})[:/]")
    crawler = ParselCrawler(
        storage_client=MemoryStorageClient(),
        # From the first moment as wide as the others; left to itself it starts at 10 and scales by load.
        concurrency_settings=ConcurrencySettings(
            max_concurrency=options.concurrency, desired_concurrency=options.concurrency
        ),
        respect_robots_txt_file=options.robots,
    )
    with options.out.open("w", encoding="utf-8") as out:

        @crawler.router.default_handler
        async def handle(context: ParselCrawlingContext) -> None:
            selector = context.selector
            pieces = selector.css("body ::text").getall()
            item = {
                "url": urldefrag(context.request.url).url,
                "title": selector.css("title::text").get(),
                "text": "\n".join(piece for piece in map(str.strip, pieces) if piece),
            }
            out.write(json.dumps(item, ensure_ascii=False) + "\n")
            await context.enqueue_links(strategy="all", include=[inside])

        await crawler.run(options.seeds)


if __name__ == "__main__":
    asyncio.run(crawl(parse()))
