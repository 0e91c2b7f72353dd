"""Fields of sites as they are written today: named and typed, with no example and no prior."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nephila.document import parse
from nephila.memory import SqliteMemory
from nephila.wrappers.learn import Lesson, learn
from nephila.wrappers.outline import Outline
from nephila.wrappers.site_rules import SiteRules
from nephila.wrappers.store import RuleStore
from nephila.wrappers.structured import structured_facts
from tests.wrappers.modern import KINDS, Page, pages

TYPES = {
    "shop": "Product",
    "job": "JobPosting",
    "home": "RealEstateListing",
    "place": "LocalBusiness",
    "event": "Event",
}


def lesson(page: Page) -> Lesson:
    document = parse(page.html, page.url)
    return Lesson(Outline(document), *structured_facts(document))


@pytest.mark.parametrize("kind", KINDS)
def test_fields_of_a_template_of_today(kind: str) -> None:
    known, new = pages(kind)[:12], pages(kind)[12:]
    template = learn([lesson(page) for page in known], "site.example", "t")
    assert template.kind == TYPES[kind]
    for page in new:
        values = template.read(Outline(parse(page.html, page.url))).values
        assert {name: values.get(name) for name in page.gold} == page.gold


def test_a_stream_of_mixed_pages_is_sorted_and_read(tmp_path: Path) -> None:
    """As a crawl sees them: pages of three templates of one site in turn."""
    mixed = [page for each in zip(*(pages(kind) for kind in ("shop", "home", "place")), strict=True) for page in each]

    async def run() -> int:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        rules = SiteRules(RuleStore(memory))
        for page in mixed:
            await rules.read(parse(page.html, page.url), "site.example")
        await rules.finish()
        right = 0
        for page in mixed:
            found = await rules.read(parse(page.html, page.url), "site.example", again=True)
            right += all(found.values.get(name) == value for name, value in page.gold.items())
        await memory.close()
        return right

    assert asyncio.run(run()) == len(mixed)
