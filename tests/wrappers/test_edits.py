"""What a person changes about rules, and that a crawl under way follows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nephila.document import parse
from nephila.errors import InputError
from nephila.memory import SqliteMemory
from nephila.wrappers import site_rules
from nephila.wrappers.edits import Edits
from nephila.wrappers.site_rules import SiteRules
from nephila.wrappers.store import RuleStore

PAGES = [
    f"<h1>Kettle {n}</h1><table><tr><th>Price</th><td>${n + 7}.50</td></tr><tr><th>Colour</th><td>hue {n}</td></tr>"
    f"</table><p>Number {n} of many kettles that boil water.</p>"
    for n in range(14)
]


def test_a_crawl_under_way_reads_by_rules_that_were_edited_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_rules, "_FRESH", 0.0)

    async def crawl() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        store, rules = RuleStore(memory), SiteRules(RuleStore(memory))
        for page in PAGES[:10]:
            await rules.read(parse(page), "example.org", "product")
        await rules.finish()
        (template,) = await store.templates("example.org")
        read = await rules.read(parse(PAGES[11]), "example.org", "product")
        assert read.values["price"] == {"amount": 18.5, "currency": "USD"}
        await store.put(Edits(rename={"price": "cost"}, types={"price": "text"}).apply(template))
        read = await rules.read(parse(PAGES[12]), "example.org", "product")
        assert read.values["cost"] == "$19.50"
        assert "price" not in read.values
        await store.remove(template.site, template.group)
        assert (await rules.read(parse(PAGES[13]), "example.org", "product")).values == {}
        await memory.close()

    asyncio.run(crawl())


def test_edits_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    from nephila.wrappers.learn import Lesson, learn
    from nephila.wrappers.outline import Outline

    template = learn([Lesson(Outline(parse(page))) for page in PAGES], site="example.org", group="g")
    one, two = (each.name for each in template.fields[:2])
    for edits in (
        Edits(rename={"nobody": "x"}),
        Edits(rename={one: two}),
        Edits(rename={one: " "}),
        Edits(types={one: "colour"}),
        Edits(drop=["nobody"]),
    ):
        with pytest.raises(InputError):
            edits.apply(template)
    accepted = Edits().apply(template)
    assert accepted.origin == "edited"
    assert [each.origin for each in accepted.fields] == [each.origin for each in template.fields]
    swapped = Edits(rename={one: two, two: one}).apply(template)
    assert [each.name for each in swapped.fields[:2]] == [two, one]
