"""Whatever a page does, it is drawn or given up within its time, and the next page is none the worse for it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from nephila.fetch.browser import BrowserOptions, BrowserPool, Draw, Rendered
from nephila.fetch.browser.options import Source
from nephila.fetch.errors import Cause, FetchError
from tests.fetch.browser.nasty import nasty_site

OPTIONS = BrowserOptions(allow_private=True, timeout=90, max_html=2_500_000, concurrency=4)
QUICK = replace(OPTIONS, timeout=5)
"""For pages that end with their time in any case; the others have as much as a busy machine may need."""
RESTLESS = ("ticker", "long-poll", "endless", "frames", "reloads")


async def _draw(pool: BrowserPool, url: str) -> Rendered | FetchError:
    try:
        return await pool.render(url, Draw(patience=4 if url.endswith(RESTLESS) else 30))
    except FetchError as error:
        return error


def _draw_all(*names: str, options: BrowserOptions = OPTIONS) -> tuple[dict[str, Rendered | FetchError], list[str]]:
    """Each page, all at once and in one browser, and then one more that is harmless."""

    async def run() -> tuple[dict[str, Rendered | FetchError], list[str]]:
        async with nasty_site() as (root, asked), BrowserPool(options) as pool:
            drawn = await asyncio.gather(*(_draw(pool, root + name) for name in names))
            after = await pool.render(root + "harmless")
            assert "Words of harmless." in after.html
            assert pool.launches == 1, "no page may take the browser down"
            return dict(zip(names, drawn, strict=True)), asked

    return asyncio.run(run())


def test_what_a_reader_sees_late_is_waited_for() -> None:
    drawn, _ = _draw_all("slow-data", "chained", "shadow", "lazy", "overrides", "ticker", "dialogs")
    texts = {name: unescape(page.html) if isinstance(page, Rendered) else str(page) for name, page in drawn.items()}
    assert "Words that came late" in texts["slow-data"]
    assert "Words that came late" in texts["chained"]
    assert "Shadow words." in texts["shadow"]
    assert "Slotted words." in texts["shadow"]
    assert "Batch 3" in texts["lazy"]
    assert "Still read." in texts["overrides"]
    assert "Words of ticker." in texts["ticker"]
    assert "After the dialogs." in texts["dialogs"]


def test_pages_that_open_windows_or_lead_astray_stay_alone() -> None:
    drawn, asked = _draw_all("pop-ups", "before-unload", "reloads", "worker", "frames", "download")
    for name, page in drawn.items():
        assert isinstance(page, Rendered), f"{name}: {page}"
        assert f"Words of {name}." in page.html
    assert asked.count("/plain") <= 2, "window.open is shut"
    assert "/worker.js" not in asked
    assert len([path for path in asked if path.startswith("/frames")]) < 20
    assert asked.count("/reloads") <= 6


def test_endless_things_end_within_their_time() -> None:
    drawn, _ = _draw_all("endless-loop", "late-loop", "microtasks", options=QUICK)
    for name, page in drawn.items():
        assert isinstance(page, FetchError), name
        assert name == "microtasks" or page.cause is Cause.TIMEOUT


def test_what_a_page_starts_or_asks_for_holds_nothing_up() -> None:
    drawn, _ = _draw_all("blob", "storage", "prints", "asks", "long-poll", "endless", "password")
    for name in ("blob", "storage", "prints", "asks", "long-poll"):
        page = drawn[name]
        assert isinstance(page, Rendered), f"{name}: {page}"
        assert f"Words of {name}." in page.html
    assert "Storage is full." in drawn["storage"].html  # type: ignore[union-attr]
    locked, endless = drawn["password"], drawn["endless"]
    assert isinstance(locked, Rendered)
    assert locked.status == 401
    assert "Words of the locked." in locked.html
    assert isinstance(endless, FetchError) or "and on" in endless.html


def test_a_script_that_never_comes_does_not_keep_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nephila.fetch.browser.talk._SILENT_SECONDS", 2.0)

    async def run() -> None:
        async with nasty_site() as (root, _), BrowserPool(OPTIONS) as pool:
            rendered = await pool.render(root + "blocked", Draw(patience=8))
            assert "After the script that never came." in rendered.html
            assert not rendered.incomplete

    asyncio.run(run())


def test_pages_that_lead_on_and_on_or_grow_too_large_are_left() -> None:
    drawn, asked = _draw_all("script-redirects", "refresh", "circle", "file.bin", "huge")
    for name in ("script-redirects", "refresh", "circle"):
        assert len([path for path in asked if path.startswith(f"/{name}")]) <= 6
    causes = {name: page.cause if isinstance(page, FetchError) else None for name, page in drawn.items()}
    assert causes["circle"] is Cause.REDIRECTS
    assert causes["file.bin"] is Cause.RENDER
    assert causes["huge"] is Cause.TOO_LARGE
    for name in ("script-redirects", "refresh"):
        page = drawn[name]
        assert page.cause is Cause.REDIRECTS if isinstance(page, FetchError) else f"Words of {name}" in page.html


@pytest.mark.slow
def test_workers_that_never_rest_and_a_huge_tree_are_drawn() -> None:
    drawn, _ = _draw_all("workers", "many")
    assert "After the workers." in drawn["workers"].html  # type: ignore[union-attr]
    assert drawn["many"].html.count("<i>") == 200_000  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_page_that_eats_memory_dies_alone() -> None:
    async def run() -> None:
        async with nasty_site() as (root, _), BrowserPool(replace(OPTIONS, timeout=8)) as pool:
            eater, neighbour = await asyncio.gather(_draw(pool, root + "memory"), _draw(pool, root + "slow-data"))
            assert isinstance(neighbour, Rendered)
            assert "Words that came late" in neighbour.html
            if isinstance(eater, FetchError):
                assert eater.cause in (Cause.TIMEOUT, Cause.BROWSER, Cause.RENDER)
            assert "Words of after." in (await pool.render(root + "after")).html

    asyncio.run(run())


def test_a_page_that_moves_on_stays_where_it_was_when_asked_to() -> None:
    async def run() -> None:
        async with nasty_site() as (root, asked), BrowserPool(OPTIONS) as pool:
            source = Source(b"<p>Here.<script>location.href = '/elsewhere'</script>")
            rendered = await pool.render(root + "page", Draw(follow=False), source)
            assert rendered.moved == root + "elsewhere"
            assert "Here." in rendered.html
            assert asked == [], "the page was given, and its target is nobody's yet"

    asyncio.run(run())


def test_headers_and_cookies_reach_the_page_s_own_host_alone() -> None:
    async def run() -> None:
        async with nasty_site() as (root, _), BrowserPool(OPTIONS) as pool:
            rendered = await pool.render(root + "cookie", Draw(cookies={"session": "a1"}))
            assert "session=a1" in rendered.html

    asyncio.run(run())


def test_nothing_is_left_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "nephila-browser-999999999-left").mkdir()
    _draw_all("download", "blob")
    assert list(tmp_path.iterdir()) == []
