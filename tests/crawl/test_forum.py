"""A crawl of the sample forum, with nothing told but its address: every post once, no page of it as anything else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import orjson
import pytest

from nephila.record import Record
from tests.crawl.crawling import Place
from tests.sites import forum, serve

MOST = 1.15
"""Fetches for each page that the content needs, learning included."""
POSTS_A_PAGE, THREADS_A_PAGE = 10, 4


@dataclass(frozen=True)
class Crawl:
    records: list[Record]
    fetches: int

    @property
    def posts(self) -> list[Record]:
        return [record for record in self.records if record.kind == "post"]


@dataclass(frozen=True)
class Crawled:
    first: Crawl
    added: set[int]
    """Posts that were written after that."""
    again: Crawl
    """All records there are then; the fetches of the second crawl alone."""


def crawl(place: Place, *options: object, served: str) -> Crawl:
    before = fetches(place)
    done = place.crawl(served, "--delay", 0, *options)
    assert done.status == 0, done.err
    return Crawl(place.records, fetches(place) - before)


def fetches(place: Place) -> int:
    log = place.root / "requests.jsonl"
    asked = [orjson.loads(line)["path"] for line in log.read_bytes().splitlines()] if log.exists() else []
    return sum(path != "/robots.txt" and not path.startswith("/_control/") for path in asked)


def pages_needed() -> int:
    """The index, the pages of the boards, those of the threads."""
    public = [post for post in forum.gold() if not post.private]
    threads = Counter(post.thread_id for post in public)
    boards = Counter({post.thread_id: post.board for post in public}.values())
    return (
        1
        + sum(ceil(n / THREADS_A_PAGE) for n in boards.values())
        + sum(ceil(n / POSTS_A_PAGE) for n in threads.values())
    )


def write(served: str, number: int, threads: int) -> set[int]:
    """New posts, through the forum itself; their numbers."""
    chosen = sorted({post.thread_id for post in forum.gold() if not post.private})[:threads]
    added = set()
    for n in range(number):
        address = f"{served}_control/reply?thread={chosen[n % threads]}&text=Number+{n},+written+later."
        with urlopen(Request(address, method="POST")) as answer:
            added.add(orjson.loads(answer.read())["id"])
    return added


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    place = Place(tmp_path_factory.mktemp("forum"))
    with serve("forum", log=place.root / "requests.jsonl") as served:
        first = crawl(place, served=served["forum"])
        added = write(served["forum"], 50, threads=12)
        return Crawled(first, added, crawl(place, "--recrawl", served=served["forum"]))


def _told(record: Record) -> tuple[object, ...]:
    post = record.post or {}
    board = (post["board"] or [None])[-1]
    published = (record.published or "")[:16]
    return board, record.title, post["position"], record.author, published, " ".join((record.text or "").split())


def test_every_public_post_is_there_once_as_it_is(crawled: Crawled) -> None:
    posts = crawled.first.posts
    assert len({(record.post or {})["id"] for record in posts}) == len(posts)
    assert {int((record.post or {})["id"]): _told(record) for record in posts} == {
        post.id: (
            post.board, post.thread, post.position, post.author, post.published.isoformat()[:16],
            " ".join(post.text.split()),
        )
        for post in forum.gold() if not post.private
    }  # fmt: skip


def test_hardly_a_fetch_is_too_many(crawled: Crawled) -> None:
    assert crawled.first.fetches <= MOST * pages_needed()


@pytest.mark.slow
def test_two_workers_take_hardly_more(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with serve("forum", log=place.root / "requests.jsonl") as served:
        done = crawl(place, "--workers", 2, served=served["forum"])
    numbers = Counter(int((record.post or {})["id"]) for record in done.posts)
    assert numbers == Counter(post.id for post in forum.gold() if not post.private)
    assert done.fetches <= MOST * pages_needed()


def test_what_is_written_later_is_found_with_few_fetches_and_nothing_comes_twice(crawled: Crawled) -> None:
    numbers = Counter(int((record.post or {})["id"]) for record in crawled.again.posts)
    assert numbers == Counter({post.id for post in forum.gold() if not post.private} | crawled.added)
    assert crawled.again.fetches <= 30


def test_the_first_pages_too_are_what_they_are(crawled: Crawled) -> None:
    """Fetched before the site was known for a forum; they waited for that."""
    others = [record for record in crawled.first.records if record.kind != "post"]
    places = {urlsplit(record.url).path: record.kind for record in others}
    assert not [path for path in places if path.startswith("/thread/")]
    assert {kind for path, kind in places.items() if path == "/" or path.startswith("/board/")} == {"board"}
