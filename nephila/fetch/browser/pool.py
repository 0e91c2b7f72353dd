"""The pool: one Chromium with a few tabs, replaced when it crashes, grows too large or has drawn its share."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from nephila.fetch.browser.blocking import AD_HOSTS, blocker
from nephila.fetch.browser.chromium import check_playwright, find_chromium, lacks_sandbox, sandboxed
from nephila.fetch.browser.instance import BrowserLost, Instance
from nephila.fetch.browser.options import BrowserOptions, Draw, Rendered, Source
from nephila.fetch.browser.proxy import GuardProxy, ProxyOptions
from nephila.fetch.browser.scratch import scratch_directory, temporary_files_in
from nephila.fetch.browser.tab import Tab, TabStuck
from nephila.fetch.errors import Cause, FetchError
from nephila.filter_lists import NetworkFilter

if TYPE_CHECKING:
    from playwright.async_api import Playwright

logger = logging.getLogger(__name__)

_ATTEMPTS = 4
"""Of one page whose browser was lost under it. The page itself may be what kills it: then it is given up."""
_PLAIN = Draw()


class BrowserPool:
    """`async with BrowserPool(options) as pool: await pool.render(url)`. Chromium is started by the first page."""

    def __init__(self, options: BrowserOptions | None = None) -> None:
        self._options = options or BrowserOptions()
        check_playwright()
        self._executable = find_chromium(self._options.executable)
        self._filter = NetworkFilter(self._options.filters) if self._options.filters else None
        self._room = asyncio.Semaphore(self._options.concurrency)
        self._starting = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._driver: Playwright | None = None
        self._current: Instance | None = None
        self._retiring: set[asyncio.Task[None]] = set()
        self.proxy: GuardProxy | None = None
        self.launches = 0
        self.pages = 0
        self._waiting = 0
        self._closed = False
        self._sandbox: bool | None = None

    async def __aenter__(self) -> BrowserPool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def current(self) -> Instance | None:
        return self._current

    async def render(self, url: str, draw: Draw = _PLAIN, source: Source | None = None) -> Rendered:
        """Draws one page; raises FetchError. With `source`, the page itself is not asked for again."""
        self._waiting += 1
        async with self._room:
            self._waiting -= 1
            for attempt in range(1, _ATTEMPTS + 1):
                instance = await self._instance()
                rendered = await self._attempt(instance, url, draw, source)
                if rendered is not None:
                    self.pages += 1
                    return rendered
                logger.info("the browser was lost under %s (attempt %d)", url, attempt)
            raise FetchError(Cause.BROWSER, f"the browser was lost {_ATTEMPTS} times")

    async def _attempt(self, instance: Instance, url: str, draw: Draw, source: Source | None) -> Rendered | None:
        """None: the browser or the tab died, which may not be this page's fault."""
        from playwright.async_api import Error

        tab: Tab | None = None
        sound = False
        try:
            with instance.at_work():
                tab = await instance.unless_lost(instance.tab())
                rendered = await instance.unless_lost(tab.draw(url, draw, source))
            sound = True
            return rendered
        except FetchError as error:
            sound = error.cause is not Cause.TIMEOUT
            raise
        except (Error, TabStuck, BrowserLost) as error:
            logger.debug("drawing %s failed: %s", url, str(error).partition("\n")[0])
            return None
        finally:
            await asyncio.shield(instance.give_back(tab, sound=sound, rest=not self._waiting))

    # -- instances -------------------------------------------------------------------------------------------------

    async def _instance(self) -> Instance:
        async with self._starting:
            if self._closed:
                raise FetchError(Cause.BROWSER, "the browser is closed")
            current = self._current
            if current is not None and current.alive and not await current.worn():
                return current
            if current is not None:
                self._retire(current)
            self._current = await self._launch()
            return self._current

    def _retire(self, instance: Instance) -> None:
        """What it is drawing may end; a fresh one draws what comes next."""
        self._current = None
        task = asyncio.create_task(instance.retire())
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    async def _launch(self) -> Instance:
        from playwright.async_api import Error

        if self._sandbox is None:
            self._sandbox = sandboxed(self._options)
        for attempt in (1, 2, 3):
            try:
                if self.proxy is None:
                    self.proxy = await self._stack.enter_async_context(GuardProxy(self._proxy_options()))
                driver = await self._drive()
                instance = await Instance.launch(
                    driver, self._executable, self.proxy.port, self._options, self._filter, sandbox=self._sandbox
                )
            except Error as error:
                if lacks_sandbox(error):
                    self._give_up_sandbox()
                elif attempt == 3:
                    raise FetchError(Cause.BROWSER, f"Chromium does not start: {error}"[:500]) from None
                else:
                    logger.warning("Chromium did not start, trying again: %s", str(error).splitlines()[0])
                    await self._stop_driver()
            else:
                self.launches += 1
                return instance
        raise AssertionError

    def _give_up_sandbox(self) -> None:
        """Unless it was insisted on: a crawl that cannot draw at all helps nobody."""
        if self._options.sandbox:
            raise FetchError(
                Cause.BROWSER,
                "Chromium cannot have its sandbox here (no user namespaces): allow them, install Debian's package "
                "chromium-sandbox, or set browser.sandbox = false",
            ) from None
        logger.warning("no user namespaces here: Chromium runs without its sandbox (browser.sandbox = true insists)")
        self._sandbox = False

    async def _drive(self) -> Playwright:
        if self._driver is None:
            from playwright.async_api import async_playwright

            scratch = self._stack.enter_context(scratch_directory())
            with temporary_files_in(scratch):
                self._driver = await async_playwright().start()
        return self._driver

    async def _stop_driver(self) -> None:
        if self._driver is not None:
            driver, self._driver = self._driver, None
            try:
                async with asyncio.timeout(10):
                    await driver.stop()
            except Exception:
                logger.debug("the driver did not stop in order", exc_info=True)

    def _proxy_options(self) -> ProxyOptions:
        options = self._options
        hosts = options.blocked_hosts | (frozenset() if options.ads else AD_HOSTS)
        return ProxyOptions(
            allow_private=options.allow_private,
            upstream=options.proxy,
            site_upstreams=options.site_proxies,
            blocked=blocker(hosts),
            max_traffic=options.max_traffic,
        )

    async def close(self) -> None:
        """Ends what is being drawn, too, after a grace time; nothing is drawn after it."""
        self._closed = True
        if self._current is not None:
            self._retire(self._current)
        await asyncio.gather(*self._retiring, return_exceptions=True)
        await self._stop_driver()
        await self._stack.aclose()
        self.proxy = None
