from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.urls import delivery_key, family, fingerprint, shape

INT64 = st.integers(-(2**63), 2**63 - 1)


def test_values_are_pinned_because_they_are_stored() -> None:
    assert fingerprint("http://example.org/") == -5242817029757127295
    assert fingerprint("https://example.org/a?b=1&a=2") == -3529114253899287986
    assert family("https://example.org/news/2026/11/15/some-long-title.html?page=2") == 8585669541763238725
    assert delivery_key(1, 1) == -7995527694508729151
    assert delivery_key(-1, 7) == -1058577943711170651


@given(st.text())
def test_identities_are_signed_64_bit(text: str) -> None:
    url = f"http://example.org/{text.encode('utf-8', 'replace').decode()}"
    for identity in (fingerprint(url), family(url)):
        assert -(2**63) <= identity < 2**63


def test_order_of_parameters_does_not_count_but_of_one_name_does() -> None:
    assert fingerprint("http://x.org/?a=1&b=2") == fingerprint("http://x.org/?b=2&a=1")
    assert fingerprint("http://x.org/?a=1&b=9&a=2") == fingerprint("http://x.org/?a=1&a=2&b=9")
    assert fingerprint("http://x.org/?a=1&a=2") != fingerprint("http://x.org/?a=2&a=1")
    assert fingerprint("http://x.org/?a=1") != fingerprint("http://x.org/?a=2")
    assert fingerprint("http://x.org/a") != fingerprint("http://x.org/a/")
    assert fingerprint("http://x.org/") != fingerprint("https://x.org/")


@given(INT64)
def test_first_delivery_is_the_fingerprint_itself(identity: int) -> None:
    assert delivery_key(identity, 0) == identity


@given(INT64, INT64, st.integers(1, 10_000), st.integers(1, 10_000))
def test_deliveries_are_told_apart(one: int, other: int, visit: int, later: int) -> None:
    assert -(2**63) <= delivery_key(one, visit) < 2**63
    assert (delivery_key(one, visit) == delivery_key(other, visit)) == (one == other)
    assert (delivery_key(one, visit) == delivery_key(one, later)) == (visit == later)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://x.org/", "x.org/"),
        ("https://x.org:8080/about", "x.org:8080/about"),
        ("http://x.org/calendar/2026/11", "x.org/calendar/#/#"),
        ("http://x.org/2026/nov/15/a-long-title", "x.org/#/#/#/*"),
        ("http://x.org/thread-17-hello-world.html", "x.org/thread-#-*.html"),
        ("http://x.org/topic-17-hello.html", "x.org/topic-#-*.html"),
        ("http://x.org/hello-world-17.html", "x.org/*-#.html"),
        ("http://x.org/page-2", "x.org/page-#"),
        ("http://x.org/contact-us", "x.org/contact-us"),
        ("http://x.org/how-to-knit-socks/", "x.org/*/"),
        ("http://x.org/wiki/%E4%B8%AD%E6%96%87%E7%BB%B4%E5%9F%BA", "x.org/wiki/*"),
        ("http://x.org/o/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "x.org/o/@"),
        ("http://x.org/c/9fceb02d0ae598e95dc970b74767f19372d61af8", "x.org/c/@"),
        ("http://x.org/v/dQw4w9WgXcQaB12zQ", "x.org/v/@"),
        ("http://x.org/a/b/a/b/a/b", "x.org/a/b"),
        ("http://x.org/1/2/3/4/5/6/7/8/9", "x.org/#/#/#/#/#/#"),
        ("http://x.org/list?page=17&sort=asc&page=2", "x.org/list?*"),
        ("http://x.org/i.php?action=quote;topic=12.0", "x.org/i.php?action=quote&topic"),
        ("http://x.org/i.php?page=17", "x.org/i.php?page"),
        ("http://x.org/?f[12]=x&f[3]=y", "x.org/?f[#]"),
    ],
)
def test_shape_keeps_the_template_and_drops_what_filled_it(url: str, expected: str) -> None:
    assert shape(url) == expected


@given(st.integers(0, 10**12), st.integers(0, 10**12), st.text(alphabet="xyz89%+-", max_size=20))
def test_family_stays_when_values_change(one: int, other: int, value: str) -> None:
    def made(number: int, text: str) -> str:
        return f"http://x.org/shop/item-{number}/p{number}?id={number}&q={text}&s"

    assert family(made(one, value)) == family(made(other, "word"))
    assert family(made(one, value)) != family(made(one, value).replace("shop", "forum"))
    assert family(made(one, value)) == family(made(one, value) + "&more=1")
    assert family(made(one, value)) != family(made(one, value).split("?")[0])
