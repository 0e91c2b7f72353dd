"""Pages drawn by a real Chromium: the sample site whose every word is made by a script."""

from __future__ import annotations

import asyncio
from html import unescape

from nephila.fetch.browser import BrowserOptions, BrowserPool, Draw
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
