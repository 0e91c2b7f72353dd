"""`nephila forum`: what was learned is shown, and mended by hand for good."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nephila.crawling.state import State
from nephila.forum import Role, SiteModel
from nephila.forum.guide import SPACE
from tests.crawl.crawling import Place, nephila
from tests.sites import serve


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("forum"))
    with serve("forum") as served:
        done = place.crawl(served["forum"], "--delay", 0)
        assert done.status == 0, done.err
    return place


def _model(place: Path) -> SiteModel:
    async def get() -> SiteModel:
        memory = State(place).open_memory()
        try:
            ((_, data),) = await memory.items(SPACE)
            return SiteModel.from_json(data)
        finally:
            await memory.close()

    return asyncio.run(get())


def test_it_shows_boards_and_threads(crawled: Place) -> None:
    done = nephila("forum", "show", "--state", crawled.state)
    assert done.status == 0, done.err
    assert "a forum" in done.out
    roles = {line.split()[0] for line in done.out.splitlines() if line.startswith("  ")}
    assert {"board", "thread"} <= roles


def test_what_is_set_by_hand_stays(crawled: Place) -> None:
    pattern = next(text for text, known in _model(crawled.state).patterns.items() if known.role is Role.BOARD)
    done = nephila("forum", "fix", pattern, "other", "--state", crawled.state)
    assert done.status == 0, done.err
    known = _model(crawled.state).patterns[pattern]
    assert (known.role, known.fixed) == (Role.OTHER, True)
    assert "by hand" in nephila("forum", "show", "--state", crawled.state).out


@pytest.mark.parametrize(("pattern", "role"), [("/no/such/{#}", "thread"), ("/", "village")])
def test_what_cannot_be_set_is_said(crawled: Place, pattern: str, role: str) -> None:
    done = nephila("forum", "fix", pattern, role, "--state", crawled.state)
    assert done.status != 0
    assert (pattern if role == "thread" else role) in done.err
    assert "Traceback" not in done.err
