"""Pages that come at once, and memories that fail for a moment: nobody runs past what another waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nephila.content.site.store import SiteStore
from nephila.content.visual.store import VisualStore
from nephila.document import parse
from nephila.errors import StateError
from nephila.fetch.gate import Gate
from nephila.forum import Guide, SiteModel
from nephila.forum.guide import SPACE
from nephila.forum.skipped import Skipped
from nephila.frontier.base import Lease
from nephila.memory import SqliteMemory
from nephila.wrappers.site_rules import SiteRules
from nephila.wrappers.store import RuleStore
from tests.content.site.test_site import page
from tests.wrappers.modern import pages


class Unsteady(SqliteMemory):
    """A real memory; of some methods the next call fails, or waits till it may go on."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.failing: set[str] = set()
        self.waiting: dict[str, asyncio.Event] = {}

    async def _pass(self, method: str) -> None:
        if method in self.failing:
            self.failing.discard(method)
            raise StateError(f"{method} failed")
        if (go_on := self.waiting.pop(method, None)) is not None:
            await go_on.wait()

    async def get(self, space: str, key: str) -> bytes | None:
        found = await super().get(space, key)
        await self._pass("get")
        return found

    async def put(self, space: str, key: str, value: bytes, ttl: float | None = None) -> None:
        await self._pass("put")
        await super().put(space, key, value, ttl)

    async def update(self, space: str, key: str, change: Callable[[bytes | None], bytes | None]) -> bytes | None:
        await self._pass("update")
        return await super().update(space, key, change)


def play(place: Path, scenario: Callable[[Unsteady], Awaitable[None]]) -> None:
    async def go() -> None:
        memory = Unsteady(place / "memory.sqlite")
        async with asyncio.timeout(240):
            await scenario(memory)
        await memory.close()

    asyncio.run(go())


def test_what_is_known_of_a_forum_is_there_for_all_pages_that_come_first(tmp_path: Path) -> None:
    async def scenario(memory: Unsteady) -> None:
        known = SiteModel()
        known.forum = True
        await memory.put(SPACE, "a.example", known.to_json())
        guide = Guide(memory)
        memory.waiting["get"] = go_on = asyncio.Event()
        first = asyncio.create_task(guide.load("http://a.example/1"))
        await asyncio.sleep(0)
        await guide.load("http://a.example/2")
        assert guide.is_forum("http://a.example/2")
        go_on.set()
        await first
        assert guide.is_forum("http://a.example/1")

    play(tmp_path, scenario)


def test_what_a_guide_has_learned_is_told_when_the_memory_is_back(tmp_path: Path) -> None:
    async def scenario(memory: Unsteady) -> None:
        guide = Guide(memory)
        guide.look("http://a.example/", None, parse("<p>Hello</p>", "http://a.example/"), 0.0)
        memory.failing.add("update")
        with pytest.raises(StateError):
            await guide.share()
        await guide.share()
        assert await memory.get(SPACE, "a.example") is not None

    play(tmp_path, scenario)


@pytest.mark.parametrize("fails", [True, False], ids=["fails", "is broken off"])
def test_links_that_were_left_out_are_kept_though_telling_them_ends_early(tmp_path: Path, fails: bool) -> None:
    async def scenario(memory: Unsteady) -> None:
        skipped = Skipped(memory)
        for host in ("a.example", "b.example"):
            skipped.add(host, "/x/#", f"http://{host}/x/1")
        if fails:
            memory.failing.add("put")
            with pytest.raises(StateError):
                await skipped.share()
        else:
            memory.waiting["put"] = asyncio.Event()
            telling = asyncio.create_task(skipped.share())
            await asyncio.sleep(0)
            telling.cancel()
            await asyncio.wait([telling])
        for host in ("a.example", "b.example"):
            assert [left.url for left in await skipped.of(host)] == [f"http://{host}/x/1"]

    play(tmp_path, scenario)


def test_pages_of_one_template_that_come_first_and_at_once_are_of_one_group(tmp_path: Path) -> None:
    async def scenario(memory: Unsteady) -> None:
        rules = SiteRules(RuleStore(memory))
        slow, quick = (parse(one.html, one.url) for one in pages("shop")[:2])
        memory.waiting["get"] = go_on = asyncio.Event()
        reading = asyncio.create_task(rules.read(slow, "site.example"))
        while "get" in memory.waiting:
            await asyncio.sleep(0.01)
        group = (await rules.read(quick, "site.example")).group
        go_on.set()
        assert (await reading).group == group
        assert {name: one.pages for name, one in rules._groups["site.example"].groups.items()} == {group: 2}

    play(tmp_path, scenario)


def test_a_site_may_be_dropped_while_another_page_of_it_is_read(tmp_path: Path) -> None:
    async def scenario(memory: Unsteady) -> None:
        store = SiteStore(memory, most_sites=1)
        await store.learn("first.example", page("one"), np.full(4, 0.5, np.float32))
        memory.waiting["update"] = go_on = asyncio.Event()
        second = asyncio.create_task(store.site("second.example"))
        while "update" in memory.waiting:
            await asyncio.sleep(0.01)
        await store.site("third.example")
        go_on.set()
        assert (await second).pages == 0

    play(tmp_path, scenario)


def test_looks_that_were_learned_meanwhile_are_not_forgotten(tmp_path: Path) -> None:
    async def scenario(memory: Unsteady) -> None:
        store = VisualStore(memory)
        memory.waiting["get"] = go_on = asyncio.Event()
        asking = asyncio.create_task(store._site("a.example"))
        while "get" in memory.waiting:
            await asyncio.sleep(0.01)
        learned: Any = object()
        store._sites["a.example"].model = learned
        go_on.set()
        assert (await asking).model is learned

    play(tmp_path, scenario)


def test_a_crawl_delay_that_could_not_be_told_to_the_frontier_is_told_again() -> None:
    told: list[float] = []

    async def slow_down(host: str, *, delay: float) -> None:
        told.append(delay)
        if len(told) == 1:
            raise StateError("the frontier is away")

    async def for_url(url: str) -> Any:
        return SimpleNamespace(
            unreachable=False, sitemaps=(), crawl_delay=lambda agent: 7.0, allows=lambda url, agent: True
        )

    async def go() -> None:
        parts: Any = SimpleNamespace(
            job=SimpleNamespace(
                limits=SimpleNamespace(retry_base=1.0), politeness=SimpleNamespace(max_crawl_delay=60.0)
            ),
            keeper=SimpleNamespace(on_outage=[], frontier=SimpleNamespace(slow_down=slow_down)),
            politeness=SimpleNamespace(rule=lambda host: SimpleNamespace(delay=0.0)),
            on_sitemaps=lambda lease, sitemaps: None,
        )
        robots: Any = SimpleNamespace(
            agent="me", cache=SimpleNamespace(for_url=for_url), fetcher=SimpleNamespace(asked_at=lambda host: None)
        )
        gate = Gate(parts)
        lease = Lease("http://a.example/", 1, "a.example", 1, "me", 0.0, 1, 0)
        with pytest.raises(StateError):
            await gate._pass(lease, robots)
        assert await gate._pass(lease, robots) == 7.0
        assert await gate._pass(lease, robots) == 7.0
        assert told == [7.0, 7.0]

    asyncio.run(go())
