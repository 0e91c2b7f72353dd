"""The Scrapy add-on in stock projects, made by `scrapy startproject` and run as `scrapy crawl`."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from nephila.frontier import DeadLetter, SqliteFrontier, Stats
from tests.crawl.crawling import PATIENCE, wait_until
from tests.fetch.echo import EchoSite, echo_site
from tests.sites import Served

ONE_LINE = 'ADDONS = {"nephila.fetch.addon.FrontierAddon": 100}'

PIPELINE = """
import json, os
class Lines:
    def open_spider(self):
        self.file = open("items.jsonl", "ab", buffering=0)
    def process_item(self, item):
        self.file.write(json.dumps({"pid": os.getpid(), **item}).encode() + b"\\n")
        return item
"""


@dataclass
class Project:
    root: Path

    def spider(self, code: str) -> None:
        """Takes the place of what `genspider` made."""
        head = "import asyncio, os, scrapy\n\n\n"
        body = textwrap.dedent(code)
        (self.root / "stock" / "spiders" / "pages.py").write_text(head + body)

    def start(self, *arguments: str, **settings: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "scrapy", "crawl", "pages", *arguments]
        for name, value in settings.items():
            command += ["-s", f"{name}={value}"]
        return subprocess.Popen(command, cwd=self.root, stderr=subprocess.PIPE, text=True)

    def crawl(self, *arguments: str, **settings: object) -> str:
        """Gives the log of a crawl that ended by itself."""
        process = self.start(*arguments, **settings)
        try:
            _, log = process.communicate(timeout=PATIENCE)
        except BaseException:
            process.kill()
            raise
        assert process.returncode == 0, log
        return log

    @property
    def items(self) -> list[dict[str, Any]]:
        path = self.root / "items.jsonl"
        return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []

    def frontier(self) -> tuple[Stats, list[DeadLetter]]:
        async def look() -> tuple[Stats, list[DeadLetter]]:
            frontier = SqliteFrontier(self.root / ".nephila" / "stock-pages.sqlite")
            try:
                return await frontier.stats(), await frontier.dead_letters()
            finally:
                await frontier.close()

        return asyncio.run(look())


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("scrapy")
    for command in (["startproject", "stock", "."], ["genspider", "pages", "127.0.0.1"]):
        subprocess.run([sys.executable, "-m", "scrapy", *command], cwd=place, check=True, capture_output=True)
    settings = place / "stock" / "settings.py"
    text = settings.read_text()
    assert "ADDONS = {}" in text
    # One line for the add-on; the rest is the pipeline that the tests read, and a quicker pace.
    text = text.replace("ADDONS = {}", ONE_LINE) + 'ITEM_PIPELINES = {"stock.lines.Lines": 1}\n'
    text = text.replace("DOWNLOAD_DELAY = 1\n", "").replace("CONCURRENT_REQUESTS_PER_DOMAIN = 1\n", "")
    settings.write_text(text)
    (place / "stock" / "lines.py").write_text(PIPELINE)
    return place


@pytest.fixture
def project(stock: Path, tmp_path: Path) -> Project:
    shutil.copytree(stock, tmp_path / "p")
    return Project(tmp_path / "p")


@pytest.fixture
def echo() -> Iterator[EchoSite]:
    with echo_site() as site:
        yield site


CRAWLER = """
class PagesSpider(scrapy.Spider):
    name = "pages"
    allowed_domains = ["127.0.0.1"]

    def __init__(self, start, **kw):
        super().__init__(**kw)
        self.start_urls = [start]

    def parse(self, response):
        yield {"url": response.url}
        for number, link in enumerate(response.css("a")):
            yield response.follow(link)
