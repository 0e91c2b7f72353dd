"""Stock Scrapy: LinkExtractor, the text of the body, a JSON-lines feed. Default settings but those that all share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.linkextractors import LinkExtractor

from benchmarks.crawl.peers.options import Options, parse


class SiteSpider(scrapy.Spider):
    name = "bench"

    def __init__(self, options: Options, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seeds = options.seeds
        self.allowed_domains = options.hosts
        # The extractor compares the port too, the offsite middleware does not.
        self.links = LinkExtractor(allow_domains=options.netlocs)

    async def start(self) -> AsyncIterator[Any]:
        # As the stock method does, but filtered: it would have the front pages fetched twice.
        for seed in self.seeds:
            yield scrapy.Request(seed)

    def parse(self, response: Any, **_: Any) -> Iterator[Any]:
        yield {"url": response.url, "title": response.css("title::text").get(), "text": self.text(response)}
        for link in self.links.extract_links(response):
            yield response.follow(link)

    def text(self, response: Any) -> str:
        pieces = response.css("body ::text").getall()
        return "\n".join(piece for piece in map(str.strip, pieces) if piece)


def settings(options: Options) -> dict[str, Any]:
    return {
        "ROBOTSTXT_OBEY": options.robots,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS": options.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": options.per_host,
        "LOG_LEVEL": "INFO",
        "FEEDS": {options.out.absolute().as_uri(): {"format": "jsonlines", "encoding": "utf8"}},
    }


def run(spider: type[SiteSpider], more: dict[str, Any] | None = None) -> None:
    options = parse()
    process = AsyncCrawlerProcess(settings=settings(options) | (more or {}))
    process.crawl(spider, options=options)
    process.start()


if __name__ == "__main__":
    run(SiteSpider)
