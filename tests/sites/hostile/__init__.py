"""The hostile site: every nastiness that a crawler meets, each at its own path, with what should be reported of it.

`EXPECTED` maps paths to what a good crawler reports; `EXPECTED_HOSTS` does so for the small hosts that differ in
their robots.txt. `SITE` is what `python -m nephila.demo tests.sites.hostile:SITE` serves.
"""

from __future__ import annotations

import random
from typing import cast

from tests.sites.hostile import bodies, bombs, connections, redirects, statuses, traps
from tests.sites.hostile.expected import CAUSES, EXPECTED, Expected, handler_of
from tests.sites.hostile.statuses import EXPECTED_HOSTS
from tests.sites.hostile.wire import LIFETIME, Answer, Client, WireSite

__all__ = ["CAUSES", "EXPECTED", "EXPECTED_HOSTS", "LIFETIME", "SITE", "Expected"]

ROBOTS = """User-agent: *
Disallow: /forbidden/
Allow: /forbidden/allowed

User-agent: SomeOtherBot
Crawl-delay: 3600
Disallow: /
"""


def index() -> str:
    """Links to every path, those that must not be fetched too."""
    return traps.html("Hostile", [path for path, expected in EXPECTED.items() if expected.listed], "Mind your step.")


async def _answer(client: Client) -> None:
    if client.path == "/":
        await client.send(index())
    elif client.path == "/robots.txt":
        await client.send(ROBOTS, content_type="text/plain")
    elif handler := handler_of(client.path):
        await handler(client)
    else:
        await client.send(traps.html("Not found", []), 404)


def _robots(status: int, body: bytes, content_type: str = "text/plain") -> Answer:
    return cast("Answer", statuses.robots_host(status, body, content_type))


_RULE = b"User-agent: *\nDisallow: /secret/\n"
SITE = WireSite(
    "hostile",
    {
        "hostile": _answer,
        "robots-500": _robots(500, b""),
        "robots-404": _robots(404, b"gone"),
        "robots-huge": _robots(200, _RULE + b"# and so on, and so on, and so on\n" * 150_000),
        "robots-binary": _robots(200, random.Random(9).randbytes(20_000), "application/octet-stream"),
        "robots-html": _robots(200, b"<!DOCTYPE html><html><body>Welcome!</body></html>", "text/html"),
        "robots-delay": _robots(200, _RULE + b"Crawl-delay: 1\n"),
        "robots-loop": statuses.robots_loop,
        "robots-stall": statuses.robots_stall,
    },
)
"""One host for the paths, and one for each kind of robots.txt."""

_ROOMS = (bodies, bombs, connections, redirects, statuses, traps)
"""Imported for the paths that they register."""
