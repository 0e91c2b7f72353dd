"""A dashboard in a real process on a free port, and a newspaper to crawl."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.crawling import PATIENCE
from tests.sites import Served, serve

pytest.importorskip("fastapi")
ROOT = Path(__file__).parents[2]


@dataclass
class Dashboard:
    url: str
    root: Path
    headers: dict[str, str]

    def ask(
        self, path: str, method: str = "GET", body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, dict[str, str]]:
        data = None if body is None else json.dumps(body).encode()
        sent = {"content-type": "application/json"} if data is not None else {}
        request = urllib.request.Request(
            self.url.rstrip("/") + path, data, sent | self.headers | (headers or {}), method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, _read(answer), {k.lower(): v for k, v in answer.headers.items()}
        except urllib.error.HTTPError as error:
            return error.code, _read(error), {k.lower(): v for k, v in error.headers.items()}

    def start(self, seed: str, name: str, *, delay: float = 0, **limits: Any) -> None:
        job: dict[str, Any] = {
            "seeds": [seed],
            "limits": limits,
            "http": {"allow_private": True},
            "politeness": {"delay": delay},
        }
        job |= {"scope": {"sitemaps": False, "feeds": False}, "extract": "plain"}
        status, answer, _ = self.ask("/api/v1/crawls", "POST", {"job": job, "name": name})
        assert status == 201, answer

    def wait(self, name: str, *states: str, pages: int = 0) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            crawl: dict[str, Any] = self.ask(f"/api/v1/crawls/{name}")[1]
            if crawl["state"] in states and crawl["pages"] >= pages:
                return crawl
            time.sleep(0.1)
        raise AssertionError(f"{name} is {crawl['state']} with {crawl['pages']} pages, and never became {states}")


def _read(answer: Any) -> Any:
    raw = answer.read()
    return json.loads(raw) if "json" in answer.headers.get("content-type", "") else raw.decode()


def launch(root: Path, *options: str, token: str | None = None) -> tuple[subprocess.Popen[str], Dashboard]:
    process = subprocess.Popen(
        [sys.executable, "-m", "nephila", "dashboard", "--root", str(root), "--port", "0", *options],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    for _ in range(200):
        try:
            urllib.request.urlopen(url + "static/style.css", timeout=5)
            break
        except OSError:
            time.sleep(0.05)
    return process, Dashboard(url, root, {"authorization": f"Bearer {token}"} if token else {})


@pytest.fixture(scope="session")
def news() -> Iterator[Served]:
    with serve("news", "hostile") as served:
        yield served


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    process, running = launch(tmp_path_factory.mktemp("dashboard") / "crawls", "--allow-private")
    yield running
    for crawl in running.ask("/api/v1/crawls")[1]:
        if crawl["state"] == "running":
            running.ask(f"/api/v1/crawls/{crawl['name']}/cancel", "POST")
    process.terminate()
    process.wait(PATIENCE)
