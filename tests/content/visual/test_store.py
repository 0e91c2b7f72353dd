"""Models of sites in the memory of a crawl."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from nephila.content.visual import VisualPage
from nephila.content.visual.store import LESSONS, SPACE, VisualStore
from nephila.memory.sqlite import SqliteMemory
from tests.content.visual.pages import article


def _value(page: VisualPage) -> dict[str, Any]:
    """As the script would have sent it."""
    rows = [
        [one.left, one.top, one.width, one.height, at, at, one.text, one.linked, one.tags, one.link_tags]
        for at, one in enumerate(page.blocks)
    ]
    return {
        "url": page.url,
        "titles": page.titles,
        "descriptions": page.descriptions,
        "width": page.width,
        "height": page.height,
        "body": dict(page.body),
        "styles": [dict(one.style) for one in page.blocks],
        "chains": [list(one.selector) for one in page.blocks],
        "blocks": rows,
    }


def test_a_site_is_learned_from_its_first_pages_and_known_to_all_workers(tmp_path: Path) -> None:
    async def run() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        one, other = VisualStore(memory), VisualStore(memory)
        for number in range(LESSONS[0] - 1):
            assert await one.look("site.example", _value(article(number))) is None
        assert await memory.get(SPACE, "site.example") is None
        seen = await one.look("site.example", _value(article(50)))
        assert seen is not None
        assert seen.by == "site"
        elsewhere = await other.look("site.example", _value(article(60)))
        assert elsewhere is not None
        assert "Menu" not in elsewhere.text
        assert await other.look("other.example", _value(article(60))) is None
        await memory.close()

    asyncio.run(run())


def test_nonsense_is_looked_over(tmp_path: Path) -> None:
    async def run() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        store = VisualStore(memory)
        for value in (None, 3, {}, {"blocks": 1}):
            assert await store.look("site.example", value) is None
        await memory.close()

    asyncio.run(run())
