from __future__ import annotations

import time

import pytest

from nephila.urls import trap, url_date
from nephila.urls.traps import REASONS

NOW = 1_794_700_800.0  # 2026-11-15


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("/a1c/b2d/a1c/b2d/a1c/b2d", "repeating path"),
        ("/a/b/a/b/a/b", "repeating path"),
        ("/a/b/a/b/a/b/c.html?x=1", "repeating path"),
        ("/x/a/b/c/a/b/c/a/b/c/", "repeating path"),
        ("/foo/foo/foo/foo", "repeating path"),
        ("/a///////b", "repeating path"),
        ("/x/foo/1/foo/2/foo/3/foo/4/foo", "repeating path"),
        ("/" + "/".join(f"d{n}" for n in range(30)), "too deep"),
        ("/" + "a" * 2100, "too long"),
        ("/?" + "&".join(f"p{n}=1" for n in range(60)), "too many parameters"),
        ("/?a=1&a=1&a=1", "repeated parameter"),
        ("/login?next=/login%3Fnext%3D/x", "nested link"),
        ("/login?next=/login?next=/x", "nested link"),
        ("/go?u=%252525", "nested link"),
        ("/list?page=100001", "huge counter"),
        ("/list?offset=99999999", "huge counter"),
        ("/calendar/2031/01", "far date"),
        ("/calendar/1712-03", "far date"),
        ("/events?month=3&year=2077", "far date"),
        ("/x/2087/01/02/", "far date"),
        ("/x?day=2087-01-02", "far date"),
    ],
)
def test_traps_are_told_by_their_look(url: str, reason: str) -> None:
    assert reason in REASONS
    assert trap(f"http://x.org{url}", now=NOW) == reason


@pytest.mark.parametrize(
    "url",
    [
        "/",
        "/2026/11/15/a-title",
        "/1851/09/18/archives/news.html",
        "/archive/1851/09",
        "/calendar/2027/01",
        "/calendar/1999-03",
        "/events/2029/12/",
        "/roadmap/2050/",
        "/redirect/4057/5/6/36/",
        "/news/2038-12_3-0-topic.html?id=1",
        "/news/news/news/a",
        "/article/NEWS/867/1047/NEWS/NEWS/title",
        "/0/0/0/0/17",
        "/1/2/1/2/1/2/1/2",
        "/a/a/a/a/abc",
        "/a/b/a/b/c",
        "/a/news////",
        "/web/20131110/http://x.org/a/",
        "/SharedDocs/News/DE/News/2021/10/SharedDocs/News/DE/News/2021/10/a.html",
        "/view/page/816460",
        "/list?offset=1762241520670",
        "/list?page=99",
        "/?p=123456789012",
        "/?cat=1&cat=2&cat=3&cat=4",
        "/?a=&a=&a=",
        "/login?next=/thread/1?page=2",
        "/share?url=http%3A%2F%2Fx.org%2Fa%3Fb%3D1",
        "/?id=1762241520670123456789",
    ],
)
def test_ordinary_urls_are_let_through(url: str) -> None:
    assert trap(f"http://x.org{url}", now=NOW) is None


def test_what_is_far_moves_with_the_clock() -> None:
    url = "http://x.org/calendar/2031/01"
    assert trap(url, now=NOW) == "far date"
    assert trap(url, now=NOW + 3 * 365 * 86400) is None


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/2026/11/15/title", "2026-11-15"),
        ("/2026-11-15-title.html", "2026-11-15"),
        ("/blog/2026/1/5/x", "2026-01-05"),
        ("/2018-06/09/c_1122960971.htm", "2018-06-09"),
        ("/2013/04-09/133391.shtml", "2013-04-09"),
        ("/20130411/7889147.shtml", "2013-04-11"),
        ("/comment/2012/nov/01/title", "2012-11-01"),
        ("/2012/November/1/title", "2012-11-01"),
        ("/2026/11/", "2026-11-01"),
        ("/2026/11", "2026-11-01"),
        ("/web/20131110121040/http://x.org/2011/12/", "2011-12-01"),
    ],
)
def test_date_of_a_url(path: str, day: str) -> None:
    found = url_date(f"http://x.org{path}", now=NOW)
    assert found is not None
    assert time.strftime("%Y-%m-%d", time.gmtime(found)) == day


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/2026/",
        "/2026/13/01/",
        "/2026/02/30/",
        "/2031/01/01/",
        "/1851/09/18/",
        "/12026/11/15/",
        "/p/20261341/",
        "/?d=2026/11/15",
        "/a2026b",
    ],
)
def test_no_date_is_better_than_a_wrong_one(path: str) -> None:
    assert url_date(f"http://x.org{path}", now=NOW) is None


def test_date_is_never_read_from_the_host() -> None:
    assert url_date("http://2026-11-15.example.org/", now=NOW) is None
    assert url_date("http://1.2.20.26:2026/11/15", now=NOW) is None
