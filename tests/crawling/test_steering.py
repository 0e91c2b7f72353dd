"""Pages that are remembered till their site is known: a few of each, and not more than a few sites' in all."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from nephila.crawling.steering import Steering
from nephila.forum import Guide, SiteModel
from nephila.frontier.base import Lease
from nephila.memory import SqliteMemory
from nephila.page import Page
from nephila.urls import fingerprint

SITES, PAGES = 8, 40


def remembered(steering: Steering, site: int, number: int) -> None:
    url = f"http://site{site}.example/{number}"
    lease = Lease(url, fingerprint(url), f"site{site}.example", number, "me", 0.0, 1, 0)
    steering.remember(lease, Page(url, url, 200, b"<p>Hello</p>", 0.0, {}))


def test_of_more_sites_than_can_be_remembered_those_that_are_forums_are_recalled(tmp_path: Path) -> None:
    async def go() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        guide = Guide(memory)
        nothing: Any = None  # what it would follow links with
        steering = Steering(guide, memory, nothing, nothing)
        for site in range(SITES):
            guide.models[f"site{site}.example"] = SiteModel()
            for number in range(PAGES):
                remembered(steering, site, number)
        assert steering.recalled() == []
        for site in range(SITES):
            guide.models[f"site{site}.example"].forum = True
        found = steering.recalled()
        assert len(found) == 96
        assert {page.final_url.split("/")[2] for _, page in found} == {f"site{site}.example" for site in range(4)}
        assert steering.recalled() == []
        await memory.close()

    asyncio.run(go())
