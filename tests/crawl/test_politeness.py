"""Politeness of two workers, read from the servers' own log: no host is asked sooner than its delay."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from tests.crawl.crawling import Place
from tests.sites import Served

DELAY = 0.3
_CLOCK = 0.002
"""The log's clock and ours are one; what may differ is when the server's loop comes to look at a request."""


def test_no_host_is_asked_sooner_than_its_delay(sites: Served, place: Place) -> None:
    hosts = (sites["news"], sites["shop"], sites["forum"])
    done = place.crawl(*hosts, "--delay", DELAY, "--workers", 2, "--max-pages", 45)
    assert done.status == 0, done.err
    assert place.summary["counters"]["pages"] == 45
    asked: dict[str, list[int]] = defaultdict(list)
    for request in sites.requests():
        asked[request.host].append(request.at)
    assert len(asked) == 3
    for host, moments in asked.items():
        gaps = [(later - earlier) / 1e6 for earlier, later in pairwise(sorted(moments))]
        assert len(gaps) > 5
        assert min(gaps) >= DELAY - _CLOCK, (host, sorted(gaps)[:5])
