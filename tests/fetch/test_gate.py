"""The gate in real crawls: delays counted from the end of a request, whatever the request was; hosts that are down."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from nephila.frontier import DeadLetter, SqliteFrontier
from tests.crawl.crawling import PATIENCE
from tests.fetch.echo import EchoSite, echo_site


def crawl(place: Path, job: str, *arguments: str) -> tuple[list[dict[str, object]], dict[str, object]]:
    """The records and the summary of a crawl that ends by itself."""
    (place / "job.toml").write_text(f"[http]\nallow_private = true\n{job}")
    command = [sys.executable, "-m", "nephila", "crawl", *arguments, "--job", "job.toml", "-o", "pages.jsonl", "-q"]
    command += ["--json-summary", "summary.json", "--state", "state"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    output = place / "pages.jsonl"
    records = [json.loads(line) for line in output.read_text().splitlines()] if output.exists() else []
    return records, json.loads((place / "summary.json").read_text())


def links(*paths: str) -> tuple[int, dict[str, str], str]:
    body = "".join(f'<p>A page that links to <a href="{path}">{path}</a>.</p>' for path in paths)
    return 200, {}, f"<html><title>t</title><body>{body}</body></html>"


def fill(site: EchoSite, robots: tuple[int, dict[str, str], str]) -> None:
    site.slowness = 0.05
    paths = [f"/page/{name}" for name in ("one", "two", "three", "four", "five")]
    site.pages["/robots.txt"] = robots
    site.pages["/real-robots.txt"] = (200, {"Content-Type": "text/plain"}, "User-agent: *\nCrawl-delay: 0.4\n")
    site.pages["/"] = links(*paths, "/again?b=2&a=1", "/forbidden")
    site.pages["/again?b=2&a=1"] = (302, {"Location": "/again?a=1&b=2"}, "")
    for path in (*paths, "/again?a=1&b=2"):
        site.pages[path] = links("/")


def test_no_host_is_asked_sooner_than_its_delay_after_the_end_of_the_last_request(tmp_path: Path) -> None:
    slow = (200, {"Content-Type": "text/plain"}, "User-agent: *\nCrawl-delay: 0.4\nDisallow: /forbidden\n")
    with echo_site() as asking, echo_site() as hopping, echo_site() as plain:
        fill(asking, slow)
        fill(hopping, (301, {"Location": "/real-robots.txt"}, ""))
        fill(plain, (404, {}, ""))
        job = "[politeness]\ndelay = 0.25\n[scope]\nsitemaps = true\n"
        records, _ = crawl(tmp_path, job, asking.url, hopping.url, plain.url, "--workers", "2")
        assert len(records) == 3 * 7 + 2  # the home page, five pages, the one behind a redirect; /forbidden on two
        for site, delay in ((asking, 0.4), (hopping, 0.25), (plain, 0.25)):
            assert min(site.gaps()) >= delay, site.url
        assert not asking.asked("/forbidden")
        # Before its robots.txt is read, the delay of the job holds; then the one that it asks for.
        assert min(hopping.gaps()[2:]) >= 0.4


def test_a_host_that_never_answers_ends_the_crawl_within_its_patience(tmp_path: Path) -> None:
    with echo_site() as site:
        dead = [f"http://127.0.0.1:9/{number}" for number in range(300)]
        site.pages["/"] = links(*dead)
        job = '[limits]\nretry_base = 0.01\nfamily_budget = 1000\n[scope]\nmode = "any"\n[politeness]\nrobots = false\n'
        records, summary = crawl(tmp_path, job, site.url)
        assert len(records) == 1
        assert "connection refused" in json.dumps(summary)
        dead_letters = asyncio.run(given_up(tmp_path / "state" / "frontier.sqlite"))
        assert {letter.url for letter in dead_letters} == set(dead)
        # Most were never asked for: the host had been given up by then.
        assert sum("not asked again" in letter.reason for letter in dead_letters) > 150


async def given_up(path: Path) -> list[DeadLetter]:
    frontier = SqliteFrontier(path)
    try:
        return await frontier.dead_letters(limit=1000)
    finally:
        await frontier.close()


def test_forbidden_pages_take_no_turn_of_their_host(tmp_path: Path) -> None:
    with echo_site() as site:
        # At a turn for each, they would take six minutes, and the crawl is given four.
        forbidden = [f"/no/{number}" for number in range(150)]
        site.pages["/robots.txt"] = (200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /no/\n")
        site.pages["/"] = links(*forbidden, "/yes")
        site.pages["/yes"] = links("/")
        job = "[politeness]\ndelay = 2.5\n[limits]\nfamily_budget = 1000\n[scope]\nsitemaps = false\n"
        records, summary = crawl(tmp_path, job, site.url)
        assert {record["url"] for record in records} == {f"{site.url}/", f"{site.url}/yes"}
        assert summary["counters"]["robots_denied"] == len(forbidden)  # type: ignore[index]
        assert min(site.gaps()) >= 2.5
