"""Fetching robots.txt: redirects, sizes, what counts as absent and what as unreachable."""

from __future__ import annotations

import asyncio
import time

from nephila.fetch.client import Client, ClientOptions
from nephila.fetch.robots import RobotsAnswer
from nephila.fetch.robotstxt import RobotsFetcher
from nephila.job import Job
from tests.fetch.echo import EchoSite, echo_site
from tests.sites import Served


def fetched(url: str, job: Job | None = None, *, stall: float = 60) -> RobotsAnswer:
    async def main() -> RobotsAnswer:
        client = Client(ClientOptions("x", allow_private=True, timeout=120, stall=stall))
        try:
            return await RobotsFetcher(client, job)(url)
        finally:
            await client.close()

    return asyncio.run(main())


def redirecting(site: EchoSite, location: str) -> str:
    site.pages["/robots.txt"] = (301, {"Location": location}, "")
    return f"{site.url}/robots.txt"


def test_the_hosts_of_the_hostile_site(sites: Served) -> None:
    answers = {
        name: fetched(f"{url}robots.txt", stall=0.4 if name == "robots-stall" else 60)
        for name, url in sites.urls.items()
        if name.startswith("robots-")
    }
    assert {name: answer.status for name, answer in answers.items()} == {
        "robots-500": 500,
        "robots-404": 404,
        "robots-huge": 200,
        "robots-binary": 200,
        "robots-html": 200,
        "robots-delay": 200,
        "robots-loop": 404,
        "robots-stall": 0,
    }
    assert answers["robots-huge"].body.startswith(b"User-agent: *\nDisallow: /secret/")
    assert len(answers["robots-huge"].body) == 2**20


def test_redirects_are_followed_also_where_they_are_badly_written() -> None:
    with echo_site() as site:
        site.pages["/my%20robots.txt"] = (200, {}, "User-agent: *")
        assert fetched(redirecting(site, "/my robots.txt")).body == b"User-agent: *"
        assert fetched(redirecting(site, "ftp://127.0.0.1/")).status == 404
        assert fetched(redirecting(site, "http://[half/")).status == 404
        assert fetched(redirecting(site, "")).status == 301
        assert fetched(redirecting(site, "http://127.0.0.1:9/")).status == 0


def test_hops_keep_the_delay_and_the_rules_of_the_site() -> None:
    with echo_site() as site:
        redirecting(site, "/robots.txt")
        host = site.url.removeprefix("http://")
        job = Job.from_dict({"sites": {host: {"delay": 0.1, "headers": {"X-Site": "s"}}}})
        began = time.monotonic()
        assert fetched(f"{site.url}/robots.txt", job).status == 404
        assert time.monotonic() - began >= 0.5
        assert len(site.requests) == 6
        assert min(site.gaps()) >= 0.1
        assert {request.headers.get("X-Site") for request in site.requests} == {"s"}
