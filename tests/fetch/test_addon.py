"""The Scrapy add-on in stock projects: every request goes its way through the frontier, and comes back whole."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from tests.fetch.echo import EchoSite
from tests.fetch.stock import CRAWLER, Project, counted, tree
from tests.sites import Served


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


def test_switched_off_it_leaves_scrapy_alone(project: Project, echo: EchoSite) -> None:
    urls = tree(echo, 5)
    project.spider(CRAWLER)
    project.crawl("-a", f"start={echo.url}/t/0", NEPHILA_ENABLED=False)
    assert set(counted(project.items)) == urls
    assert not (project.root / ".nephila").exists()
