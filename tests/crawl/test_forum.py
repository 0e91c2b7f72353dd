"""A crawl of the sample forum, with nothing told but its address: every post once, no page of it as anything else."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from nephila.record import Record
from tests.crawl.crawling import Place
from tests.sites import forum, serve


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("forum"))
    with serve("forum") as served:
        done = place.crawl(served["forum"], "--delay", 0)
        assert done.status == 0, done.err
    return place


def _told(record: Record) -> tuple[object, ...]:
    post = record.post or {}
    board = (post["board"] or [None])[-1]
    published = (record.published or "")[:16]
    return board, record.title, post["position"], record.author, published, " ".join((record.text or "").split())


def test_every_public_post_is_there_once_as_it_is(crawled: Place) -> None:
    posts = [record for record in crawled.records if record.kind == "post"]
    assert len({(record.post or {})["id"] for record in posts}) == len(posts)
    assert {int((record.post or {})["id"]): _told(record) for record in posts} == {
        post.id: (
            post.board, post.thread, post.position, post.author, post.published.isoformat()[:16],
            " ".join(post.text.split()),
        )
        for post in forum.gold() if not post.private
    }  # fmt: skip


def test_the_first_pages_too_are_what_they_are(crawled: Place) -> None:
    """Fetched before the site was known for a forum; they waited for that."""
    others = [record for record in crawled.records if record.kind != "post"]
    places = {urlsplit(record.url).path: record.kind for record in others}
    assert not [path for path in places if path.startswith("/thread/")]
    assert {kind for path, kind in places.items() if path == "/" or path.startswith("/board/")} == {"board"}
