"""Crawls with a browser: used where pages need it and nowhere else, and killed as often as you like."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from nephila.demo import kit
from tests.crawl import scripted
from tests.crawl.crawling import Place, Running, children
from tests.sites import Served, lighthouses, serve

if not any(map(shutil.which, ("chromium-headless-shell", "chromium"))):  # pragma: no cover
    pytest.skip("no Chromium is installed", allow_module_level=True)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Served]:
    here = Path(__file__).parents[2]
    with kit.serve("tests.crawl.scripted:SITE", log=tmp_path / "requests.jsonl", search_path=here) as served:
        yield served


def test_auto_finds_every_text_and_renders_what_needs_it(place: Place) -> None:
    with serve("lighthouses") as served:
        done = place.crawl(served["lighthouses"], "--render", "auto", "--screenshots", place.root / "pictures")
        assert done.status == 0, done.err
        gold = lighthouses.gold(served["lighthouses"])
    records = {record.url: record for record in place.records}
    assert set(records) == set(gold)
    for url, leaf in gold.items():
        text = records[url].text or ""
        assert all(paragraph in text for paragraph in leaf.paragraphs), url
        # What the almanac says is in its markup, as data: it was drawn once, to see that, and not used.
        assert records[url].rendered == (leaf.kind in ("script", "scroll")), url
    need = sum(leaf.kind in ("script", "scroll") for leaf in gold.values())
    assert need <= place.summary["counters"]["rendered"] <= 1.05 * need
    pictures = list((place.root / "pictures").glob("*.png"))
    assert len(pictures) == place.summary["counters"]["rendered"]


def test_plain_pages_are_left_alone_after_the_samples(made: Served, place: Place) -> None:
    done = place.crawl(made["scripted"], "--render", "auto")
    assert done.status == 0, done.err
    records = {record.url: record for record in place.records}
    assert set(records) == scripted.addresses(made["scripted"])
    for url, record in records.items():
        assert record.rendered == ("/plain/" not in url), url
    needed = scripted.PAGES + 1
    assert needed <= place.summary["counters"]["rendered"] <= 1.05 * needed


def test_the_plain_sites_of_the_demo_are_not_drawn(place: Place) -> None:
    """The shop's pages run a script: a sample may be looked at, and is not used."""
    with serve("news", "shop") as served:
        done = place.crawl(served["news"], served["shop"], "--render", "auto", "--max-pages", 80)
    assert done.status == 0, done.err
    assert len(place.records) >= 80
    assert not [record.url for record in place.records if record.rendered]
    assert place.summary["counters"].get("rendered", 0) <= 2 * 2


def test_the_site_s_own_rule_wins(made: Served, place: Place) -> None:
    host = made["scripted"][7:-1]
    job = place.job(f'seeds = ["{made["scripted"]}"]\nrender = "always"\n[sites."{host}"]\nrender = "never"\n')
    done = place.crawl("--job", job)
    assert done.status == 0, done.err
    assert [record.rendered for record in place.records] == [False]


@pytest.mark.slow
def test_every_page_is_there_once_though_the_browser_is_killed_ten_times(made: Served, place: Place) -> None:
    running = place.start(made["scripted"], "--render", "always")
    killed: set[int] = set()
    while running.process.poll() is None and len(killed) < 10:
        browser = _browser(running)
        if browser is not None and browser not in killed:
            time.sleep(0.3)
            with suppress(ProcessLookupError):
                os.kill(browser, signal.SIGKILL)
                killed.add(browser)
        time.sleep(0.05)
    assert running.end() == 0, running.err
    assert len(killed) == 10
    counted = Counter(place.urls)
    assert max(counted.values()) == 1
    assert set(counted) == scripted.addresses(made["scripted"])
    for record in place.records:
        number = int(record.url.rpartition("/")[2] or 1)
        wanted = scripted.texts(1000 + number if "/plain/" in record.url else number)
        assert all(text in (record.text or "") for text in wanted), record.url


def _browser(running: Running) -> int | None:
    """The main process of the worker's Chromium."""
    for worker in running.workers():
        for driver in children(worker):
            for pid in children(driver):
                with suppress(OSError):
                    if b"--remote-debugging-pipe" in Path(f"/proc/{pid}/cmdline").read_bytes():
                        return pid
    return None
