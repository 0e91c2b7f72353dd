"""Processes of the Scrapy add-on that are killed, stopped, doubled and started again: no page is lost."""

from __future__ import annotations

import time

from tests.crawl.crawling import PATIENCE, wait_until
from tests.fetch.echo import EchoSite
from tests.fetch.stock import CRAWLER, Project, counted, tree


def test_a_process_killed_in_mid_crawl_is_resumed_without_a_page_missing(project: Project, echo: EchoSite) -> None:
    urls = tree(echo, 60)
    echo.slowness = 0.03
    project.spider(CRAWLER)
    start = ("-a", f"start={echo.url}/t/0")
    for so_far, most in ((8, 12), (20, 45)):  # answers for those of the killed process are among the second
        echo.most = most
        process = project.start(*start)
        wait_until(lambda so_far=so_far: len(project.items) >= so_far)  # type: ignore[misc]
        process.kill()
        process.communicate()
    assert len(project.items) < 60
    echo.most = None
    project.crawl(*start)
    counts = counted(project.items)
    assert set(counts) == urls
    # Only what was under way at a kill comes twice.
    assert sum(counts.values()) <= 60 + 2 * 16
    assert project.frontier()[0].leased == 0


def test_a_page_is_not_acked_while_an_item_of_it_is_in_a_pipeline(project: Project, echo: EchoSite) -> None:
    (project.root / "stock" / "slow.py").write_text(
        "import asyncio, pathlib\n"
        "class Slow:\n"
        "    async def process_item(self, item):\n"
        "        first = not pathlib.Path('entered').exists()\n"
        "        pathlib.Path('entered').touch()\n"
        "        await asyncio.sleep(60 if first else 0)\n"
        "        return item\n"
    )
    project.spider("""
    class PagesSpider(scrapy.Spider):
        name = "pages"
        custom_settings = {"ITEM_PIPELINES": {"stock.slow.Slow": 0, "stock.lines.Lines": 1}}

        async def start(self):
            yield scrapy.Request(self.base + "/a")

        def parse(self, response):
            yield {"url": response.url}
    """)
    process = project.start("-a", f"base={echo.url}")
    wait_until((project.root / "entered").exists)
    time.sleep(0.5)
    process.kill()
    process.communicate()
    assert project.items == []
    project.crawl("-a", f"base={echo.url}")
    assert [item["url"] for item in project.items] == [f"{echo.url}/a"]


def test_two_processes_of_a_spider_share_the_work_and_keep_the_delay(project: Project, echo: EchoSite) -> None:
    urls = tree(echo, 14)
    project.spider(CRAWLER)
    echo.slowness = 2  # until both are at work: one alone needs half a minute, however late the other starts
    settings = {"DOWNLOAD_DELAY": 0.25, "ROBOTSTXT_OBEY": False}
    both = [project.start("-a", f"start={echo.url}/t/0", **settings) for _ in range(2)]
    wait_until(lambda: len({item["pid"] for item in project.items}) == 2)
    echo.slowness = 0
    logs = [process.communicate(timeout=PATIENCE)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], logs
    assert counted(project.items) == dict.fromkeys(urls, 1)
    assert min(echo.gaps()) >= 0.25


def test_a_spider_that_closes_itself_ends_cleanly_and_goes_on_the_next_time(project: Project, echo: EchoSite) -> None:
    urls = tree(echo, 30)
    project.spider(CRAWLER)
    log = project.crawl("-a", f"start={echo.url}/t/0", CLOSESPIDER_ITEMCOUNT=5, CONCURRENT_REQUESTS=4)
    assert "Spider closed (closespider_itemcount)" in log
    assert "ERROR" not in log
    assert 5 <= len(project.items) < 30
    stats, _ = project.frontier()
    assert stats.leased == 0
    assert stats.queued > 0
    project.crawl("-a", f"start={echo.url}/t/0")
    assert counted(project.items) == dict.fromkeys(urls, 1)


def test_a_request_whose_callback_is_gone_becomes_a_dead_letter(project: Project, echo: EchoSite) -> None:
    code = """
    class PagesSpider(scrapy.Spider):
        name = "pages"
        async def start(self):
            yield scrapy.Request(self.base + "/a", callback=self.old, priority=1)
            yield scrapy.Request(self.base + "/b")
        def parse(self, response):
            yield {"url": response.url}
        def old(self, response):
            os._exit(0)
    """
    project.spider(code)
    project.crawl("-a", f"base={echo.url}")
    project.spider(code.replace("callback=self.old, ", "").replace("def old", "def new"))
    project.crawl("-a", f"base={echo.url}")
    assert [item["url"] for item in project.items] == [f"{echo.url}/b"]
    _, [letter] = project.frontier()
    assert "not a request of this spider" in letter.reason
