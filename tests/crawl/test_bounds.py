"""Depth, scope, patterns, overrides for one site, time: a crawl keeps to what it was told."""

from __future__ import annotations

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import urlsplit

from tests.crawl.crawling import Place
from tests.crawl.numbers import LISTED
from tests.sites import Served


def paths(place: Place) -> set[str]:
    return {urlsplit(url).path for url in place.urls}


def test_depth_counts_links_from_the_seed(sites: Served, place: Place) -> None:
    done = place.crawl(sites["news"] + "en/about", "--depth", 1, "--job", place.job("[scope]\nsitemaps = false\n"))
    assert done.status == 0, done.err
    depths = {record.depth for record in place.records}
    assert depths == {0, 1}
    assert 1 < len(place.records) < 100


def test_prefix_scope_stays_below_the_seed(sites: Served, place: Place) -> None:
    assert place.crawl(sites["news"] + "zh/", "--scope", "prefix", "--max-pages", 30).status == 0
    assert len(place.records) == 30
    assert all(path.startswith("/zh/") for path in paths(place))


def test_patterns_include_and_exclude(sites: Served, place: Place) -> None:
    done = place.crawl(sites["news"], "--include", "*/en/*", "--exclude", "*/en/tag/*", "--exclude", r"re:\?page=\d")
    assert done.status == 0, done.err
    found = paths(place)
    assert "/" in found  # the seed always passes
    assert all(path.startswith("/en/") and "/tag/" not in path for path in found - {"/"})
    assert not [url for url in place.urls if "page=" in url]
    assert len(found) > 30


def test_a_host_is_not_left_unless_the_scope_says_so(sites: Served, place: Place) -> None:
    job = place.job(f'[sites."{urlsplit(sites["shop"]).netloc}"]\ndepth = 0\n')
    seeds = (sites["news"] + "en/about", sites["shop"])
    assert place.crawl(*seeds, "--scope", "host", "--depth", 1, "--job", job, "--workers", 3).status == 0
    shop = [record for record in place.records if record.url.startswith(sites["shop"])]
    assert [record.url for record in shop] == [sites["shop"]]  # depth 0 for this host alone
    assert len(place.records) > 5
    assert place.summary["workers"] <= 3


def test_max_time_stops_a_crawl_that_can_be_resumed(sites: Served, place: Place) -> None:
    done = place.crawl(sites["shop"], "--max-time", "3s", "--delay", 0.2)
    assert done.status == 0, done.err
    summary = place.summary
    assert summary["stopped"] == "max_time"
    assert not summary["complete"]
    assert summary["queued"] > 0
    assert summary["records"] == len(place.records)
    assert summary["resume"]


def test_a_long_list_of_pages_is_crawled_whole(numbers: Served, place: Place) -> None:
    """Links above the family budget wait until the family has shown that it is no trap; they are not lost."""
    job = place.job("[limits]\nfamily_budget = 20\n")
    assert place.crawl(numbers["numbers"] + "list", "--job", job).status == 0
    assert len(place.records) == LISTED + 1


def test_links_left_out_by_the_family_budget_are_told(numbers: Served, place: Place) -> None:
    done = place.crawl(numbers["numbers"] + "list", "--job", place.job("[limits]\nfamily_budget = 20\n"))
    assert done.status == 0
    if len(place.records) <= LISTED:
        assert "limits.family_budget" in done.last_line


def test_links_are_written_when_asked_for(sites: Served, place: Place) -> None:
    assert place.crawl(sites["news"] + "en/", "--max-pages", 1, "--links").status == 0
    (record,) = place.records
    assert record.links
    assert all(link.startswith("http") for link in record.links)


class _EndlessIndexes(BaseHTTPRequestHandler):
    """Each index of sitemaps names another one."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        number = re.search(r"/(\d+)\.xml", self.path)
        body, kind = "<p>A page</p>", "text/html"
        if self.path == "/robots.txt":
            body, kind = f"Sitemap: http://{self.headers['host']}/0.xml\n", "text/plain"
        elif number:
            following = f"http://{self.headers['host']}/{int(number[1]) + 1}.xml"
            body, kind = f"<sitemapindex><sitemap><loc>{following}</loc></sitemap></sitemapindex>", "application/xml"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None: ...


def test_indexes_of_sitemaps_end_somewhere(place: Place) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _EndlessIndexes) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = place.crawl(f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()
    assert done.status == 0, done.err
    assert [path for path in _EndlessIndexes.asked if path.endswith(".xml")] == [f"/{n}.xml" for n in range(5)]
