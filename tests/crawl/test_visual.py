"""A crawl that draws its pages learns what the articles of a site look like, without labels, and reads them by that."""

from __future__ import annotations

import asyncio
import shutil
from urllib.parse import urlsplit

import pytest

from nephila.content.score import bag_score
from nephila.content.visual import SiteModel
from nephila.content.visual.store import LESSONS, SPACE
from nephila.memory import SqliteMemory
from tests.crawl.crawling import Place
from tests.sites import news, serve

pytest.importorskip("playwright")
if not any(map(shutil.which, ("chromium-headless-shell", "chromium"))):  # pragma: no cover
    pytest.skip("no Chromium is installed", allow_module_level=True)


def _model(place: Place, site: str) -> SiteModel | None:
    async def read() -> bytes | None:
        memory = SqliteMemory(place.state / "memory.sqlite")
        try:
            return await memory.get(SPACE, site)
        finally:
            await memory.close()

    data = asyncio.run(read())
    return SiteModel.from_bytes(data) if data else None


def test_a_crawl_learns_how_its_articles_look_and_reads_them_by_that(place: Place) -> None:
    with serve("news") as served:
        root = served["news"]
        gold = news.gold(root)
        done = place.crawl(root, "--render", "always", "--max-pages", 30)
    assert done.status == 0, done.err
    model = _model(place, urlsplit(root).netloc)
    assert model is not None, "it is in the site memory"
    assert model.pages == LESSONS[0]
    assert model.covered > 0.5
    drawn = [record for record in place.records if record.rendered]
    seen = [record for record in drawn if record.extractor == "visual"]
    assert len(seen) >= len(drawn) - LESSONS[0] - 5, "from the lesson on, its model reads"
    assert {record.kind for record in seen} == {"article"}
    judged = [(record.text or "", gold[record.url].text) for record in seen if record.url in gold]
    assert len(judged) >= 5
    assert sum(bag_score(text, wanted).f1 for text, wanted in judged) / len(judged) > 0.95


@pytest.mark.slow
def test_a_job_can_go_without_it(place: Place) -> None:
    with serve("news") as served:
        job = place.job(f'seeds = ["{served["news"]}"]\nrender = "always"\n[browser]\nvisual = false\n')
        done = place.crawl("--job", job, "--max-pages", 14)
    assert done.status == 0, done.err
    assert _model(place, urlsplit(served["news"]).netloc) is None
    assert "visual" not in {record.extractor for record in place.records}
