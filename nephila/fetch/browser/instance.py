"""One running Chromium: its context, its tabs that wait for work, its memory, its end."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from nephila.fetch.browser.chromium import flags
from nephila.fetch.browser.options import BrowserOptions
from nephila.fetch.browser.tab import Tab, script
from nephila.filter_lists import NetworkFilter

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Playwright

logger = logging.getLogger(__name__)

_PAGES_A_TAB = 50
"""Then a tab is closed: what leaks in a renderer goes with it."""
_WEIGH_SECONDS = 2.0
_OPEN_SECONDS = 30.0
"""For a new tab."""
_GRACE = 45.0
"""For what is still being drawn when a browser is retired."""


T = TypeVar("T")


class BrowserLost(Exception):  # noqa: N818 - it names what happened
    """Chromium is gone, or does not answer."""


class Instance:
    def __init__(
        self,
        browser: Browser,
        context: BrowserContext,
        protocol: CDPSession,
        options: BrowserOptions,
        unwanted: NetworkFilter | None,
    ) -> None:
        self._browser = browser
        self._context = context
        self._protocol = protocol
        self._options = options
        self._unwanted = unwanted
        self._idle: list[Tab] = []
        self._own: set[Page] = set()
        self._opening = 0
        self._weighed_at = time.monotonic()
        self.memory = 0
        self.pages = 0
        self._active = 0
        self._at_rest = asyncio.Event()
        self._lost: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        browser.on("disconnected", self._disconnected)
        context.on("page", self._popped_up)

    @classmethod
    async def launch(
        cls,
        driver: Playwright,
        executable: str,
        proxy_port: int,
        options: BrowserOptions,
        unwanted: NetworkFilter | None,
        *,
        sandbox: bool,
    ) -> Instance:
        browser = await driver.chromium.launch(
            executable_path=executable,
            args=list(flags(options, proxy_port)),
            chromium_sandbox=sandbox,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=60_000,
        )
        width, height = options.viewport
        context = await browser.new_context(
            user_agent=options.user_agent,
            extra_http_headers=dict(options.headers) or None,
            ignore_https_errors=not options.verify_tls,
            viewport={"width": width, "height": height},
            service_workers="block",
            accept_downloads=False,
        )
        await context.add_init_script(script("watch.js"))
        return cls(browser, context, await browser.new_browser_cdp_session(), options, unwanted)

    @property
    def alive(self) -> bool:
        return self._browser.is_connected()

    async def processes(self) -> list[int]:
        """Ids of Chromium's processes, its main one first."""
        answer: dict[str, Any] = await self._protocol.send("SystemInfo.getProcessInfo")
        found = answer["processInfo"]
        return [int(process["id"]) for process in sorted(found, key=lambda process: process["type"] != "browser")]

    async def worn(self) -> bool:
        """Whether a fresh browser should take over."""
        if self.pages >= self._options.recycle_after:
            return True
        if time.monotonic() - self._weighed_at > _WEIGH_SECONDS:
            self._weighed_at = time.monotonic()
            try:
                async with asyncio.timeout(5):
                    self.memory = sum(map(_private_bytes, await self.processes()))
            except Exception as error:
                logger.debug("Chromium could not be weighed: %s", str(error).partition("\n")[0])
                return not self.alive
        return self.memory > self._options.max_memory

    async def unless_lost(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work gives, or BrowserLost: a call that was under way when Chromium died may never return."""
        task = asyncio.ensure_future(work)
        either: set[asyncio.Future[Any]] = {task, self._lost}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise BrowserLost
        finally:
            task.cancel()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """While a page is being drawn; a retired browser waits for the end of these."""
        self._active += 1
        self._at_rest.clear()
        try:
            yield
        finally:
            self._active -= 1
            if not self._active:
                self._at_rest.set()

    async def tab(self) -> Tab:
        self.pages += 1
        if self._idle:
            return self._idle.pop()
        self._opening += 1
        try:
            async with asyncio.timeout(_OPEN_SECONDS):
                tab = await Tab.open(self._context, self._options, self._unwanted)
        except TimeoutError:
            await self._kill()
            raise BrowserLost from None
        finally:
            self._opening -= 1
        self._own.add(tab.page)
        return tab

    async def give_back(self, tab: Tab | None, *, sound: bool, rest: bool) -> None:
        """`rest`: nobody waits for it."""
        if tab is None or not self.alive:
            return
        if sound and tab.pages < _PAGES_A_TAB and (not rest or await _at_rest(tab)):
            self._idle.append(tab)
            return
        self._own.discard(tab.page)
        try:
            async with asyncio.timeout(10):
                await tab.close()
        except Exception:
            # A tab that cannot be closed would stay for ever, and so would what it eats.
            logger.info("a tab did not close; its browser is ended")
            await self._kill()

    async def retire(self) -> None:
        try:
            if self._active and self.alive:
                async with asyncio.timeout(_GRACE):
                    await self._at_rest.wait()
            async with asyncio.timeout(10):
                await self._browser.close()
        except Exception:
            await self._kill()

    async def _kill(self) -> None:
        try:
            async with asyncio.timeout(5):
                await self._protocol.send("Browser.crash")
        except Exception:
            logger.debug("Chromium is gone", exc_info=True)

    def _disconnected(self, _: Browser) -> None:
        if not self._lost.done():
            self._lost.set_result(None)

    def _popped_up(self, page: Page) -> None:
        """A window that nobody asked for is closed; our own tabs say so before they are opened."""
        if self._opening == 0 and page not in self._own:
            self._closing = asyncio.ensure_future(_close(page))


async def _at_rest(tab: Tab) -> bool:
    try:
        async with asyncio.timeout(5):
            await tab.rest()
    except Exception:
        return False
    return True


async def _close(page: Page) -> None:
    try:
        await page.close(run_before_unload=False)
    except Exception:
        logger.debug("a pop-up was gone already", exc_info=True)


def _private_bytes(pid: int) -> int:
    """Memory of a process that it shares with no other."""
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
