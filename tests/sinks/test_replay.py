"""A crawl's archive in a replay tool: pywb, in an environment of its own (it wants older libraries than we do)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import urllib3

from nephila.page import Page
from nephila.record import Record
from nephila.sinks import Delivery, open_sink
from tests.crawl.crawling import Place
from tests.servers.ports import free_port
from tests.servers.process import listening, running
from tests.sites import serve

PYWB = Path(__file__).parents[2] / ".venv-replay" / "bin"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PYWB / "wayback").exists(), reason="no .venv-replay: `make test-slow` makes it"),
]


def replayed(archive: Path, place: Path, urls: list[str]) -> dict[str, urllib3.BaseHTTPResponse]:
    """What the replay answers for each URL, unchanged (`id_`: without its own banner and rewriting)."""
    place.mkdir()
    for arguments in (["init", "crawl"], ["add", "crawl", archive]):
        subprocess.run([PYWB / "wb-manager", *arguments], cwd=place, check=True, capture_output=True)
    port = free_port()
    with running([PYWB / "wayback", "-b", "127.0.0.1", "-p", str(port)], place / "log", lambda: listening(port)):
        pool = urllib3.PoolManager()
        return {
            url: pool.request("GET", f"http://127.0.0.1:{port}/crawl/2031id_/{url}", redirect=False, timeout=60)
            for url in urls
        }


def test_a_crawled_site_is_replayed_page_by_page(tmp_path: Path) -> None:
    with serve("news") as served:
        place = Place(tmp_path / "crawl")
        place.root.mkdir()
        archive = tmp_path / "news.warc.gz"
        done = place.crawl(served["news"], "-o", archive, "--max-pages", 25, "--delay", 0)
        assert done.status == 0, done.err
        urls = place.urls
        live = {url: urllib3.request("GET", url) for url in urls}
    answers = replayed(archive, tmp_path / "replay", urls)
    assert len(answers) == 25
    for url, answer in answers.items():
        assert answer.status == 200, url
        assert answer.data == live[url].data, url
        assert answer.headers["content-type"] == live[url].headers["content-type"], url


def test_redirects_and_revisits_are_replayed_too(tmp_path: Path) -> None:
    one, two, gone = (f"http://site.example/{name}" for name in ("one", "two", "gone"))
    body = b"<p>The same on both pages.</p>" * 40

    def page(url: str, body: bytes, status: int = 200, **headers: str) -> Page:
        known = {"content-type": "text/html", **headers}
        return Page(url, url, status, body, 1900000000.0, known, request_headers={"Host": "site.example"})

    archive = tmp_path / "a.warc.gz"
    sink = open_sink(str(archive), tmp_path / "ledger.sqlite")
    sink.commit([Delivery(1, [Record(url=one)], page(one, body)), Delivery(2, [Record(url=two)], page(two, body))])
    sink.commit([Delivery(3, [], page(gone, b"", 301, location=one))])
    sink.close()
    answers = replayed(archive, tmp_path / "replay", [one, two, gone])
    assert [answers[url].data for url in (one, two)] == [body, body]
    assert answers[gone].status == 301
    assert answers[gone].headers["location"].endswith(one)
