"""Links limited by CSS selectors: only what the job names is followed."""

from __future__ import annotations

from tests.crawl.crawling import Place
from tests.crawl.test_no_forum import served
from tests.sites.layouts.others import Site

_PAGES = {
    "/": '<main><ul class="boards"><li><a href="/b/1">One</a></li></ul><a class="next" href="/p/2">Next</a></main>'
    '<aside><a href="/out">Out</a></aside>',
    "/b/1": '<a class="next" href="/b/2">Next</a> <a href="/out">Out</a>',
    "/b/2": "<p>The last one</p>",
    "/p/2": "<p>The second page</p>",
    "/out": "<p>Nobody wants this</p>",
}  # fmt: skip


def test_only_links_inside_what_the_job_names_are_followed(place: Place) -> None:
    with served(Site({path: f"<html><body>{body}</body></html>" for path, body in _PAGES.items()})) as origin:
        done = place.crawl(f"{origin}/", "--job", place.job('[scope]\nlinks = [".boards", "a.next"]\n'))
    assert done.status == 0, done.err
    assert sorted(place.urls) == [f"{origin}{path}" for path in ("/", "/b/1", "/b/2", "/p/2")]


def test_what_is_no_selector_is_said(place: Place) -> None:
    done = place.crawl("http://127.0.0.1:1/", "--job", place.job('[scope]\nlinks = ["a[["]\n'))
    assert done.status != 0
    assert "a[[" in done.err
    assert "CSS selector" in done.err
