"""Addresses as patterns, and links that are never followed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.forum.actions import changes_state, leads_away, surely_changes_state
from nephila.forum.address import read_address


@pytest.mark.parametrize(
    ("path", "pattern", "values"),
    [
        ("/topic/353/is-it-normal-2/?page=2", "/topic/{#}/{*}/?page={#}", ("353", "is-it-normal-2", "2")),
        ("/topic/154-why-77?page=3", "/topic/{#}-{*}?page={#}", ("154", "why-77", "3")),
        ("/threads/some-title.123/page-2", "/threads/{*}.{#}/page-{#}", ("some-title", "123", "2")),
        ("/viewtopic.php?t=7&f=3", "/viewtopic.php?f={#}&t={#}", ("3", "7")),
        ("/index.php?topic=7.15", "/index.php?topic={#}.{#}", ("7", "15")),
        ("/index.php?topic=7.msg12", "/index.php?topic={#}.msg{#}", ("7", "12")),
        ("/t/some-title/99", "/t/{*}/{#}", ("some-title", "99")),
        ("/forum/index.php", "/forum/index.php", ()),
        ("/some-title-99-t12-20.html", "/{*}-t{#}-{#}.html", ("some-title-99", "12", "20")),
        ("/thread-12-page-2.html", "/thread-{#}-page-{#}.html", ("12", "2")),
        ("/index.php/topic,12.msg301.html", "/index.php/topic,{#}.msg{#}.html", ("12", "301")),
        ("/read.php?3,145,page=2", "/read.php?{#},{#},page={#}", ("3", "145", "2")),
        ("/read.php?3,145", "/read.php?{#},{#}", ("3", "145")),
    ],
)
def test_what_a_template_filled_in_is_told_from_the_template(path: str, pattern: str, values: tuple[str, ...]) -> None:
    address = read_address(f"http://forum.test{path}")
    assert (address.pattern, address.values) == (pattern, values)


def test_a_word_behind_a_wild_path_is_a_name() -> None:
    assert read_address("http://forum.test/user/Quill", frozenset({"/user/"})).pattern == "/user/{*}"


def test_a_number_behind_a_name_is_a_part_of_it_where_that_was_learned() -> None:
    url = "http://forum.test/topic/12-some-title/2"
    assert read_address(url, frozenset({"/topic/#"})).pattern == "/topic/{#}-{*}/{#}"
    assert read_address(url).pattern == "/topic/{*}/{#}"


def test_a_word_that_begins_all_names_is_no_part_of_them() -> None:
    address = read_address("http://forum.test/Thread-Some-title-7?page=2", frozenset({"/Thread-"}))
    assert (address.pattern, address.values) == ("/Thread-{*}?page={#}", ("Some-title-7", "2"))


@pytest.mark.parametrize(
    "url",
    [
        "http://f.test/user/logout/",
        "http://f.test/index.php?action=logout;sesc=0123456789abcdef01",
        "http://f.test/posting.php?mode=reply&t=7",
        "http://f.test/showthread.php?tid=7&action=markread",
        "http://f.test/ratethread.php?rating=5&my_post_key=8e2c9d",
        "http://f.test/vote/12?d=1",
        "http://f.test/topic/7?watch=topic&hash=ab12cd34",
    ],
)
def test_what_writes_is_never_followed(url: str) -> None:
    assert changes_state(url)


@pytest.mark.parametrize("url", ["http://f.test/topic/7/how-to-delete-a-file/", "http://f.test/viewtopic.php?f=2&t=9"])
def test_a_title_with_such_a_word_is_followed(url: str) -> None:
    assert not changes_state(url)
    assert not surely_changes_state(url)
    assert not leads_away(url)


@given(st.text(max_size=120))
def test_no_url_breaks_the_patterns(text: str) -> None:
    address = read_address(f"http://forum.test/{text}")
    assert address.pattern.count("{#}") + address.pattern.count("{*}") >= len(address.values) - text.count("{")
    changes_state(text, text)
