"""`meta["renderjs"]` in a stock Scrapy project, as `scrapy startproject` makes it, with one line of settings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sites import Served

ROOT = Path(__file__).parents[3]

SETTINGS = """
ADDONS = {"nephila.fetch.addon.%s": 100}
NEPHILA_BROWSER = {"allow_private": True}
DOWNLOAD_DELAY = 0
LOG_LEVEL = "WARNING"
"""
SPIDER = """
import scrapy

class PagesSpider(scrapy.Spider):
    name = "pages"

    async def start(self):
        for path, wish in (("light/eddering", True), ("keeper/magda-vint", {"wait_for": "h1", "script": "() => 6 * 7"}),
                           ("light/whitecap", None)):
            yield scrapy.Request("%s" + path, meta={"renderjs": wish}, cb_kwargs={"path": path})

    def parse(self, response, path):
        yield {
            "path": path,
            "title": response.css("h1::text").get(),
            "flags": response.flags,
            "value": response.meta.get("rendered", {}).get("value"),
        }
"""


def _scrapy(place: Path, *words: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "scrapy", *words]
    done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("addon", ["RenderAddon", pytest.param("FrontierAddon", marks=pytest.mark.slow)])
def test_requests_that_ask_for_it_are_drawn(lighthouses: Served, tmp_path: Path, addon: str) -> None:
    _scrapy(tmp_path, "startproject", "lights", ".")
    with (tmp_path / "lights" / "settings.py").open("a") as settings:
        settings.write(SETTINGS % addon)
    (tmp_path / "lights" / "spiders" / "pages.py").write_text(SPIDER % lighthouses["lighthouses"])
    said = _scrapy(tmp_path, "crawl", "pages", "-o", "items.jsonl")
    items = {item["path"]: item for item in map(json.loads, (tmp_path / "items.jsonl").read_text().splitlines())}
    assert len(items) == 3, said
    assert items["light/eddering"]["title"] == "Eddering"
    assert items["light/eddering"]["flags"] == ["rendered"]
    assert items["keeper/magda-vint"]["title"] == "Magda Vint"
    assert items["keeper/magda-vint"]["value"] == 42
    assert items["light/whitecap"] == {"path": "light/whitecap", "title": None, "flags": [], "value": None}
