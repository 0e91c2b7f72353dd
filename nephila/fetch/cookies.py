"""A cookie jar that a hostile site cannot fill: few cookies a host, none too long, the oldest go first."""

from __future__ import annotations

from collections import OrderedDict
from http.cookies import Morsel, SimpleCookie
from typing import Any

from aiohttp import CookieJar
from yarl import URL

MAX_COOKIE_BYTES = 4096
MAX_COOKIES_PER_HOST = 60
MAX_HOSTS = 50_000


class BoundedCookieJar(CookieJar):
    """aiohttp's jar (it decides what is sent where), fed within bounds; cookies of IP addresses are kept too."""

    def __init__(self) -> None:
        super().__init__(unsafe=True)
        self._names: OrderedDict[str, OrderedDict[str, None]] = OrderedDict()

    def update_cookies(self, cookies: Any, response_url: URL = URL()) -> None:  # noqa: B008
        items = cookies.items() if hasattr(cookies, "items") else cookies
        host = response_url.raw_host or ""
        names = self._names.setdefault(host, OrderedDict())
        self._names.move_to_end(host)
        accepted: SimpleCookie = SimpleCookie()
        for name, value in items:
            text = value.value if isinstance(value, Morsel) else str(value)
            if len(name) + len(text) > MAX_COOKIE_BYTES:
                continue
            names[name] = None
            names.move_to_end(name)
            accepted[name] = value
        super().update_cookies(accepted, response_url)
        self._forget(host, names)

    def _forget(self, host: str, names: OrderedDict[str, None]) -> None:
        if len(names) > MAX_COOKIES_PER_HOST:
            gone = {names.popitem(last=False)[0] for _ in range(len(names) - MAX_COOKIES_PER_HOST)}
            self.clear(lambda morsel: morsel.key in gone and host.endswith(morsel["domain"]))
        if len(self._names) > MAX_HOSTS:
            oldest, _ = self._names.popitem(last=False)
            self.clear_domain(oldest)
