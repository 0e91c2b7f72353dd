"""scrapy-redis' duplicate filter and priority queue under the load of benchmarks/frontier_redis.py.

`python -m benchmarks.frontier_redis_peer URL SERVER-PID URLS`, in an interpreter that has scrapy-redis; prints JSON.
One request at a time, as its scheduler does: it has no batches.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import redis
from scrapy import Request, Spider
from scrapy.utils.test import get_crawler
from scrapy_redis.dupefilter import RFPDupeFilter
from scrapy_redis.queue import PriorityQueue

_TICKS = os.sysconf("SC_CLK_TCK")


def server_cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def rates(count: int, since: tuple[float, float, float], pid: int) -> dict[str, float]:
    wall, client, server = (b - a for a, b in zip(since, clocks(pid), strict=True))
    return {
        "per_second": count / wall,
        "per_cpu_second": count / (client + server),
        "client_cpu_us": client / count * 1e6,
        "server_cpu_us": server / count * 1e6,
    }


def clocks(pid: int) -> tuple[float, float, float]:
    return time.perf_counter(), time.process_time(), server_cpu(pid)


def main() -> None:
    url, pid, urls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    server = redis.Redis.from_url(url)
    crawler = get_crawler(Spider)
    spider = crawler._create_spider("bench")
    crawler.spider = spider
    seen = (
        RFPDupeFilter(server, "bench:dupefilter", crawler=crawler) if _takes_crawler() else RFPDupeFilter(server, "s")
    )
    queue = PriorityQueue(server, spider, "bench:requests")
    empty = server.info("memory")["used_memory"]
    requests = [
        Request(f"https://www.site-{n % 9973}.example/section-{n % 37}/an-article-with-a-title-{n}.html")
        for n in range(urls)
    ]
    since = clocks(pid)
    for request in requests:
        if not seen.request_seen(request):
            queue.push(request)
    adds = rates(urls, since, pid)
    held = server.info("memory")["used_memory"] - empty
    filtered = server.memory_usage(seen.key, samples=0) or 0
    pops, since = min(urls, 20_000), clocks(pid)
    for _ in range(pops):
        queue.pop()
    figures = {
        "urls": urls,
        "adds": adds,
        "pops": rates(pops, since, pid),
        "bytes_per_queued_url": held / urls,
        "seen_bytes_per_url": filtered / urls,
    }
    print(json.dumps(figures))


def _takes_crawler() -> bool:
    return "crawler" in RFPDupeFilter.__init__.__code__.co_varnames


if __name__ == "__main__":
    main()
