"""Many small sites in one light process: pages that link to each other, each answered after a fixed time, all logged.

    python -m tests.servers.lightsite --port 8000 --hosts 20 --pages 1000 --latency 0.02 --log requests.log

The sites are the addresses 127.0.0.1, 127.0.0.2, ... on one port. Page n links to pages 2n+1 and 2n+2 of its site, so a
crawl from page 0 needs every page to find the others. Each line of the log is `start end host path`, by the monotonic
clock: from the request's arrival to the end of its answer.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import uvloop
from aiohttp import web

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Request:
    start: float
    end: float
    host: str
    path: str


def host_name(number: int) -> str:
    return f"127.0.0.{number + 1}"


def urls(port: int, hosts: int, pages: int) -> set[str]:
    return {f"http://{host_name(host)}:{port}/page/{page}" for host in range(hosts) for page in range(pages)}


def seeds(port: int, hosts: int) -> list[str]:
    return [f"http://{host_name(host)}:{port}/page/0" for host in range(hosts)]


def read_log(path: Path) -> list[Request]:
    found = []
    for line in path.read_text().splitlines():
        start, end, host, name = line.split(" ", 3)
        found.append(Request(float(start), float(end), host, name))
    return sorted(found, key=lambda request: request.start)


@contextmanager
def light_site(
    port: int, log: Path, *, hosts: int, pages: int, latency: float = 0.0, words: int = 60
) -> Iterator[subprocess.Popen[bytes]]:
    options = {"port": port, "hosts": hosts, "pages": pages, "latency": latency, "words": words, "log": log}
    command = [sys.executable, "-m", "tests.servers.lightsite"]
    command += [part for name, value in options.items() for part in (f"--{name}", str(value))]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        _wait(f"http://{host_name(hosts - 1)}:{port}/ready")
        yield process
    finally:
        process.terminate()
        process.wait(timeout=120)


def _wait(url: str) -> None:
    deadline = time.monotonic() + 180
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            assert time.monotonic() < deadline, "the site does not come up"
            time.sleep(0.05)


class LightSite:
    def __init__(self, pages: int, latency: float, words: int, log: IO[str]) -> None:
        self._pages, self._latency, self._words, self._log = pages, latency, words, log

    async def answer(self, request: web.BaseRequest) -> web.Response:
        if request.path == "/ready":
            return web.Response()
        start = time.monotonic()
        try:
            if self._latency:
                await asyncio.sleep(self._latency)
            return self._response(request)
        finally:
            # Also when the client is gone: it has asked.
            self._log.write(f"{start:.6f} {time.monotonic():.6f} {request.host} {request.path}\n")

    def _response(self, request: web.BaseRequest) -> web.Response:
        if request.path == "/robots.txt":
            return web.Response(text="User-agent: *\nDisallow: /private/\n")
        name = request.path.removeprefix("/page/")
        if not name.isdigit() or int(name) >= self._pages:
            return web.Response(status=404, text="no such page")
        return web.Response(text=self._page(request.host, int(name)), content_type="text/html")

    def _page(self, host: str, number: int) -> str:
        links = "".join(
            f'<li><a href="/page/{other}">page {other}</a></li>'
            for other in (2 * number + 1, 2 * number + 2)
            if other < self._pages
        )
        # Words of its own, so that no page looks like a copy of another.
        text = " ".join(f"w{number}x{place}" for place in range(self._words))
        title = f"Page {number} of {host}"
        return (
            f"<!doctype html><html><head><title>{title}</title></head><body><h1>{title}</h1>"
            f"<p>{text}.</p><ul>{links}</ul></body></html>"
        )


async def _serve(options: argparse.Namespace) -> None:
    with options.log.open("a", buffering=1) as log:
        site = LightSite(options.pages, options.latency, options.words, log)
        server = web.Server(site.answer, access_log=None)
        runner = web.ServerRunner(server)
        await runner.setup()
        for number in range(options.hosts):
            await web.TCPSite(runner, host_name(number), options.port, backlog=512).start()
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--hosts", type=int, default=1)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--words", type=int, default=60)
    parser.add_argument("--log", type=Path, required=True)
    uvloop.run(_serve(parser.parse_args()))


if __name__ == "__main__":
    main()
