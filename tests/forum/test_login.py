"""Logging in where only a script makes the form: a real browser fills it and hands its cookies over."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.crawl.crawling import Place

if not any(map(shutil.which, ("chromium-headless-shell", "chromium"))):  # pragma: no cover
    pytest.skip("no Chromium is installed", allow_module_level=True)

USER, PASSWORD = "ada", "Difference-engine-1"
TICKET = "ticket=of-a-member"
SCRIPT = """
<div id="app">Loading ...</div>
<script>
setTimeout(() => {
  document.getElementById("app").innerHTML =
    "<form><input name=who placeholder=Name><input name=word type=password><button>Enter</button></form>";
  document.querySelector("form").addEventListener("submit", async event => {
    event.preventDefault();
    const [who, word] = event.target.querySelectorAll("input");
    const told = {who: who.value, word: word.value, proof: [...word.value].reverse().join("")};
    await fetch("/session", {method: "POST", body: JSON.stringify(told)});
    location = "/";
  });
}, 200);
</script>
"""


class Club(BaseHTTPRequestHandler):
    """A page for everybody, one for members; the session is opened by a request that a script alone can make."""

    def do_GET(self) -> None:
        member = TICKET in (self.headers.get("Cookie") or "")
        match self.path:
            case "/":
                door = '<a href="/leave">Log out</a>' if member else '<a href="/enter">Log in</a>'
                self.answer(200, f'<title>Club</title><p>The club.</p><a href="/inside">Inside</a> {door}')
            case "/enter":
                self.answer(200, f"<title>Enter</title>{SCRIPT}")
            case "/inside" if member:
                self.answer(200, '<title>Inside</title><p>What members say stays here.</p><a href="/leave">Log out</a>')
            case "/inside":
                self.answer(403, "<p>For members.</p>")
            case _:
                self.answer(404, "<p>Nothing.</p>")

    def do_POST(self) -> None:
        told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        right = told == {"who": USER, "word": PASSWORD, "proof": PASSWORD[::-1]}
        self.answer(200 if right else 403, "<p>Thank you.</p>", {"Set-Cookie": f"{TICKET}; Path=/"} if right else {})

    def answer(self, status: int, body: str, headers: dict[str, str] | None = None) -> None:
        data = f"<!doctype html><html><body>{body}</body></html>".encode()
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", "Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Says nothing."""


@contextmanager
def club() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Club)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(("password", "status"), [(PASSWORD, 0), ("wrong", 1)], ids=["right", "wrong"])
def test_a_form_that_only_a_script_makes(
    password: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(tmp_path)
    monkeypatch.setenv("CLUB_PASSWORD", password)
    with club() as root:
        done = place.crawl(root, "--job", place.job(f'[login]\nuser = "{USER}"\npassword_env = "CLUB_PASSWORD"\n'))
    assert (done.status != 0) == (status != 0), done.err
    assert password not in done.err + place.workers_log
    if status == 0:
        assert f"{root}inside" in place.urls
        assert f"{root}leave" not in place.urls
    else:
        assert len([line for line in done.err.splitlines() if "CLUB_PASSWORD" in line]) == 1, done.err
