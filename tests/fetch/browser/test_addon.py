"""`meta["renderjs"]` in a stock Scrapy project with one line of settings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sites import Served

SPIDER = """
import scrapy

class PagesSpider(scrapy.Spider):
    name = "pages"
    custom_settings = {
        "ADDONS": {"nephila.fetch.addon.%(addon)s": 100},
        "NEPHILA_BROWSER": {"allow_private": True},
        "LOG_LEVEL": "WARNING",
    }

    async def start(self):
        for path, wish in (("light/eddering", True), ("keeper/magda-vint", {"wait_for": "h1", "script": "() => 6 * 7"}),
                           ("light/whitecap", None)):
            yield scrapy.Request("%(root)s" + path, meta={"renderjs": wish}, cb_kwargs={"path": path})

    def parse(self, response, path):
        yield {
            "path": path,
            "title": response.css("h1::text").get(),
            "flags": response.flags,
            "value": response.meta.get("rendered", {}).get("value"),
        }
"""


@pytest.mark.parametrize("addon", ["RenderAddon", "FrontierAddon"])
def test_requests_that_ask_for_it_are_drawn(lighthouses: Served, tmp_path: Path, addon: str) -> None:
    (tmp_path / "spider.py").write_text(SPIDER % {"addon": addon, "root": lighthouses["lighthouses"]})
    command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-o", "items.jsonl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    items = {item["path"]: item for item in map(json.loads, (tmp_path / "items.jsonl").read_text().splitlines())}
    assert len(items) == 3, done.stderr
    assert items["light/eddering"]["title"] == "Eddering"
    assert items["light/eddering"]["flags"] == ["rendered"]
    assert items["keeper/magda-vint"]["title"] == "Magda Vint"
    assert items["keeper/magda-vint"]["value"] == 42
    assert items["light/whitecap"] == {"path": "light/whitecap", "title": None, "flags": [], "value": None}
