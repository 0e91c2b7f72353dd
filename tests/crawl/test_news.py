"""A crawl of the newspaper, from its front page to its last archive page, and a second one a day later."""

from __future__ import annotations

import urllib.request
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from nephila.demo.news import gold
from nephila.record import Record
from tests.crawl.crawling import Done, Place
from tests.sites import Served, serve

DUE_AT_ONCE = "[recrawl]\nstart = 0\nmin = 0\nmax = 1\n"


@pytest.fixture(scope="module")
def news(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve("news", log=tmp_path_factory.mktemp("news") / "requests.jsonl") as served:
        yield served


@pytest.fixture(scope="module")
def crawled(news: Served, tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Done]:
    place = Place(tmp_path_factory.mktemp("crawl"))
    return place, place.crawl(news["news"], "--workers", 2, "--job", place.job(DUE_AT_ONCE))


@pytest.fixture(scope="module")
def records(crawled: tuple[Place, Done]) -> list[Record]:
    return crawled[0].records


def test_it_ends_well_and_says_so(crawled: tuple[Place, Done]) -> None:
    place, done = crawled
    assert done.status == 0, done.err
    assert "Traceback" not in done.err
    summary = place.summary
    assert (summary["stopped"], summary["complete"], summary["dead"], summary["errors"]) == ("finished", True, 0, [])
    assert summary["records"] == summary["pages"] == len(place.records) == summary["outputs"][0]["records"]
    assert place.workers_log == ""


def test_every_article_is_there_once(news: Served, records: list[Record]) -> None:
    times = Counter(record.final_url for record in records)
    assert {url: times[url] for url in gold(news["news"])} == dict.fromkeys(gold(news["news"]), 1)


def test_no_address_is_there_twice_under_tracking_parameters(records: list[Record]) -> None:
    assert [record.url for record in records if "utm_" in record.url or "/print/" in record.url] == []
    assert max(Counter(record.url for record in records).values()) == 1


def test_titles_dates_languages_and_charsets_are_right(news: Served, records: list[Record]) -> None:
    found = {record.url: record for record in records}
    for url, article in gold(news["news"]).items():
        record = found[url]
        assert record.title is not None
        assert article.title in record.title
        assert record.language == article.language
        # Some sections say the date to their readers alone, as a day; what nobody says is absent, not guessed.
        assert record.published is not None
        exact = len(record.published) > len("2025-06-28")
        said = datetime.fromisoformat(record.published)
        assert said == article.published if exact else said.date() == article.published.date()
        assert record.author in (None, article.author)
        assert all(paragraph in (record.text or "") for paragraph in article.paragraphs), url
        assert (record.status, record.content_type, record.kind) == (200, "text/html", "article")
    others = [article for article in gold().values() if article.encoding != "utf-8"]
    assert {article.encoding for article in others} == {"gb18030", "windows-1251"}


def test_every_comment_is_there_once_as_it_is(news: Served, records: list[Record]) -> None:
    found = {record.url: record for record in records}
    for url, article in gold(news["news"]).items():
        posts = [(post["author"], post["published"], post["text"]) for post in found[url].posts or []]
        assert posts == [(one.author, one.published.isoformat(), one.text) for one in article.comments], url
        assert not [one.text for one in article.comments if one.text in (found[url].text or "")], url
    assert not [record.url for record in records if record.posts and record.url not in gold(news["news"])]


def test_sitemaps_and_feeds_are_used(news: Served, records: list[Record]) -> None:
    asked = [request.path for request in news.requests()]
    for code in ("en", "ru", "zh", "ar"):
        assert asked.count(f"/sitemaps/{code}.xml.gz") == 1
    assert asked.count("/sitemap.xml") == 1
    assert not [record for record in records if "sitemap" in record.url]


def test_what_is_newest_is_fetched_first(news: Served, crawled: tuple[Place, Done]) -> None:
    """Sitemaps give the dates; the first pages may have been asked for before they were read."""
    dates = {article.path: article.modified for article in gold().values()}
    asked = [dates[request.path] for request in news.requests() if request.path in dates][40:]
    late = sum(later > earlier for earlier, later in pairwise(asked))
    assert late < len(asked) / 5


def test_robots_txt_is_read_once_and_obeyed(news: Served, crawled: tuple[Place, Done]) -> None:
    asked = [request.path for request in news.requests()]
    assert asked.count("/robots.txt") == 1
    assert not [path for path in asked if path.startswith(("/subscribe", "/share", "/_control")) or "/search" in path]


def test_what_is_no_page_is_recorded_and_not_parsed(news: Served, place: Place) -> None:
    done = place.crawl(news["news"] + "media/en-1.svg", "--depth", 0)
    assert done.status == 0, done.err
    (record,) = place.records
    assert (record.kind, record.content_type, record.text) == ("file", "image/svg+xml", None)


def test_a_second_visit_writes_only_what_has_changed(news: Served, crawled: tuple[Place, Done]) -> None:
    """Runs last: it changes the crawl that the other tests look at."""
    place, _ = crawled
    before = len(place.records)
    path = next(iter(gold()))
    _correct(news, path)
    asked = len(news.requests())
    job = place.root / "job.toml"
    done = place.crawl(news["news"], "--workers", 2, "--job", job, "--recrawl")
    assert done.status == 0, done.err
    again = news.requests()[asked:]
    statuses = Counter(request.status for request in again if request.path in gold())
    assert statuses == {304: len(gold()) - 1, 200: 1}
    (new,) = place.records[before:]
    assert urlsplit(new.url).path == path
    assert place.summary["counters"]["unchanged"] >= len(gold()) - 1
    assert place.summary["records"] == 1


def _correct(news: Served, path: str) -> None:
    url = f"{news['news']}_control/correct?path={quote(path)}"
    with urllib.request.urlopen(urllib.request.Request(url, method="POST")) as answer:
        assert answer.status == 200


def test_running_a_complete_crawl_again_says_so(news: Served, tmp_path: Path) -> None:
    place = Place(tmp_path)
    seed = news["news"] + "en/about"
    assert place.crawl(seed, "--depth", 0).status == 0
    asked, records = len(news.requests()), place.urls
    again = place.crawl(seed, "--depth", 0)
    assert again.status == 0
    assert "complete" in again.last_line
    assert "--recrawl" in again.last_line
    assert "--state" in again.last_line
    assert (len(news.requests()), place.urls) == (asked, records)
    nothing_due = place.crawl(seed, "--depth", 0, "--recrawl")
    assert "due" in nothing_due.last_line
    assert len(news.requests()) == asked
