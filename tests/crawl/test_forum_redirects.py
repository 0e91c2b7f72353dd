"""A forum that names its threads by addresses that redirect to others of the same page: no post is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.crawl.crawling import Place
from tests.sites.themes import Community, Engine, any_theme


@contextmanager
def served(site: Engine) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = site.get(self.path)
            moved = 300 <= status < 400
            data = b"" if moved else body.encode()
            self.send_response(status)
            if moved:
                self.send_header("Location", body)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    site.origin = f"http://127.0.0.1:{server.server_port}"
    try:
        yield site.start
    finally:
        server.shutdown()
        server.server_close()


class Sending(Engine):
    """Asked for some addresses, it sends the visitor elsewhere, as often as told."""

    def __init__(self, sent: dict[str, tuple[str, int]]) -> None:
        super().__init__(Community(10014, boards=3, threads=5, most=21), any_theme(10014))
        self.sent = sent
        self.asked: list[str] = []

    def get(self, url: str) -> tuple[int, str]:
        self.asked.append(url)
        target, times = self.sent.get(url, ("", 0))
        if self.asked.count(url) <= times:
            return 302, self.origin + target
        return super().get(url)


THREAD = "/cgi-bin/board.pl?num=162"
ALIAS = f"{THREAD}/0"


def crawl(site: Sending, place: Place) -> int:
    """Posts that came out of it."""
    with served(site) as start:
        done = place.crawl(start, "--delay", 0)
    assert done.status == 0, done.err
    return sum(record.kind == "post" for record in place.records)


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param({}, id="once"),
        pytest.param({ALIAS: (f"{THREAD}/00", 9), f"{THREAD}/00": (THREAD, 9)}, id="twice"),
        pytest.param({ALIAS: (THREAD, 1), THREAD: (THREAD, 1)}, id="to itself, with a cookie"),
    ],
)
def test_a_thread_met_by_an_alias_that_redirects_to_it_is_read(
    sent: dict[str, tuple[str, int]], tmp_path: Path
) -> None:
    """The alias and the thread's own address were both queued before the site was known for a forum."""
    site = Sending(sent)
    assert crawl(site, Place(tmp_path)) == sum(len(thread.posts) for thread in site.gold.threads)
    assert ALIAS in site.asked


def test_a_circle_of_aliases_ends_soon(tmp_path: Path) -> None:
    """As any other circle: noticed when it closes, and tried a few times more from there."""
    place, site = Place(tmp_path), Sending({ALIAS: (THREAD, 99), THREAD: (ALIAS, 99)})
    assert crawl(site, place) == sum(len(thread.posts) for thread in site.gold.threads) - 1
    assert place.summary["labelled"]["errors"] == {"redirects to itself": 1}
    assert site.asked.count(THREAD) == 1
