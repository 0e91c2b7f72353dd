"""The server process of the sample sites: one port a site, a ready line of JSON on stdout, then quiet service."""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import orjson

from nephila.demo.kit.log import RequestLog
from nephila.demo.kit.site import Site
from nephila.errors import ConfigError

SITES = ("news", "shop", "forum", "lighthouses")
"""The friendly sites, in the order in which they take their ports."""


def load_site(name: str) -> Site:
    """A friendly site by its name, or any site by `module:ATTRIBUTE`."""
    module, _, attribute = name.partition(":")
    if not attribute:
        if name not in SITES:
            raise ConfigError(f"no sample site is called {name!r}; there are {', '.join(SITES)} and MODULE:ATTRIBUTE")
        module, attribute = f"nephila.demo.{name}", "SITE"
    try:
        site: Site = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as problem:
        raise ConfigError(f"cannot load the site {name!r}: {problem}") from problem
    return site


async def run(
    names: Sequence[str], *, host: str, port: int, log: Path | None, until_stdin_closes: bool = False
) -> None:
    """Serves until SIGINT or SIGTERM (or until standard input ends)."""
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    if until_stdin_closes:
        loop.add_reader(sys.stdin.fileno(), _watch_stdin, over)
    record = RequestLog(log)
    sites = [load_site(name) for name in names or SITES]
    urls: dict[str, str] = {}
    try:
        for offset, site in enumerate(sites):
            urls.update(await site.start(host, port + offset if port else 0, record))
        print(orjson.dumps({"ready": True, "pid": os.getpid(), "sites": urls}).decode(), flush=True)
        await over.wait()
    finally:
        await asyncio.gather(*(site.stop() for site in sites))
        record.close()


def _watch_stdin(over: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        over.set()
