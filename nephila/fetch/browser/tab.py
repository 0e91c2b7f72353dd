"""One tab of a Chromium: draws one page after another, each within its time, and says when it can be used no more."""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import orjson

from nephila.fetch.browser.options import BrowserOptions, Draw, Rendered, Source
from nephila.fetch.browser.proxy import REFUSED
from nephila.fetch.errors import Cause, FetchError
from nephila.filter_lists import NetworkFilter

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page

logger = logging.getLogger(__name__)

_WORLD = "nephila"
_MAX_MOVES = 5
_MAX_FRAMES = 12
_MAX_PICTURE = 16_384
_NOT_PASSED_ON = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "set-cookie", "link"}
)
"""Of a page fetched already: it is unpacked now, and repeated cookies were joined."""


@cache
def script(name: str) -> str:
    return files("nephila.fetch.browser").joinpath(name).read_text("utf-8")


# Chromium's kinds of requests, as filter lists call them.
_FILTERED_AS = {
    "Document": "subdocument",
    "Stylesheet": "stylesheet",
    "Image": "image",
    "Media": "media",
    "Font": "font",
    "Script": "script",
    "XHR": "xmlhttprequest",
    "Fetch": "xmlhttprequest",
    "Ping": "ping",
}


class TabStuck(Exception):  # noqa: N818 - it names what happened
    """A tab does not take the next page."""


