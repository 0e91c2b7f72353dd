"""The cookie jar: what comes back to whom, and that nobody can fill it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from yarl import URL

from nephila.fetch import cookies
from nephila.fetch.cookies import MAX_BYTES_PER_SITE, MAX_COOKIE_BYTES, MAX_COOKIES_PER_SITE, BoundedCookieJar

SITE = URL("https://www.example.org/")


@pytest.fixture
def jar() -> Iterator[BoundedCookieJar]:
    """aiohttp makes its jars in a running loop."""
    with asyncio.Runner() as runner:
        yield runner.run(_made())


async def _made() -> BoundedCookieJar:
    return BoundedCookieJar()


def set_by(jar: BoundedCookieJar, url: URL, *headers: str) -> None:
    jar.update_cookies_from_headers(headers, url)


def sent_to(jar: BoundedCookieJar, url: str) -> dict[str, str]:
    return {name: morsel.value for name, morsel in jar.filter_cookies(URL(url)).items()}


def test_a_cookie_goes_to_its_host_and_with_a_domain_to_its_site(jar: BoundedCookieJar) -> None:
    set_by(jar, SITE, "own=1", "shared=2; Domain=example.org", "deep=3; Path=/deep")
    assert sent_to(jar, "https://www.example.org/") == {"own": "1", "shared": "2"}
    assert sent_to(jar, "https://www.example.org/deep/x") == {"own": "1", "shared": "2", "deep": "3"}
    assert sent_to(jar, "https://other.example.org/") == {"shared": "2"}
    assert sent_to(jar, "https://example.com/") == {}
    jar.clear_domain("example.org")
    assert len(jar) == 0


def test_no_site_sets_cookies_for_another_not_even_below_a_public_suffix(jar: BoundedCookieJar) -> None:
    set_by(jar, URL("https://one.co.uk/"), "a=1; Domain=co.uk", "b=1; Domain=two.co.uk", "c=1; Domain=uk")
    set_by(jar, URL("https://me.github.io/"), "a=1; Domain=github.io")
    assert sent_to(jar, "https://two.co.uk/") == sent_to(jar, "https://you.github.io/") == {}


def test_addresses_have_cookies_too(jar: BoundedCookieJar) -> None:
    set_by(jar, URL("http://127.0.0.1:8000/"), "session=1")
    set_by(jar, URL("http://[::1]:8000/"), "session=2")
    assert sent_to(jar, "http://127.0.0.1:8000/x") == {"session": "1"}
    assert sent_to(jar, "http://[::1]:8000/x") == {"session": "2"}
    assert sent_to(jar, "http://127.0.0.2:8000/x") == {}


def test_of_a_thousand_cookies_a_few_are_kept_and_old_ones_make_room(jar: BoundedCookieJar) -> None:
    set_by(jar, SITE, *(f"c{n}=1; Path=/{n}" for n in range(1000)))
    set_by(jar, SITE, *(f"c{n}=1" for n in range(1000)))
    assert len(jar) == MAX_COOKIES_PER_SITE
    set_by(jar, SITE, "newest=1")
    assert len(jar) == MAX_COOKIES_PER_SITE
    assert "newest" in sent_to(jar, str(SITE))


def test_cookies_too_long_alone_or_together_are_left_out(jar: BoundedCookieJar) -> None:
    set_by(jar, SITE, "huge=" + "x" * MAX_COOKIE_BYTES)
    assert len(jar) == 0
    for number in range(10):
        set_by(jar, SITE, f"c{number}=" + "x" * 2000)
    assert set(sent_to(jar, str(SITE))) == {"c7", "c8", "c9"}


def test_a_flood_by_one_site_costs_no_other_its_session(jar: BoundedCookieJar) -> None:
    set_by(jar, URL("https://victim.example/"), "session=1")
    for host in range(50):
        set_by(jar, URL(f"https://h{host}.flood.org/"), *(f"c{host}-{n}=1; Domain=flood.org" for n in range(60)))
    assert sent_to(jar, "https://victim.example/") == {"session": "1"}
    assert len(jar) == 1 + MAX_COOKIES_PER_SITE


def test_the_site_met_longest_ago_is_forgotten_first(jar: BoundedCookieJar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cookies, "MAX_SITES", 3)
    for site in ("a", "b", "c", "a", "d"):
        set_by(jar, URL(f"https://{site}.example/"), "c=1")
    assert [site for site in "abcd" if sent_to(jar, f"https://{site}.example/")] == ["a", "c", "d"]


@settings(max_examples=30)
@given(st.lists(st.lists(st.text(st.characters(codec="latin-1"), max_size=60), max_size=8), max_size=8))
def test_any_header_is_borne_and_the_bounds_hold(responses: list[list[str]]) -> None:
    asyncio.run(_borne(responses))


async def _borne(responses: list[list[str]]) -> None:
    jar = BoundedCookieJar()
    for number, headers in enumerate(responses):
        set_by(jar, SITE, *headers, *(f"n{number}-{n}={'v' * 300}" for n in range(30)))
        assert len(jar) <= MAX_COOKIES_PER_SITE
        assert sum(len(morsel.key) + len(morsel.coded_value) for morsel in jar) <= MAX_BYTES_PER_SITE
        jar.filter_cookies(SITE)
