"""Stock Scrapy with trafilatura for the main text: what a user who wants clean text puts together today."""

from __future__ import annotations

from typing import Any

import trafilatura

from benchmarks.crawl.peers.scrapy_spider import SiteSpider, run


class ArticleSpider(SiteSpider):
    def text(self, response: Any) -> str:
        return trafilatura.extract(response.text, url=response.url) or ""


if __name__ == "__main__":
    run(ArticleSpider)
