from __future__ import annotations

import socket

import pytest

from nephila.urls import host_key, host_name, origin, registered_domain


@pytest.mark.parametrize(
    ("url", "key", "name", "source"),
    [
        ("http://x.org/a", "x.org", "x.org", "http://x.org"),
        ("https://x.org:8443/a:b@c", "x.org:8443", "x.org", "https://x.org:8443"),
        ("http://[::1]/", "[::1]", "[::1]", "http://[::1]"),
        ("http://[::1]:8080/", "[::1]:8080", "[::1]", "http://[::1]:8080"),
        ("http://127.0.0.1:8105/?u=http://y.org/", "127.0.0.1:8105", "127.0.0.1", "http://127.0.0.1:8105"),
    ],
)
def test_parts_of_a_canonical_url(url: str, key: str, name: str, source: str) -> None:
    assert (host_key(url), host_name(url), origin(url)) == (key, name, source)


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("www.example.org:8080", "example.org"),
        ("me.github.io", "me.github.io"),
        ("a.me.github.io", "me.github.io"),
        ("github.io", "github.io"),
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("localhost:8105", "localhost"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:8080", "[::1]"),
        ("build.intranet", "build.intranet"),
        ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"),
    ],
)
def test_registered_domain(host: str, domain: str) -> None:
    assert registered_domain(host) == domain


def test_suffix_list_is_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    from nephila.urls import host

    def no_network(*_: object) -> None:
        raise AssertionError("opened a connection")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    host._suffixes.cache_clear()
    registered_domain.cache_clear()
    assert registered_domain("a.b.example.com.au") == "example.com.au"
