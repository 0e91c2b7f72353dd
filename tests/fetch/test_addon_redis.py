"""The Scrapy add-on on a shared frontier: stock projects, several processes, one of them killed; fed from outside."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import redis

from nephila.frontier import DeadLetter, Stats
from nephila.frontier.redis import RedisFrontier
from tests.crawl.crawling import PATIENCE, wait_until
from tests.fetch.echo import EchoSite
from tests.fetch.stock import CRAWLER, Project, counted, tree
from tests.servers.redis import needs_redis, shared_redis

pytestmark = needs_redis


def books(job: str) -> tuple[Stats, list[DeadLetter]]:
    async def look() -> tuple[Stats, list[DeadLetter]]:
        frontier = RedisFrontier(shared_redis(), job)
        try:
            return await frontier.stats(), await frontier.dead_letters()
        finally:
            await frontier.close()

    return asyncio.run(look())


def test_two_processes_share_a_crawl_and_one_that_is_killed_leaves_no_gap(
    project: Project, echo: EchoSite, tmp_path: Path
) -> None:
    urls = tree(echo, 80)
    echo.slowness = 2  # until both are at work: one alone needs half a minute, however late the other starts
    project.spider(CRAWLER)
    start = ("-a", f"start={echo.url}/t/0")
    settings: dict[str, object] = {"NEPHILA_FRONTIER": shared_redis(), "NEPHILA_JOB": str(tmp_path), "NEPHILA_LEASE": 5}
    settings["CONCURRENT_REQUESTS"] = 3  # of the eight that the host allows: one process cannot take them all
    processes = [project.start(*start, **settings) for _ in range(2)]
    wait_until(lambda: len({item["pid"] for item in project.items}) == 2)
    echo.slowness = 0.03
    processes[0].kill()
    processes[0].communicate()
    _, log = processes[1].communicate(timeout=PATIENCE)
    assert processes[1].returncode == 0, log
    counts = counted(project.items)
    assert set(counts) == urls
    assert sum(counts.values()) <= 80 + 20, "only what was under way at the kill comes twice"
    stats, dead = books(str(tmp_path))
    assert (stats.done, stats.queued, stats.leased, dead) == (80, 0, 0, [])
    again = project.crawl(*start, **settings)
    assert "this crawl is complete; set NEPHILA_JOB to another name" in again


def test_urls_that_others_push_are_fetched_while_the_spider_waits(
    project: Project, echo: EchoSite, tmp_path: Path
) -> None:
    client, key = redis.Redis.from_url(shared_redis()), f"{tmp_path}:start_urls"
    project.spider("""
    class PagesSpider(scrapy.Spider):
        name = "pages"

        def parse(self, response):
            yield {"url": response.url, "of": response.meta.get("of")}
    """)
    client.rpush(key, f"{echo.url}/a", "no url at all", f'{{"url": "{echo.url}/b", "meta": {{"of": "b"}}}}')
    process = project.start(
        NEPHILA_FRONTIER=shared_redis(), NEPHILA_JOB=str(tmp_path), NEPHILA_START_KEY=key, NEPHILA_MAX_IDLE=10
    )
    try:
        wait_until(lambda: len(project.items) == 2)
        client.rpush(key, f"{echo.url}/c", f"{echo.url}/a")
        wait_until(lambda: len(project.items) == 3)
        _, log = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 0, log
    assert {(item["url"].removeprefix(echo.url), item["of"]) for item in project.items} == {
        ("/a", None), ("/b", "b"), ("/c", None),
    }  # fmt: skip
    assert "'no url at all' is no URL to start from" in log
    assert client.exists(key) == 0


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"NEPHILA_FRONTIER": "redis://127.0.0.1:1"}, "Redis cannot be used"),
        ({"NEPHILA_FRONTIER": "mongodb://x"}, "not a frontier that is installed"),
        ({"NEPHILA_START_KEY": "k"}, "only a frontier on a server"),
    ],
)
def test_what_cannot_be_used_is_told(project: Project, settings: dict[str, str], told: str) -> None:
    project.spider(CRAWLER)
    process = project.start("-a", "start=http://127.0.0.1:9/", **settings)
    _, log = process.communicate(timeout=PATIENCE)
    assert told in log
