from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.errors import ConfigError
from nephila.urls import Mode, Scope
from nephila.urls.patterns import compile_pattern


def test_site_is_the_registered_domain() -> None:
    scope = Scope(("https://www.example.co.uk/shop/",))
    assert scope.mode is Mode.SITE
    assert scope.allows("http://blog.example.co.uk/a")
    assert scope.allows("https://example.co.uk/")
    assert not scope.allows("https://other.co.uk/")
    assert not scope.allows("https://example.co.uk:8443/")
    assert scope.refusal("https://evil-example.co.uk/") == "outside the scope"


@pytest.mark.parametrize(
    "seed", ["http://127.0.0.1:8105/", "http://localhost:8105/", "http://[::1]:8105/", "http://x.org:8105/"]
)
def test_site_of_an_address_or_port_is_that_host_and_port(seed: str) -> None:
    scope = Scope((seed,))
    assert scope.allows(f"{seed}a")
    assert not scope.allows(seed.replace("8105", "8106"))
    assert not scope.allows(seed.replace(":8105", ""))


def test_host_allows_the_host_with_or_without_www() -> None:
    scope = Scope(("http://example.org/",), Mode.HOST)
    assert scope.allows("https://www.example.org/a")
    assert not scope.allows("http://blog.example.org/")
    assert not scope.allows("http://example.org:8080/")


def test_prefix_allows_the_folder_of_the_seed() -> None:
    scope = Scope(("https://example.org/docs/intro.html?x=/y/z",), Mode.PREFIX)
    assert scope.allows("http://www.example.org/docs/a/b")
    assert not scope.allows("https://example.org/docs")
    assert not scope.allows("https://example.org/docsother/")
    assert not scope.allows("https://example.org.evil.com/docs/")
    assert Scope(("https://example.org",), Mode.PREFIX).allows("https://example.org/anything")


def test_any_allows_everything_that_patterns_allow() -> None:
    scope = Scope(mode=Mode.ANY, exclude=("*.pdf",))
    assert scope.allows("http://anywhere.net/")
    assert scope.refusal("http://anywhere.net/a.pdf") == "excluded"


def test_exclude_wins_over_include_and_seed_over_include() -> None:
    scope = Scope(("http://x.org/",), include=("/news/*",), exclude=("*logout*", "re:[?&]print=1"))
    assert scope.allows("http://x.org/news/1")
    assert scope.allows("http://x.org/")
    assert scope.refusal("http://x.org/about") == "not included"
    assert scope.refusal("http://x.org/news/logout") == "excluded"
    assert scope.refusal("http://x.org/news/2?print=1") == "excluded"
    assert Scope(("http://x.org/a",), exclude=("/a",)).refusal("http://x.org/a") == "excluded"


@pytest.mark.parametrize(
    ("pattern", "url", "expected"),
    [
        ("/a/*", "http://x.org/a/b?c=d", True),
        ("/a/*", "http://x.org/b/a/b", False),
        ("/a", "http://x.org/a", True),
        ("/a", "http://x.org/ab", False),
        ("/list?page=*", "http://x.org/list?page=2", True),
        ("/list?page=*", "http://x.org/listXpage=2", False),
        ("x.org/*", "https://x.org/a", True),
        ("x.org/*", "https://y.org/x.org/a", False),
        ("*.x.org/*", "https://a.x.org/", True),
        ("https://x.org/*", "http://x.org/", False),
        ("*a*a*", "http://x.org/a", False),
        ("*ab*ba", "http://x.org/aba", False),
        ("/ab*ba", "http://x.org/aba", False),
        ("*", "http://x.org/", True),
        ("re:^https://", "http://x.org/", False),
        ("re:/\\d+$", "http://x.org/12", True),
    ],
)
def test_patterns(pattern: str, url: str, expected: bool) -> None:
    assert compile_pattern(pattern)(url) is expected


@given(st.text(alphabet="ab*", max_size=8).filter(bool), st.text(alphabet="ab", max_size=12))
def test_glob_agrees_with_the_regular_expression_that_it_means(glob: str, path: str) -> None:
    expected = re.fullmatch(re.escape("/" + glob).replace(r"\*", ".*"), "/" + path) is not None
    assert compile_pattern("/" + glob)("http://x.org/" + path) is expected


def test_glob_of_many_stars_is_not_slow_on_a_hostile_url() -> None:
    # As a backtracking expression this would not end in the life of the universe.
    assert not compile_pattern("/" + "*a" * 60 + "*b")("http://x.org/" + "a" * 4000)


@pytest.mark.parametrize("pattern", ["", "re:(", "re:(a+)+$", "re:(?:[a-z]*)*x", "re:(.*)+"])
def test_unusable_pattern_is_refused_with_a_reason(pattern: str) -> None:
    with pytest.raises(ConfigError, match="pattern"):
        Scope(("http://x.org/",), exclude=(pattern,))


@pytest.mark.parametrize("pattern", ["re:(?:/[a-z]+)+$", "re:(a|b)+", "re:[+*]+", "re:(abc)*"])
def test_harmless_repetition_is_accepted(pattern: str) -> None:
    compile_pattern(pattern)


def test_bad_seed_or_mode_is_refused_with_a_reason() -> None:
    with pytest.raises(ConfigError, match=r"example\.org"):
        Scope(("example.org",))
    with pytest.raises(ConfigError, match="seed"):
        Scope(())
    with pytest.raises(ConfigError, match="site, host, prefix, any"):
        Scope.of(["http://x.org/"], mode="domain")


def test_scope_from_plain_data_is_the_same_scope() -> None:
    plain = Scope.of(["http://x.org/"], mode="host", include=["/a*"], exclude=["*b"])
    assert plain == Scope(("http://x.org/",), Mode.HOST, ("/a*",), ("*b",))


def test_mode_may_be_plain_text() -> None:
    scope = Scope(("http://www.x.org/",), "site")  # type: ignore[arg-type]
    assert scope.mode is Mode.SITE
    assert scope.allows("http://blog.x.org/")


def test_where_a_seed_leads_can_be_added() -> None:
    scope = Scope.of(["http://x.org/"], exclude=["*.pdf"])
    wider = scope.with_seed("https://y.org/home")
    assert not scope.allows("https://www.y.org/a")
    assert wider.allows("https://www.y.org/a")
    assert wider.allows("http://x.org/a")
    assert not wider.allows("https://y.org/a.pdf")
    assert wider.with_seed("https://y.org/home") is wider


def test_scope_travels_to_other_processes() -> None:
    scope = Scope(("http://x.org/",), Mode.HOST, ("/a*",), ("*b",))
    scope.allows("http://x.org/a")
    again = pickle.loads(pickle.dumps(scope))
    assert again == scope
    assert again.refusal("http://x.org/ab") == "excluded"


def test_known_hosts_are_bounded() -> None:
    scope = Scope(("http://x.org/",), Mode.HOST)
    for number in range(25_000):
        scope.allows(f"http://h{number}.org/")
    assert len(scope._known) <= 10_000
