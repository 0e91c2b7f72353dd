"""`nephila extract`, `evaluate` and `train` as a user meets them: real files, a real server, real exit statuses."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.content.test_extract import ARTICLE, SENTENCE


def nephila(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "nephila", *arguments], input=stdin, capture_output=True, check=False, timeout=120
    )


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(ARTICLE)
    return path


def test_a_file_as_json_text_and_markdown(page: Path) -> None:
    record = json.loads(nephila("extract", str(page), "--url", "https://spiders.example/orb").stdout)
    assert (record["title"], record["url"]) == ("The golden orb-weaver", "https://spiders.example/orb")
    assert SENTENCE.strip() in nephila("extract", str(page), "--format", "text").stdout.decode()
    assert "## Its silk" in nephila("extract", str(page), "--format", "markdown").stdout.decode()


def test_standard_input(page: Path) -> None:
    done = nephila("extract", "-", "--format", "text", "--method", "lines", stdin=page.read_bytes())
    assert done.returncode == 0
    assert SENTENCE.strip() in done.stdout.decode()


def test_a_directory_gives_a_line_a_page_in_order(tmp_path: Path, page: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.htm").write_text("<p>" + SENTENCE * 5)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "wrong.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    out = tmp_path / "out.jsonl"
    done = nephila("extract", str(tmp_path), "-o", str(out), "--workers", "2")
    assert done.returncode == 1
    assert b"wrong.html" in done.stderr
    assert [json.loads(line)["file"] for line in out.read_bytes().splitlines()] == ["more/a.htm", "page.html"]


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        moved = self.path == "/old"
        self.send_response(302 if moved else 200 if self.path == "/orb" else 404)
        if moved:
            self.send_header("Location", "/orb")
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"" if moved else ARTICLE.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_an_address_is_fetched_and_redirects_are_followed(site: str) -> None:
    done = nephila("extract", f"{site}/old", "--allow-private")
    record = json.loads(done.stdout)
    assert (record["url"], record["title"]) == (f"{site}/orb", "The golden orb-weaver")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("extract", "nowhere.html"), "cannot read"),
        (("extract", "-", "--format", "pdf"), "json, text, markdown"),
        (("extract", "-", "--method", "magic"), "auto, lines"),
        (("evaluate", "--data", "nowhere"), "--data"),
        (("train", "--data", "nowhere", "--method", "magic"), "--method auto, lines"),
    ],
)
def test_mistakes_get_one_clear_line(arguments: tuple[str, ...], hint: str) -> None:
    done = nephila(*arguments, stdin=b"<p>x")
    assert done.returncode == 2
    assert hint in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_an_address_that_fails_says_so(site: str) -> None:
    refused = nephila("extract", f"{site}/orb")
    assert refused.returncode == 2
    missing = nephila("extract", f"{site}/none", "--allow-private")
    assert missing.returncode == 2
    assert b"404" in missing.stderr


def test_evaluate_prints_and_writes_a_table(tmp_path: Path) -> None:
    rows = [
        {"id": str(number), "site": "a.org", "fold": 0, "html": ARTICLE, "gold": SENTENCE * 11} for number in range(3)
    ]
    rows.append({"id": "strange", "site": "b.org", "fold": 1, "html": "<p>x</p>", "gold": "another text"})
    with lzma.open(tmp_path / "tiny.jsonl.xz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    table = tmp_path / "table.json"
    done = nephila("evaluate", "--data", str(tmp_path), "--json", str(table))
    assert done.returncode == 0, done.stderr
    assert b"strange" in done.stdout
    found = {row["method"]: row for row in json.loads(table.read_bytes())}
    assert found["auto"]["score"]["f1"] > 0.9
    assert found["auto"]["pages"] == 3
    assert set(found) == {"auto", "lines"}
