"""Fields of sites as they are written today: named and typed, with no example and no prior."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from nephila.document import parse
from nephila.memory import SqliteMemory
from nephila.wrappers import site_rules
from nephila.wrappers.learn import Lesson, learn
from nephila.wrappers.outline import Outline
from nephila.wrappers.site_rules import SiteRules
from nephila.wrappers.store import RuleStore
from nephila.wrappers.structured import structured_facts
from nephila.wrappers.template import Template
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


def test_pages_that_come_while_rules_are_learned_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many they are: on a busy machine learning takes longer than fetching."""
    let = threading.Event()

    def late(samples: Sequence[Lesson], *rest: Any) -> Template:
        let.wait(60)
        return learn(samples, *rest)

    monkeypatch.setattr(site_rules, "learn", late)

    async def run() -> list[bool]:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        rules = SiteRules(RuleStore(memory))
        found = [await rules.read(parse(page.html, page.url), "site.example") for page in pages("job", 40)]
        let.set()
        await rules.finish()
        await memory.close()
        return [each.early for each in found]

    assert all(asyncio.run(run()))
