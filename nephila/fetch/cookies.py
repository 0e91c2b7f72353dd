"""A cookie jar that a hostile site cannot fill: one small jar a site, few cookies in it, none too long.

A site is a registered domain: what one sets is never sent to another, not even where both share a public suffix
(`Domain=co.uk`), and a flood of cookies costs nobody else theirs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from http.cookies import BaseCookie, Morsel, SimpleCookie
from itertools import islice
from typing import Any

from aiohttp import CookieJar
from aiohttp.abc import AbstractCookieJar, ClearCookiePredicate
from yarl import URL

from nephila.urls import registered_domain

MAX_COOKIE_BYTES = 4096
MAX_COOKIES_PER_SITE = 60
MAX_BYTES_PER_SITE = 8000
"""Servers refuse a longer Cookie header, and with it every request."""
MAX_SITES = 20_000


class BoundedCookieJar(CookieJar):
    """aiohttp's jar decides what is sent where within a site; cookies of IP addresses are kept too."""

    def __init__(self) -> None:
        super().__init__(unsafe=True)
        self._sites: OrderedDict[str, CookieJar] = OrderedDict()

    def update_cookies(self, cookies: Any, response_url: URL = URL()) -> None:  # noqa: B008 - aiohttp's signature
        items = cookies.items() if hasattr(cookies, "items") else cookies
        accepted = [(name, cookie) for name, cookie in items if _length(name, cookie) <= MAX_COOKIE_BYTES]
        if not accepted:
            return
        site = _site(response_url)
        jar = self._sites.setdefault(site, CookieJar(unsafe=True, loop=self._loop))
        self._sites.move_to_end(site)
        # Of a flood, the last ones: the jar itself is never larger than twice its bound.
        jar.update_cookies(accepted[-MAX_COOKIES_PER_SITE:], response_url)
        _shrink(jar)
        if len(self._sites) > MAX_SITES:
            self._sites.popitem(last=False)

    def update_cookies_from_headers(self, headers: Sequence[str], response_url: URL) -> None:
        """aiohttp's jar passes `update_cookies` by here; the bounds must not be passed by."""
        AbstractCookieJar.update_cookies_from_headers(self, headers[-MAX_COOKIES_PER_SITE:], response_url)

    def filter_cookies(self, request_url: URL = URL()) -> BaseCookie[str]:  # noqa: B008
        jar = self._sites.get(_site(request_url)) if self._sites else None
        return SimpleCookie() if jar is None else jar.filter_cookies(request_url)

    def clear(self, predicate: ClearCookiePredicate | None = None) -> None:
        if predicate is None:
            self._sites.clear()
        for jar in self._sites.values():
            jar.clear(predicate)

    def clear_domain(self, domain: str) -> None:
        for jar in self._sites.values():
            jar.clear_domain(domain)

    def __len__(self) -> int:
        return sum(map(len, self._sites.values()))

    def __iter__(self) -> Iterator[Morsel[str]]:
        for jar in self._sites.values():
            yield from jar


def _shrink(jar: CookieJar) -> None:
    """The cookies that were new longest ago go first."""
    held = list(jar)
    total = sum(_length(morsel.key, morsel) for morsel in held)
    if len(held) <= MAX_COOKIES_PER_SITE and total <= MAX_BYTES_PER_SITE:
        return
    gone = set(map(id, islice(held, max(0, len(held) - MAX_COOKIES_PER_SITE))))
    total -= sum(_length(morsel.key, morsel) for morsel in held if id(morsel) in gone)
    for morsel in held[len(gone) :]:
        if total <= MAX_BYTES_PER_SITE:
            break
        gone.add(id(morsel))
        total -= _length(morsel.key, morsel)
    jar.clear(lambda morsel: id(morsel) in gone)


def _length(name: str, cookie: Any) -> int:
    value = cookie.coded_value if isinstance(cookie, Morsel) else str(cookie)
    return len(name) + len(value or "") + 2


def _site(url: URL) -> str:
    return registered_domain(url.raw_host or "") if url.raw_host else ""
