"""Stock Scrapy with scrapy-redis: its scheduler and its duplicate filter on a real Redis, as its README sets them."""

from __future__ import annotations

from benchmarks.crawl.peers.options import parse
from benchmarks.crawl.peers.scrapy_spider import SiteSpider, run

if __name__ == "__main__":
    run(
        SiteSpider,
        {
            "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
            "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
            "REDIS_URL": parse().redis,
        },
    )
