"""`render = "auto"` with a real Chromium: what was found out is kept in the site memory, believed, checked again."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from nephila.fetch.client import Answer, Client, ClientOptions
from nephila.frontier.base import Lease
from nephila.job import Job
from nephila.memory import SqliteMemory
from nephila.rendering import Renderer
from nephila.rendering.verdicts import SPACE
from nephila.urls import shape

pytest.importorskip("playwright")
if not any(map(shutil.which, ("chromium-headless-shell", "chromium"))):  # pragma: no cover
    pytest.skip("no Chromium is installed", allow_module_level=True)

ROOT = "http://story.example"
Body = Callable[[int], str]


def _texts(number: int) -> list[str]:
    return [f"Part {part} of story {number}, which goes on for {number + part} long and rainy days." for part in (1, 2)]


def plain(number: int) -> str:
    whole = "".join(f"<p>{text}</p>" for text in _texts(number))
    return f"<title>Story {number}</title><main><h1>Story {number}</h1>{whole}</main><script>window.n = 1</script>"


def made_by_script(number: int) -> str:
    """Text that stands nowhere but in code."""
    steps = "".join(f"add({' + '.join(json.dumps(word + ' ') for word in text.split())});" for text in _texts(number))
    add = "const add = (t) => { const p = document.createElement('p'); p.textContent = t.trim(); m.append(p) };"
    return f"<title>Loading</title><main id=m></main><script>{add}{steps}</script>"


def _shown_from(data: str) -> str:
    show = (
        "const h = document.createElement('h1'); h.textContent = d.headline; m.append(h);"
        "for (const t of d.texts) { const p = document.createElement('p'); p.textContent = t; m.append(p) }"
    )
    return f"<title>Loading</title><main id=m></main>{data}<script>const d = %s; {show}</script>"


def _data(number: int) -> str:
    return json.dumps({"headline": f"Story {number}", "texts": _texts(number)})


def next_data(number: int) -> str:
    script = f'<script id="__NEXT_DATA__" type="application/json">{_data(number)}</script>'
    return _shown_from(script) % "JSON.parse(document.getElementById('__NEXT_DATA__').textContent)"


def linked_data(number: int) -> str:
    script = f'<script type="application/ld+json">{_data(number)}</script>'
    return _shown_from(script) % "JSON.parse(document.querySelector('[type*=ld]').textContent)"


def window_data(number: int) -> str:
    return _shown_from(f"<script>window.__STATE__ = {_data(number)}</script>") % "window.__STATE__"


@asynccontextmanager
async def worker(memory: SqliteMemory) -> AsyncIterator[Renderer]:
    """A renderer of a process of its own, as far as it can tell: it shares nothing with others but the memory."""
    client = Client(ClientOptions("test"))
    job = Job.from_dict({"seeds": [ROOT], "render": "auto", "browser": {"visual": False}})
    renderer = Renderer(job, client, memory)
    try:
        yield renderer
    finally:
        await renderer.close()
        await client.close()


async def draw(renderer: Renderer, number: int, body: Body) -> Answer:
    url = f"{ROOT}/story/{number}"
    headers = {"content-type": "text/html; charset=utf-8"}
    answer = Answer(url, 200, headers, f"<!DOCTYPE html>{body(number)}".encode(), 0, 0.0, 0.0)
    return await renderer.draw(Lease(url, number, "story.example", 1, "w", 1e12, 1, 0), answer)


def _says(answer: Answer, number: int) -> bool:
    return all(text in answer.body.decode() for text in _texts(number))


async def _way(memory: SqliteMemory) -> str:
    kept = await memory.get(SPACE, shape(f"{ROOT}/story/1"))
    assert kept is not None
    return str(json.loads(kept)["way"])


@pytest.mark.parametrize(
    ("body", "way", "further"),
    [(plain, "plain", 0), (made_by_script, "browser", 4), (next_data, "data", 0), (linked_data, "data", 0)],
)
def test_what_one_worker_finds_out_all_later_ones_know(tmp_path: Path, body: Body, way: str, further: int) -> None:
    async def run() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        async with worker(memory) as first:
            for number in range(1, 4):
                assert _says(await draw(first, number, body), number)
        assert await _way(memory) == way
        async with worker(memory) as later:
            for number in range(4, 8):
                answer = await draw(later, number, body)
                assert _says(answer, number)
                assert answer.rendered == (way == "browser")
            assert later.pool.pages == further, "no look is taken at what is known"
        await memory.close()

    asyncio.run(run())


def test_a_page_that_is_not_drawn_in_time_is_taken_as_the_server_sent_it(tmp_path: Path) -> None:
    async def run() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        client = Client(ClientOptions("test"))
        job = Job.from_dict({"seeds": [ROOT], "render": "always", "browser": {"patience": 0.5, "wait_for": "#never"}})
        renderer = Renderer(job, client, memory)
        emptied = "<script>onload = () => document.querySelector('main').remove()</script>"
        answer = await draw(renderer, 1, lambda number: emptied + plain(number))
        assert _says(answer, 1)
        assert not answer.rendered
        await renderer.close()
        await client.close()
        await memory.close()

    asyncio.run(run())


def test_data_in_the_page_is_read_after_one_look(tmp_path: Path) -> None:
    async def run() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        async with worker(memory) as renderer:
            for number in range(1, 12):
                answer = await draw(renderer, number, window_data)
                assert _says(answer, number)
                assert not answer.rendered
            assert renderer.pool.pages == 1
        await memory.close()

    asyncio.run(run())


@pytest.mark.slow
def test_a_site_that_was_rebuilt_is_found_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nephila.rendering.renderer._BROWSER_CHECK", 3)
    monkeypatch.setattr("nephila.rendering.renderer._PLAIN_CHECK", 3)

    async def run() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        async with worker(memory) as renderer:
            for number, body in enumerate([made_by_script] * 3 + [plain] * 8, 1):
                assert _says(await draw(renderer, number, body), number)
            assert await _way(memory) == "plain"
            for number in range(20, 26):
                answer = await draw(renderer, number, made_by_script)
            assert await _way(memory) == "browser"
            assert _says(answer, number)
        await memory.close()

    asyncio.run(run())
