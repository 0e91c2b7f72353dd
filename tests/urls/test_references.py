"""Which links of a page were on a page before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nephila.urls import References, resolve

PAGES = ["http://x.org/", "http://x.org/a/1.html", "http://x.org/a/2.html?q=1", "http://x.org/a/b/", "https://y.org/a/"]
HREFS = [
    "",
    "#top",
    "/",
    "/a/2.html",
    "2.html",
    "../2.html",
    "./",
    "?q=1",
    "//y.org/a",
    "http://x.org/a",
    "ü.html",
    "/ü",
]


@given(st.lists(st.tuples(st.sampled_from(PAGES), st.lists(st.sampled_from(HREFS) | st.text(max_size=8))), max_size=8))
def test_no_link_is_lost_and_few_are_read_twice(pages: list[tuple[str, list[str]]]) -> None:
    references = References()
    found = set()
    for base, hrefs in pages:
        fresh = references.fresh(base, hrefs)
        assert len(set(fresh)) == len(fresh)
        found.update(resolve(base, fresh))
        assert set(resolve(base, hrefs)) <= found
        assert not {"/", "/a/2.html", "2.html", "../2.html", "http://x.org/a"} & set(references.fresh(base, hrefs))


def test_the_memory_is_bounded() -> None:
    references = References(room=10)
    for number in range(100):
        assert references.fresh("http://x.org/", [f"/{number}"]) == [f"/{number}"]
        assert sum(map(len, references._met.values())) <= 11
    assert references.fresh("http://x.org/", ["/0"]) == ["/0"]


def test_pages_of_two_encodings_do_not_share_their_links() -> None:
    references = References()
    assert references.fresh("http://x.org/", ["/?q=ü"]) == ["/?q=ü"]
    assert references.fresh("http://x.org/", ["/?q=ü"], encoding="latin-1") == ["/?q=ü"]
