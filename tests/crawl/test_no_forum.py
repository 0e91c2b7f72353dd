"""Sites that have something of a forum and are none: every page comes out, as from any other crawl."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.crawl.crawling import Place
from tests.sites.layouts.others import OTHERS, Site


@contextmanager
def served(site: Site) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            page = site.pages.get(self.path)
            body = (page or "not here").encode()
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, dict[str, str]]:
    """One crawl of all of them: each site is judged by itself."""
    place = Place(tmp_path_factory.mktemp("crawl"))
    with ExitStack() as servers:
        origins = {kind: servers.enter_context(served(make())) for kind, make in OTHERS.items()}
        seeds = [f"{origin}/" for origin in origins.values()]
        done = place.crawl(*seeds, "--job", place.job('forum = "auto"\n'))
    assert done.status == 0, done.err
    return place, origins


@pytest.mark.parametrize("kind", OTHERS)
def test_every_page_is_in_the_output_once(kind: str, crawled: tuple[Place, dict[str, str]]) -> None:
    place, origins = crawled
    found = [url for url in place.urls if url.startswith(f"{origins[kind]}/")]
    assert Counter(found) == Counter(f"{origins[kind]}{path}" for path in OTHERS[kind]().pages)


def test_none_is_taken_for_a_forum(crawled: tuple[Place, dict[str, str]]) -> None:
    place, _ = crawled
    assert not [record.url for record in place.records if record.kind in ("post", "board")]
    assert "forum: nothing new there" not in str(place.summary)