class Tab:
    def __init__(
        self, page: Page, protocol: CDPSession, frame: str, options: BrowserOptions, unwanted: NetworkFilter | None
    ) -> None:
        self.page = page
        self._protocol = protocol
        self._frame = frame
        self._options = options
        self._unwanted = unwanted
        self._visit: _Visit | None = None
        self._answers: set[asyncio.Task[None]] = set()
        self._patterns: list[dict[str, str]] = []
        self.pages = 0
        protocol.on("Fetch.requestPaused", self._paused)

    @classmethod
    async def open(cls, context: BrowserContext, options: BrowserOptions, unwanted: NetworkFilter | None = None) -> Tab:
        page = await context.new_page()
        protocol = await context.new_cdp_session(page)
        tree = await protocol.send("Page.getFrameTree")
        tab = cls(page, protocol, tree["frameTree"]["frame"]["id"], options, unwanted)
        # Only these wait for our word; every other request goes straight to the proxy.
        await tab._listen(())
        return tab

    async def _listen(self, further: tuple[str, ...]) -> None:
        patterns = [{"resourceType": "Document"}, *({"urlPattern": pattern} for pattern in further)]
        if not self._options.media:
            patterns.append({"resourceType": "Media"})
        if self._unwanted is not None:
            patterns = [{"urlPattern": "*"}]
        if patterns != self._patterns:
            await self._protocol.send("Fetch.enable", {"patterns": patterns})
            self._patterns = patterns

    async def draw(self, url: str, wish: Draw, source: Source | None) -> Rendered:
        """Raises FetchError for what the page is to blame for, Playwright's errors for a browser that is gone."""
        started = time.monotonic()
        self.pages += 1
        visit = self._visit = _Visit(url, wish, source)
        try:
            async with asyncio.timeout(self._options.timeout):
                await self._prepare(url, wish)
                status, headers = await self._navigate(visit)
                found = await self._settle(wish)
                value = await self._inspect(wish)
                picture = await self._picture() if wish.screenshot else None
        except TimeoutError:
            raise FetchError(Cause.TIMEOUT, f"not drawn within {self._options.timeout:g} s", final=True) from None
        finally:
            self._visit = None
        return Rendered(
            url=url,
            final_url=found["url"],
            status=status,
            headers=headers,
            html=found["html"],
            seconds=time.monotonic() - started,
            moved=visit.moved,
            value=value,
            screenshot=picture,
            incomplete=not found["complete"],
        )

    async def rest(self) -> None:
        """Leaves the page: its scripts would go on working while nobody looks."""
        await self._protocol.send("Page.navigate", {"url": "about:blank"})

    async def close(self) -> None:
        await self.page.close(run_before_unload=False)

    # -- the steps of a drawing ------------------------------------------------------------------------------------

    async def _prepare(self, url: str, wish: Draw) -> None:
        if wish.cookies:
            cookies: list[Any] = [{"name": name, "value": value, "url": url} for name, value in wish.cookies.items()]
            await self.page.context.add_cookies(cookies)
        # Headers for one site may hold a secret: they must not go to the others that the page asks.
        origin = _origin(url)
        await self._listen((f"{origin}/*",) if wish.headers else ())

    async def _navigate(self, visit: _Visit) -> tuple[int, Mapping[str, str]]:
        try:
            # The page before this one may hold the tab: a fresh one is worth a try, so some time is left for it.
            async with asyncio.timeout(self._options.timeout / 3 if self.pages > 1 else None):
                answer = await self._protocol.send("Page.navigate", {"url": visit.url})
        except TimeoutError:
            raise TabStuck from None
        problem = answer.get("errorText")
        if problem and visit.moved and visit.wish.follow:
            raise FetchError(Cause.REDIRECTS, f"more than {_MAX_MOVES - 1} redirects")
        if problem and not visit.moved:
            raise FetchError(*_cause(problem))
        if visit.source is not None:
            return visit.source.status, visit.source.headers
        refusal = visit.headers.get(REFUSED)
        if refusal is not None:
            raise FetchError(Cause.ADDRESS if refusal.startswith("403") else Cause.UNREACHABLE, refusal)
        return visit.status, visit.headers

    async def _settle(self, wish: Draw) -> dict[str, Any]:
        arguments = {
            "quiet": wish.quiet * 1000,
            "patience": wish.patience * 1000,
            "selector": wish.wait_for,
            "scrolls": wish.scrolls,
            "clicks": wish.clicks,
            "size": self._options.max_html,
        }
        from playwright.async_api import Error

        for turn in range(_MAX_MOVES + 1):
            try:
                found: dict[str, Any] = await self._call(f"({script('draw.js')})({orjson.dumps(arguments).decode()})")
                break
            except Error as error:
                # The page went elsewhere, or to itself again, while it was being looked at.
                if turn == _MAX_MOVES or not _is_moving(error):
                    raise
                await asyncio.sleep(0.05)
        if found["html"] is None:
            raise FetchError(Cause.TOO_LARGE, f"{found['length']} characters, {self._options.max_html} allowed")
        return found

    async def _call(self, expression: str) -> Any:
        world = await self._protocol.send("Page.createIsolatedWorld", {"frameId": self._frame, "worldName": _WORLD})
        answer = await self._protocol.send(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": world["executionContextId"],
                "awaitPromise": True,
                "returnByValue": True,
            },
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise FetchError(Cause.RENDER, str(details.get("exception", details).get("description", details))[:300])
        return answer["result"].get("value")

    async def _inspect(self, wish: Draw) -> Any:
        if wish.inspect is not None:
            return await wish.inspect(self.page)
        return await self._call(f"({wish.script})()") if wish.script else None

    async def _picture(self) -> bytes:
        height = await self._call("document.documentElement.scrollHeight")
        width, least = self._options.viewport
        bound = min(_MAX_PICTURE, max(least, int(height)))
        return await self.page.screenshot(
            full_page=True, animations="disabled", clip={"x": 0, "y": 0, "width": width, "height": bound}
        )

    # -- requests that wait for our word ---------------------------------------------------------------------------

    def _paused(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._answer(event))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _answer(self, event: dict[str, Any]) -> None:
        from playwright.async_api import Error

        try:
            await self._protocol.send(*self._verdict(event))
        except Error:
            logger.debug("a paused request is gone: %s", event["request"]["url"][:200])

    def _verdict(self, event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        request = {"requestId": event["requestId"]}
        visit = self._visit
        if visit is None or (event["resourceType"] == "Media" and not self._options.media):
            return "Fetch.failRequest", {**request, "errorReason": "BlockedByClient"}
        if self._is_unwanted(visit, event):
            return "Fetch.failRequest", {**request, "errorReason": "BlockedByClient"}
        if visit.wish.headers and _origin(event["request"]["url"]) == _origin(visit.url):
            headers = {**event["request"]["headers"], **visit.wish.headers}
            request["headers"] = [{"name": name, "value": value} for name, value in headers.items()]
        if event["resourceType"] != "Document":
            return "Fetch.continueRequest", request
        if "responseStatusCode" in event:
            visit.answered(event)
            return "Fetch.continueRequest", {"requestId": event["requestId"]}
        if event["frameId"] != self._frame:
            visit.frames += 1
            if visit.frames > _MAX_FRAMES:
                return "Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "BlockedByClient"}
            return "Fetch.continueRequest", request
        return self._main_document(visit, event["request"]["url"], request)

    def _is_unwanted(self, visit: _Visit, event: dict[str, Any]) -> bool:
        """By the filter lists; the page itself never is."""
        if self._unwanted is None or (event["resourceType"] == "Document" and event["frameId"] == self._frame):
            return False
        kind = _FILTERED_AS.get(event["resourceType"], "other")
        return self._unwanted.blocks(event["request"]["url"], visit.url, kind)

    def _main_document(self, visit: _Visit, url: str, request: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        visit.moves += 1
        if visit.moves == 1 and visit.source is not None:
            return "Fetch.fulfillRequest", {"requestId": request["requestId"], **_fulfilment(visit.source)}
        if visit.moves == 1 or (visit.moves <= _MAX_MOVES and (visit.wish.follow or _same(url, visit.url))):
            # The answer's head is wanted too: `Page.navigate` does not tell the status.
            return "Fetch.continueRequest", {**request, "interceptResponse": True}
        visit.moved = url
        return "Fetch.failRequest", {"requestId": request["requestId"], "errorReason": "Aborted"}


class _Visit:
    """What is known of the page under way."""

    def __init__(self, url: str, wish: Draw, source: Source | None) -> None:
        self.url, self.wish, self.source = url, wish, source
        self.moves = 0
        self.frames = 0
        self.moved: str | None = None
        self.status = 0
        self.headers: dict[str, str] = {}

    def answered(self, event: dict[str, Any]) -> None:
        self.status = int(event["responseStatusCode"])
        headers: dict[str, str] = {}
        for header in event.get("responseHeaders", ()):
            name = header["name"].lower()
            headers[name] = f"{headers[name]}, {header['value']}" if name in headers else header["value"]
        self.headers = headers


def _fulfilment(source: Source) -> dict[str, Any]:
    headers = [
        {"name": name, "value": value} for name, value in source.headers.items() if name.lower() not in _NOT_PASSED_ON
    ]
    return {
        "responseCode": source.status,
        "responseHeaders": headers,
        "body": base64.b64encode(source.body).decode("ascii"),
    }


def _same(url: str, other: str) -> bool:
    """Whether it is the same page but for its fragment."""
    return urlsplit(url)._replace(fragment="") == urlsplit(other)._replace(fragment="")


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])


def _is_moving(error: Exception) -> bool:
    text = str(error)
    return any(sign in text for sign in ("context was destroyed", "Cannot find context", "navigat", "No frame"))


# Chromium's own names of what went wrong.
_CAUSES = (
    ("NAME_NOT_RESOLVED", Cause.DNS),
    ("CERT", Cause.TLS),
    ("SSL", Cause.TLS),
    ("TUNNEL_CONNECTION_FAILED", Cause.UNREACHABLE),
    ("PROXY", Cause.PROXY),
    ("CONNECTION_REFUSED", Cause.REFUSED),
    ("TIMED_OUT", Cause.TIMEOUT),
    ("TOO_MANY_REDIRECTS", Cause.REDIRECTS),
    ("ABORTED", Cause.RENDER),
    ("INVALID", Cause.PROTOCOL),
    ("EMPTY_RESPONSE", Cause.RESET),
)


def _cause(problem: str) -> tuple[Cause, str]:
    for sign, cause in _CAUSES:
        if sign in problem:
            return cause, problem
    return Cause.RESET, problem
