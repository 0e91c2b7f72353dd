"""Another crawl of the same forum: only what is new or changed is fetched and delivered."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from nephila.forum import boards_again
from nephila.memory import SqliteMemory
from tests.forum.walk import Walk, Walked
from tests.sites.layouts import Content, Tables, Thread


async def _first(site: Tables, place: Path, seen: set[int]) -> Walked:
    memory = SqliteMemory(place / "memory.sqlite")
    try:
        return await Walk(site, memory, seen).run()
    finally:
        await memory.close()


async def _second(site: Tables, place: Path, seen: set[int]) -> Walked:
    memory = SqliteMemory(place / "memory.sqlite")
    try:
        walk = Walk(site, memory, seen)
        await walk.guide.load(site.start)
        for way in await boards_again(memory, 2.0):
            walk.push(way.url, way.priority, way.identity, way.meta)
        return await walk.run()
    finally:
        await memory.close()


def test_new_posts_and_threads_are_found_with_few_fetches(tmp_path: Path) -> None:
    content = Content(seed=5, threads=8)
    site = Tables(content)
    seen: set[int] = set()
    first = asyncio.run(_first(site, tmp_path, seen))
    assert set(first.posts) == set(content.posts)
    known = set(content.posts)
    now = datetime(2026, 1, 2, 3, tzinfo=UTC)
    for board in content.boards:
        board.threads[-1].posts += [content.post(now), content.post(now)]
        board.threads.append(Thread(900 + board.id, f"Brand new {board.id}", [content.post(now)]))
        board.threads.sort(key=lambda one: one.posts[-1].when, reverse=True)
    second = asyncio.run(_second(site, tmp_path, seen))
    fresh = {number for number, post in second.posts.items() if number not in known}
    assert fresh == set(content.posts) - known
    # The index and the boards' first pages, the changed and the new threads; two pages of a board where they moved up.
    assert len(second.fetched) <= 1 + 4 * len(content.boards) + 2
    assert all(post["version"] == 1 for post in second.posts.values())


def test_an_edited_post_is_a_new_version(tmp_path: Path) -> None:
    content = Content(seed=6, boards=2, threads=6)
    site = Tables(content)
    seen: set[int] = set()
    asyncio.run(_first(site, tmp_path, seen))
    thread = content.boards[0].threads[0]
    thread.posts[-1].text = "I take it all back."
    thread.posts[-1].when = datetime(2026, 1, 2, 3, tzinfo=UTC)
    second = asyncio.run(_second(site, tmp_path, seen))
    changed = second.posts[str(thread.posts[-1].id)]
    assert changed["version"] == 2
    assert changed["text"] == "I take it all back."
