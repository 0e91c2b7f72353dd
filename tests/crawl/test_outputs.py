"""Outputs of a running crawl that stall, or that could never work."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from pathlib import Path

import pytest
import urllib3

from nephila.crawling.segments import Segments
from nephila.crawling.state import State
from nephila.fetch.leases import LeaseKeeper
from nephila.frontier.base import Entry, Visit
from nephila.job import Job
from nephila.telemetry import Counters
from nephila.urls import fingerprint
from tests.crawl.crawling import PATIENCE, Place, alive
from tests.servers.lightsite import light_site, read_log, seeds, urls
from tests.servers.ports import free_port
from tests.servers.process import listening, running

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("hosts", "waits"),
    [(4, False), pytest.param(40, True, marks=pytest.mark.slow)],
    ids=["a short crawl", "a long crawl, which has to wait"],
)
def test_an_output_that_stalls_holds_the_crawl_up_and_loses_nothing(
    tmp_path: Path, place: Place, hosts: int, waits: bool
) -> None:
    port, store, pages = free_port(), free_port(), 150 if waits else 60
    log, job = tmp_path / "requests", tmp_path / "job.toml"
    # Short as it is, it may not be over when its output is stopped after its first records: hence the delay.
    delay = 0 if waits else 0.1
    job.write_text(f'extract = "plain"\n[politeness]\ndelay = {delay}\n[scope]\nsitemaps = false\n')
    server = [sys.executable, "-m", "tests.servers.search", str(store)]
    with (
        light_site(port, log, hosts=hosts, pages=pages),
        running(server, tmp_path / "log", lambda: listening(store), env={"PYTHONPATH": str(ROOT)}) as search,
    ):
        uri = f"elasticsearch+http://127.0.0.1:{store}/pages"
        crawl = place.start(*seeds(port, hosts), "--job", job, "-o", uri)
        crawl.wait_for_records(20)
        search.send_signal(signal.SIGSTOP)
        try:
            asked = _settled(log)
            assert alive(crawl.process.pid)
            if waits:  # what is not written is not acked, and then no more is claimed
                assert asked < hosts * pages
        finally:
            search.send_signal(signal.SIGCONT)
        assert crawl.end() == 0, crawl.err
        found = urllib3.request("GET", f"http://127.0.0.1:{store}/pages/_search").json()["hits"]["hits"]
    assert sorted(hit["_source"]["url"] for hit in found) == sorted(place.urls) == sorted(urls(port, hosts, pages))


def test_no_page_more_is_claimed_while_too_much_waits_to_be_written(tmp_path: Path) -> None:
    async def crawl() -> None:
        frontier = State(tmp_path).open_frontier(Job())
        keeper = LeaseKeeper(frontier, "one", concurrency=4, lease_seconds=60)
        segments = Segments(keeper, [], Counters("one"))
        names = [f"http://site{n}.example/" for n in range(20)]
        await frontier.add([Entry(url, fingerprint(url), url.split("/")[2]) for url in names])
        first = await keeper._claim()
        for lease in first:
            keeper.request_over(lease)
            segments.settle(Visit(lease), None, 40 * 2**20)
        assert await keeper._claim() == []
        await segments.flush()
        assert await keeper._claim()
        await frontier.close()

    State(tmp_path).create()
    asyncio.run(crawl())


def _settled(log: Path) -> int:
    """Requests that the site has seen, once their number has stood still for some seconds."""
    deadline, count, since = time.monotonic() + PATIENCE, -1, time.monotonic()
    while time.monotonic() - since < 3:
        assert time.monotonic() < deadline, "the crawl goes on though nothing is written"
        now = len(read_log(log))
        if now != count:
            count, since = now, time.monotonic()
        time.sleep(0.1)
    return count


@pytest.mark.parametrize(
    "uri",
    ["postgresql://nobody:hush@127.0.0.1:1/none", "/dev/null/pages.jsonl"],
)
def test_an_output_that_cannot_be_written_is_refused_before_the_first_request(
    tmp_path: Path, place: Place, uri: str
) -> None:
    port, log = free_port(), tmp_path / "requests"
    with light_site(port, log, hosts=1, pages=5):
        seen = len(read_log(log))
        done = place.crawl(*seeds(port, 1), "-o", uri)
        assert done.status == 2
        assert len(read_log(log)) == seen
    assert "hush" not in done.err
    assert len(done.err.strip().splitlines()) <= 3
