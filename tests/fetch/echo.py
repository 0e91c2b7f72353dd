"""A site in a thread of the test: answers with what it was asked, and knows when each request began and ended."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: str
    began: float
    ended: float = 0.0


@dataclass
class EchoSite:
    url: str = ""
    requests: list[Request] = field(default_factory=list)
    pages: dict[str, tuple[int, dict[str, str], str]] = field(default_factory=dict)
    """Status, headers and body by path; any other path is echoed."""
    slowness: float = 0.0
    most: int | None = None
    """Requests that are answered; the others wait until it is raised."""

    def asked(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path == path]

    def gaps(self) -> list[float]:
        """From the end of each request to the beginning of the next; negative where they overlap."""
        order = sorted(self.requests, key=lambda request: request.began)
        return [after.began - before.ended for before, after in pairwise(order)]


@contextmanager
def echo_site() -> Iterator[EchoSite]:
    site = EchoSite()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            began = time.time()
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            request = Request(self.command, self.path, dict(self.headers.items()), body.decode(), began)
            time.sleep(site.slowness)
            while site.most is not None and len(site.requests) >= site.most:
                time.sleep(0.02)
            status, headers, text = site.pages.get(self.path) or self._echo(request)
            request.ended = time.time()  # before the answer goes out: the client cannot be quicker
            site.requests.append(request)
            data = text.encode()
            self.send_response(status)
            for name, value in {"Content-Type": "text/html", **headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_GET  # noqa: N815

        def _echo(self, request: Request) -> tuple[int, dict[str, str], str]:
            if request.path == "/robots.txt":
                return 404, {}, ""
            shown = {"method": request.method, "headers": request.headers, "body": request.body}
            return 200, {"Content-Type": "application/json"}, json.dumps(shown)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
