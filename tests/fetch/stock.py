"""A stock Scrapy project, made by `scrapy startproject` and run as `scrapy crawl`, with the add-on in one line."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import textwrap
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nephila.frontier import DeadLetter, SqliteFrontier, Stats
from tests.crawl.crawling import PATIENCE
from tests.fetch.echo import EchoSite

ONE_LINE = 'ADDONS = {"nephila.fetch.addon.FrontierAddon": 100}'

PIPELINE = """
import json, os
class Lines:
    def open_spider(self):
        self.file = open("items.jsonl", "ab", buffering=0)
    def process_item(self, item):
        self.file.write(json.dumps({"pid": os.getpid(), **item}).encode() + b"\\n")
        return item
"""


@dataclass
class Project:
    root: Path

    def spider(self, code: str) -> None:
        """Takes the place of what `genspider` made."""
        head = "import asyncio, os, scrapy\n\n\n"
        body = textwrap.dedent(code)
        (self.root / "stock" / "spiders" / "pages.py").write_text(head + body)

    def start(self, *arguments: str, **settings: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "scrapy", "crawl", "pages", *arguments]
        for name, value in settings.items():
            command += ["-s", f"{name}={value}"]
        return subprocess.Popen(command, cwd=self.root, stderr=subprocess.PIPE, text=True)

    def crawl(self, *arguments: str, **settings: object) -> str:
        """Gives the log of a crawl that ended by itself."""
        process = self.start(*arguments, **settings)
        try:
            _, log = process.communicate(timeout=PATIENCE)
        except BaseException:
            process.kill()
            raise
        assert process.returncode == 0, log
        return log

    @property
    def items(self) -> list[dict[str, Any]]:
        path = self.root / "items.jsonl"
        return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []

    def frontier(self) -> tuple[Stats, list[DeadLetter]]:
        async def look() -> tuple[Stats, list[DeadLetter]]:
            frontier = SqliteFrontier(self.root / ".nephila" / "stock-pages.sqlite")
            try:
                return await frontier.stats(), await frontier.dead_letters()
            finally:
                await frontier.close()

        return asyncio.run(look())


def make_project(place: Path) -> None:
    for command in (["startproject", "stock", "."], ["genspider", "pages", "127.0.0.1"]):
        subprocess.run([sys.executable, "-m", "scrapy", *command], cwd=place, check=True, capture_output=True)
    settings = place / "stock" / "settings.py"
    text = settings.read_text()
    assert "ADDONS = {}" in text
    # One line for the add-on; the rest is the pipeline that the tests read, and a quicker pace.
    text = text.replace("ADDONS = {}", ONE_LINE) + 'ITEM_PIPELINES = {"stock.lines.Lines": 1}\n'
    text = text.replace("DOWNLOAD_DELAY = 1\n", "").replace("CONCURRENT_REQUESTS_PER_DOMAIN = 1\n", "")
    settings.write_text(text)
    (place / "stock" / "lines.py").write_text(PIPELINE)


CRAWLER = """
class PagesSpider(scrapy.Spider):
    name = "pages"
    allowed_domains = ["127.0.0.1"]

    def __init__(self, start, **kw):
        super().__init__(**kw)
        self.start_urls = [start]

    def parse(self, response):
        yield {"url": response.url}
        for number, link in enumerate(response.css("a")):
            yield response.follow(link)
"""


def tree(site: EchoSite, pages: int) -> set[str]:
    """Pages that link to each other and to the start; gives their URLs."""
    for number in range(pages):
        links = [0, number * 2 + 1, number * 2 + 2, (number * 7) % pages]
        body = "".join(f'<a href="/t/{target}">x</a>' for target in links if target < pages)
        site.pages[f"/t/{number}"] = (200, {}, f"<html><body>{body}</body></html>")
    return {f"{site.url}/t/{number}" for number in range(pages)}


def counted(items: list[dict[str, Any]]) -> Counter[str]:
    return Counter(item["url"] for item in items)