"""


def tree(site: EchoSite, pages: int) -> set[str]:
    """Pages that link to each other and to the start; gives their URLs."""
    for number in range(pages):
        links = [0, number * 2 + 1, number * 2 + 2, (number * 7) % pages]
        body = "".join(f'<a href="/t/{target}">x</a>' for target in links if target < pages)
        site.pages[f"/t/{number}"] = (200, {}, f"<html><body>{body}</body></html>")
    return {f"{site.url}/t/{number}" for number in range(pages)}


def counted(items: list[dict[str, Any]]) -> Counter[str]:
    return Counter(item["url"] for item in items)


def test_a_stock_project_crawls_a_sample_site_each_page_once(project: Project, sites: Served) -> None:
    project.spider(CRAWLER)
    log = project.crawl("-a", f"start={sites['news']}", DEPTH_LIMIT=1)
    assert "ERROR" not in log
    asked = [r.path for r in sites.requests("news") if r.agent.startswith("Scrapy")]
    assert Counter(asked).most_common(1)[0][1] == 1
    assert {item["url"] for item in project.items} == {sites["news"].rstrip("/") + path for path in asked} - {
        sites["news"] + "robots.txt"
    }
    assert len(project.items) == len(asked) - 1 > 10
    assert project.frontier()[0].queued == 0

    again = project.crawl("-a", f"start={sites['news']}")
    assert "this crawl is complete; remove" in again
    assert len([r for r in sites.requests("news") if r.agent.startswith("Scrapy")]) == len(asked)


def test_every_part_of_a_request_survives_its_way_through_the_frontier(project: Project, echo: EchoSite) -> None:
    project.spider("""
    class PagesSpider(scrapy.Spider):
        name = "pages"
        allowed_domains = ["127.0.0.1"]

        async def start(self):
            yield {"kind": "start item"}
            yield scrapy.Request(self.base + "/start", callback=self.first)

        async def first(self, response):
            await asyncio.sleep(0.01)
            yield scrapy.FormRequest(
                self.base + "/post", formdata={"a": "ä", "b": "2"}, callback=self.shown,
                cb_kwargs={"word": "w", "two": (1, b"x")}, headers={"X-Mine": ["1", "2"]}, cookies={"token": "t"},
                meta={"deep": {"n": [1, None, 2.5], 3: "key"}},
            )
            for body in ("one", "two"):
                yield scrapy.Request(self.base + "/raw", method="POST", body=body, callback=self.raw, priority=5)
            for _ in range(3):
                yield scrapy.Request(self.base + "/same", callback=self.plain, meta=response.meta)
            yield scrapy.Request(self.base + "/object", callback=self.objects, meta={"obj": self, **response.meta})
            yield scrapy.Request(self.base + "/object2", callback=lambda r: {"kind": "lambda"})
            yield scrapy.Request("http://elsewhere.invalid/", callback=self.plain)

        def shown(self, response, word, two):
            deep = repr(response.meta["deep"])
            yield {"kind": "shown", "word": word, "two": repr(two), "deep": deep, **response.json()}

        def raw(self, response):
            return {"kind": "raw", **response.json()}

        def plain(self, response):
            yield None
            yield {"kind": "plain"}
            if response.meta["depth"] < 4:
                yield response.request.replace(dont_filter=True)

        def objects(self, response):
            yield {"kind": "object", "mine": response.meta["obj"] is self}
            yield scrapy.Request(self.base + "/after-object", callback=self.plain)
    """)
    log = project.crawl("-a", f"base={echo.url}")
    assert "ERROR" not in log
    kinds = Counter(item["kind"] for item in project.items)
    # /same: of three one, at depth 1, and with dont_filter at depths 2, 3 and 4; /after-object at depths 2, 3 and 4.
    assert kinds == {"start item": 1, "shown": 1, "raw": 2, "plain": 7, "object": 1, "lambda": 1}
    [shown] = [item for item in project.items if item["kind"] == "shown"]
    assert shown["method"] == "POST"
    assert shown["body"] == "a=%C3%A4&b=2"
    assert shown["headers"]["Cookie"] == "token=t"
    assert shown["headers"]["X-Mine"] in ("2", "1,2", "1, 2")
    assert (shown["word"], shown["two"]) == ("w", "(1, b'x')")
    assert shown["deep"] == "{'n': [1, None, 2.5], 3: 'key'}"
    assert sorted(item["body"] for item in project.items if item["kind"] == "raw") == ["one", "two"]
    assert all(item["mine"] for item in project.items if item["kind"] == "object")
    assert log.count("stay in this process") == 1
    stats, dead = project.frontier()
    assert (stats.queued, stats.leased, dead) == (0, 0, [])
    assert "'offsite/filtered': 1" in log


def test_failures_reach_the_errback_and_the_dead_letters(project: Project, echo: EchoSite) -> None:
    echo.pages["/busy"] = (503, {}, "busy")
    echo.pages["/gone"] = (404, {}, "gone")
    echo.pages["/hop"] = (302, {"Location": "/landed"}, "")
    project.spider("""
    class PagesSpider(scrapy.Spider):
        name = "pages"

        async def start(self):
            for path, callback in self.plan():
                yield scrapy.Request(self.base + path, callback=callback, errback=self.errback)
            down = "http://127.0.0.1:9/"
            yield scrapy.Request(down + "nobody", callback=self.fine)
            yield scrapy.Request(down + "somebody", callback=self.fine, errback=self.errback)
            yield scrapy.Request(down + "bad-errback", callback=self.fine, errback=self.bad)
            yield scrapy.Request(down + "quiet", callback=self.fine, errback=self.quiet)

        def plan(self):
            return [("/busy", self.fine), ("/gone", self.fine), ("/hop", self.fine), ("/raises", self.raises),
                    ("/late", self.late), ("/coroutine", self.coroutine), ("/drop", self.fine)]

        def fine(self, response):
            yield {"kind": "fine", "url": response.url}

        def raises(self, response):
            raise ValueError("at once")

        def late(self, response):
            yield {"kind": "late", "url": response.url}
            yield scrapy.Request(self.base + "/of-late", callback=self.fine)
            raise ValueError("too late")

        async def coroutine(self, response):
            await asyncio.sleep(0)
            return [{"kind": "coroutine", "url": response.url}]

        async def errback(self, failure):
            yield {"kind": "errback", "url": failure.request.url, "value": type(failure.value).__name__}
            yield scrapy.Request(self.base + "/from-errback?" + failure.request.url[-4:], callback=self.fine)

        def quiet(self, failure):
            pass

        def bad(self, failure):
            raise RuntimeError("in the errback")
    """)
    log = project.crawl("-a", f"base={echo.url}", RETRY_TIMES=1, ROBOTSTXT_OBEY=False)
    kinds = Counter(item["kind"] for item in project.items)
    assert kinds["errback"] == 3  # busy, gone, somebody
    assert {i["url"].partition("?")[0].removeprefix(echo.url) for i in project.items if i["kind"] == "fine"} == {
        "/landed",
        "/drop",
        "/of-late",
        "/from-errback",
    }
    assert kinds["late"] == kinds["coroutine"] == 1
    stats, dead = project.frontier()
    reasons = {letter.url.rpartition("/")[2]: letter.reason for letter in dead}
    assert set(reasons) == {"busy", "raises", "late", "nobody", "somebody", "bad-errback", "quiet"}
    assert reasons["busy"] == "HTTP 503"
    assert reasons["late"] == "ValueError: too late"
    assert reasons["bad-errback"] == "RuntimeError: in the errback"
    assert "refused" in reasons["nobody"]
    assert (stats.queued, stats.leased) == (0, 0)
    assert "Error downloading <GET http://127.0.0.1:9/nobody>" in log  # as Scrapy says it where there is no errback


def test_a_middleware_that_mends_a_callbacks_error_loses_no_item(project: Project, echo: EchoSite) -> None:
    (project.root / "stock" / "mending.py").write_text(
        "import asyncio\n"
        "class Mend:\n"
        "    def process_spider_exception(self, response, exception):\n"
        "        return [{'kind': 'mended', 'url': response.url}]\n"
    )
    project.spider("""
    class PagesSpider(scrapy.Spider):
        name = "pages"
        custom_settings = {"SPIDER_MIDDLEWARES": {"stock.mending.Mend": 500}}

        async def start(self):
            yield scrapy.Request(self.base + "/a")

        def parse(self, response):
            yield {"kind": "before", "url": response.url}
            raise ValueError
    """)
    project.crawl("-a", f"base={echo.url}")
    assert [item["kind"] for item in project.items] == ["before", "mended"]
    stats, dead = project.frontier()
    assert (stats.done, stats.leased, dead) == (1, 0, [])


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


def test_redirects_and_robots_are_requests_to_the_host_as_well(project: Project, echo: EchoSite) -> None:
    for number in range(3):
        echo.pages[f"/from/{number}"] = (302, {"Location": f"/to/{number}"}, "")
    project.spider("""
    class PagesSpider(scrapy.Spider):
        name = "pages"
        async def start(self):
            for number in range(3):
                yield scrapy.Request(f"{self.base}/from/{number}")
        def parse(self, response):
            yield {"url": response.url}
    """)
    project.crawl("-a", f"base={echo.url}", DOWNLOAD_DELAY=0.6)
    assert len(project.items) == 3
    assert len(echo.requests) == 7
    starts = sorted(request.began for request in echo.requests)
    # Within a lease Scrapy counts from start to start, as it sends them: they may arrive closer, on a busy machine.
    assert min(after - before for before, after in pairwise(starts)) >= 0.3


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


def test_switched_off_it_leaves_scrapy_alone(project: Project, echo: EchoSite) -> None:
    urls = tree(echo, 5)
    project.spider(CRAWLER)
    project.crawl("-a", f"start={echo.url}/t/0", NEPHILA_ENABLED=False)
    assert set(counted(project.items)) == urls
    assert not (project.root / ".nephila").exists()
