"""What a crawl reads out of its pages: the main text, by the site's other pages; the first ones again at the end."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import pytest

from nephila.content.score import bag_score
from nephila.crawling.early import Early, EarlyPages
from nephila.demo.news import gold
from nephila.page import Page
from nephila.record import Record
from tests.crawl.crawling import Place, wait_until
from tests.sites import Served, serve


@pytest.fixture(scope="module")
def news() -> Iterator[Served]:
    with serve("news") as served:
        yield served


def _accuracy(news: Served, records: list[Record]) -> float:
    found = {record.url: record for record in records}
    return mean(bag_score(found[url].text or "", article.text).f1 for url, article in gold(news["news"]).items())


def test_the_main_text_is_told_from_the_rest(news: Served, tmp_path: Path) -> None:
    """On a site that no model ever saw; refined, so that the first pages profit from what the last ones told."""
    refined, plain = Place(tmp_path / "refined"), Place(tmp_path / "plain")
    for place, flags in ((refined, ("--refine", "--workers", 2)), (plain, ("--extract", "plain"))):
        place.root.mkdir()
        assert place.crawl(news["news"], *flags).status == 0
        assert place.workers_log == ""
        assert max(Counter(place.urls).values()) == 1
    assert sorted(refined.urls) == sorted(plain.urls)
    assert _accuracy(news, refined.records) > max(0.95, _accuracy(news, plain.records) + 0.05)
    pages = [record for record in refined.records if record.kind != "file"]
    assert {record.extractor for record in pages} == {"auto"}
    assert all(record.markdown and record.confidence for record in pages if record.text)
    assert {record.extractor for record in plain.records if record.kind != "file"} == {"plain"}
    articles = {record.url: record.kind for record in pages}
    assert mean(articles[url] == "article" for url in gold(news["news"])) > 0.9
    assert refined.summary["records"] == refined.summary["pages"] == len(refined.records)


def test_pages_held_back_are_delivered_after_a_kill(news: Served, place: Place) -> None:
    """Killed while copies wait: the next run delivers them, even when it has nothing left to fetch."""
    flags = (news["news"], "--refine", "--max-pages", 30, "--delay", "0.05")
    running = place.start(*flags)
    wait_until(lambda: _copies(place) >= 5)
    running.process.kill()
    running.process.wait()
    assert place.crawl(*flags).status == 0
    assert _copies(place) == 0
    assert len(place.urls) == len(set(place.urls)) == 30


def _copies(place: Place) -> int:
    path = place.state / "early.sqlite"
    if not path.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as sql:
            return int(sql.execute("SELECT count(*) FROM page").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def test_the_store_of_early_pages_is_bounded(tmp_path: Path) -> None:
    async def fill() -> list[bool]:
        store = EarlyPages(tmp_path / "early.sqlite", most_bytes=60_000)
        page = Page("http://x/", "http://x/", 200, bytes(range(256)) * 40, 1.5, {"content-type": "text/html"})
        kept = [await store.keep(Early(key, page, 2, -7)) for key in range(20)]
        body = bytes(hash((n, "x")) % 256 for n in range(20_000))
        big = Page("http://x/big", "http://x/big", 200, body, 1.5, {}, rendered=True)
        kept += [await store.keep(Early(100 + key, big, 3, 9)) for key in range(5)]
        again = {early.key: early for early in await store.some()}
        assert again[3] == Early(3, page, 2, -7)
        assert again[100].page == big
        await store.drop(again)
        assert await store.empty()
        await store.close()
        return kept

    kept = asyncio.run(fill())
    assert kept[0]
    assert not kept[-1]


@pytest.mark.parametrize("value", ["autos", "lines"])
def test_an_unknown_way_to_extract_is_refused(place: Place, value: str) -> None:
    done = place.crawl("http://127.0.0.1:9/", "--extract", value)
    assert done.status == 2
    assert "extract" in done.last_line
