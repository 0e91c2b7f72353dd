"""Pages drawn by a real Chromium: the sample site whose every word is made by a script."""

from __future__ import annotations

import asyncio
import os
import signal
from html import unescape

import pytest
from aiohttp import web

from nephila.fetch.browser import BrowserOptions, BrowserPool, Draw
from nephila.fetch.browser.options import Source
from tests.fetch.browser.nasty import nasty_site
from tests.sites import Served
from tests.sites import lighthouses as gold_site


def test_every_kind_of_page_is_drawn_whole(lighthouses: Served) -> None:
    root = lighthouses["lighthouses"]
    gold = gold_site.gold(root)
    chosen = {leaf.kind: (url, leaf) for url, leaf in gold.items()}

    async def run() -> None:
        async with BrowserPool(BrowserOptions(allow_private=True)) as pool:
            for kind, (url, leaf) in chosen.items():
                rendered = await pool.render(url)
                assert rendered.status == 200
                assert all(text in unescape(rendered.html) for text in leaf.paragraphs), kind
                assert not rendered.incomplete
            assert pool.launches == 1

    asyncio.run(run())


def test_a_script_and_a_screenshot_of_the_page(lighthouses: Served) -> None:
    async def run() -> None:
        async with BrowserPool(BrowserOptions(allow_private=True)) as pool:
            rendered = await pool.render(
                lighthouses["lighthouses"] + "logbook", Draw(script="() => document.title", screenshot=True)
            )
            assert rendered.value == "The logbook | Nocturne"
            assert rendered.screenshot is not None
            assert rendered.screenshot.startswith(b"\x89PNG")

    asyncio.run(run())


def test_a_killed_browser_is_replaced_and_its_pages_are_drawn_again() -> None:
    async def run() -> None:
        async with nasty_site() as (root, _), BrowserPool(BrowserOptions(allow_private=True)) as pool:
            await pool.render(root + "first")
            assert pool.current is not None
            browser = (await pool.current.processes())[0]
            under_way = [asyncio.create_task(pool.render(f"{root}slow-data?{number}")) for number in range(4)]
            await asyncio.sleep(0.3)
            os.kill(browser, signal.SIGKILL)
            for rendered in await asyncio.gather(*under_way):
                assert "Words that came late" in rendered.html
            assert pool.launches == 2

    asyncio.run(run())


@pytest.mark.parametrize("bound", [{"recycle_after": 2}, {"max_memory": 1}])
def test_a_browser_that_has_done_its_share_makes_room_for_a_fresh_one(
    bound: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nephila.fetch.browser.instance._WEIGH_SECONDS", 0.0)

    async def run() -> None:
        options = BrowserOptions(allow_private=True, **bound)  # type: ignore[arg-type]
        async with nasty_site() as (root, _), BrowserPool(options) as pool:
            for number in range(4):
                assert "Words of page." in (await pool.render(f"{root}page?{number}")).html
            assert pool.launches >= 2

    asyncio.run(run())


def test_headers_for_the_page_s_site_go_nowhere_else() -> None:
    seen: dict[str, str | None] = {}

    async def answer(request: web.Request) -> web.Response:
        seen[request.path] = request.headers.get("X-Key")
        return web.Response(text="", headers={"Access-Control-Allow-Origin": "*"})

    async def run() -> None:
        app = web.Application()
        app.router.add_get("/{name}", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        for _ in range(2):
            await web.TCPSite(runner, "127.0.0.1", 0).start()
        own, other = (f"http://127.0.0.1:{address[1]}" for address in runner.addresses)
        body = f"<script>fetch('{own}/own'); fetch('{other}/other')</script>".encode()
        async with BrowserPool(BrowserOptions(allow_private=True)) as pool:
            await pool.render(f"{own}/page", Draw(headers={"X-Key": "secret"}), Source(body))
        await runner.cleanup()
        assert seen == {"/own": "secret", "/other": None}

    asyncio.run(run())


def test_load_more_is_pressed_a_bounded_number_of_times() -> None:
    async def run() -> None:
        async with nasty_site() as (root, _), BrowserPool(BrowserOptions(allow_private=True)) as pool:
            for clicks in (0, 3):
                rendered = await pool.render(root + "more", Draw(clicks=clicks))
                assert rendered.html.count("<p>Item ") == clicks

    asyncio.run(run())


def test_a_page_is_not_ready_without_what_was_asked_for() -> None:
    async def run() -> None:
        async with nasty_site() as (root, _), BrowserPool(BrowserOptions(allow_private=True)) as pool:
            assert "12 crowns" not in (await pool.render(root + "late")).html
            assert "12 crowns" in (await pool.render(root + "late", Draw(wait_for="#price"))).html
            never = await pool.render(root + "late", Draw(wait_for="#never", patience=2))
            assert never.incomplete

    asyncio.run(run())


def test_the_user_agent_and_headers_of_the_job_go_with_every_request() -> None:
    seen: list[tuple[str, str | None, str | None]] = []

    async def answer(request: web.Request) -> web.Response:
        seen.append((request.path, request.headers.get("User-Agent"), request.headers.get("X-Purpose")))
        script = "<script>fetch('/data'); document.body.append(navigator.userAgent)</script>"
        return web.Response(text=f"<body>{script}</body>", content_type="text/html")

    async def run() -> None:
        app = web.Application()
        app.router.add_get("/{name}", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        options = BrowserOptions(allow_private=True, user_agent="Weaver/1.0", headers={"X-Purpose": "study"})
        async with BrowserPool(options) as pool:
            rendered = await pool.render(f"http://127.0.0.1:{runner.addresses[0][1]}/page")
        await runner.cleanup()
        assert "Weaver/1.0" in rendered.html
        assert set(seen) == {("/page", "Weaver/1.0", "study"), ("/data", "Weaver/1.0", "study")}

    asyncio.run(run())
