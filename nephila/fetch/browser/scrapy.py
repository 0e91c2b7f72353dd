"""Rendering in any Scrapy project, by `meta={"renderjs": True}`: a download handler around the project's own.

The project's handler fetches the page, with the project's cookies, headers and retries; a redirect or an error is
answered as ever. What came back as HTML is then drawn. `meta["renderjs"]` may also be a dict of `Draw`'s fields that
JSON can hold: `{"wait_for": "#price", "scrolls": 0}`.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import HtmlResponse, Response
from scrapy.utils.misc import build_from_crawler, load_object

from nephila.fetch.browser.options import BrowserOptions, Draw, Source
from nephila.fetch.browser.pool import BrowserPool

if TYPE_CHECKING:
    from scrapy.core.downloader.handlers import DownloadHandlerProtocol
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

HANDLER = "nephila.fetch.browser.scrapy.RenderHandler"
FORMER = "NEPHILA_DOWNLOAD_HANDLERS"
"""Setting: the project's own handlers by scheme."""
_WISHES = frozenset(field.name for field in fields(Draw)) - {"inspect", "headers", "cookies"}
_pools: WeakKeyDictionary[Crawler, BrowserPool] = WeakKeyDictionary()


def install(settings: BaseSettings) -> None:
    """Puts the handler before the project's own; without `renderjs` in a request nothing changes."""
    former = settings.getwithbase("DOWNLOAD_HANDLERS")
    own = {scheme: former.get(scheme) for scheme in ("http", "https") if former.get(scheme) not in (None, HANDLER)}
    settings.set(FORMER, own, "addon")
    for scheme in own:
        settings["DOWNLOAD_HANDLERS"][scheme] = HANDLER


class RenderHandler(BaseDownloadHandler):
    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._former: dict[str, DownloadHandlerProtocol] = {}

    async def download_request(self, request: Request) -> Response:
        wish = request.meta.get("renderjs")
        if not wish or request.method != "GET":
            return await self._fetch(request)
        # Packed bodies are unpacked by a middleware, which comes after the handler.
        plain = request.replace(headers=request.headers.copy())
        plain.headers["Accept-Encoding"] = "identity"
        response = await self._fetch(plain)
        if not 200 <= response.status < 300 or not isinstance(response, HtmlResponse):
            return response
        return await self._drawn(request, response, wish if isinstance(wish, dict) else {})

    async def _fetch(self, request: Request) -> Response:
        scheme = request.url.partition(":")[0].lower()
        if scheme not in self._former:
            path = self.crawler.settings[FORMER][scheme]
            self._former[scheme] = build_from_crawler(load_object(path), self.crawler)
        return await self._former[scheme].download_request(request)

    async def _drawn(self, request: Request, response: Response, wish: dict[str, Any]) -> Response:
        unknown = wish.keys() - _WISHES
        if unknown:
            raise ValueError(f"renderjs: unknown {', '.join(sorted(unknown))}; known are {', '.join(sorted(_WISHES))}")
        headers = {
            name.decode().lower(): (response.headers[name] or b"").decode("latin-1") for name in response.headers
        }
        cookies = request.headers.get("Cookie") or b""
        draw = Draw(**{"follow": False, **wish}, cookies=_cookies(cookies.decode("latin-1")))
        rendered = await self._pool().render(response.url, draw, Source(response.body, response.status, headers))
        if rendered.moved is not None and not draw.follow:
            return Response(response.url, status=302, headers={"Location": rendered.moved}, request=request)
        request.meta["rendered"] = {"value": rendered.value, "screenshot": rendered.screenshot}
        return HtmlResponse(
            response.url,
            status=response.status,
            headers={name: response.headers[name] for name in response.headers if name != b"Content-Encoding"},
            body=rendered.html.encode("utf-8", "replace"),
            encoding="utf-8",
            flags=[*response.flags, "rendered"],
            request=request,
        )

    def _pool(self) -> BrowserPool:
        if self.crawler not in _pools:
            _pools[self.crawler] = BrowserPool(_options(self.crawler.settings))
        return _pools[self.crawler]

    async def close(self) -> None:
        pool = _pools.pop(self.crawler, None)
        if pool is not None:
            await pool.close()
        for handler in self._former.values():
            await handler.close()


def _options(settings: BaseSettings) -> BrowserOptions:
    given: dict[str, Any] = settings.getdict("NEPHILA_BROWSER")
    return BrowserOptions(
        **{
            "user_agent": settings.get("USER_AGENT"),
            "timeout": settings.getfloat("DOWNLOAD_TIMEOUT"),
            **given,
        }
    )


def _cookies(header: str) -> dict[str, str]:
    pairs = (pair.strip().partition("=") for pair in header.split(";") if "=" in pair)
    return {name: value for name, _, value in pairs}
