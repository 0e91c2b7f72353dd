"""What a person sees: a live screen on a terminal, plain lines elsewhere, nothing when quiet; logs beside it."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from tests.crawl.crawling import PATIENCE, PROGRAM, nephila
from tests.sites import Served, serve


@pytest.fixture(scope="module")
def shop() -> Iterator[Served]:
    with serve("shop") as served:
        yield served


def arguments(shop: Served, *more: str) -> list[str]:
    fixed = ["--allow-private", "--max-pages", "40", "--state", "state", "-o", "pages.jsonl"]
    return ["crawl", shop["shop"], *fixed, *more]


def on_a_terminal(command: list[str], cwd: Path) -> tuple[int, str]:
    """Runs with a terminal as standard error and returns all that was written to it."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *command], cwd=cwd, stdin=slave, stdout=slave, stderr=slave, env={**os.environ, "TERM": "xterm"}
    )
    os.close(slave)
    seen = b""
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        seen += data
    os.close(master)
    return process.wait(PATIENCE), seen.decode("utf-8", "replace")


def test_a_terminal_gets_a_live_screen_and_a_summary(shop: Served, tmp_path: Path) -> None:
    status, seen = on_a_terminal(arguments(shop), tmp_path)
    assert status == 0, seen
    assert "\x1b[" in seen
    assert "pages/s" in seen or "worker-1" in seen
    assert "40 records" in seen
    assert "Traceback" not in seen


def test_elsewhere_there_are_plain_lines(shop: Served, tmp_path: Path) -> None:
    done = nephila(*arguments(shop), cwd=tmp_path)
    assert done.status == 0, done.err
    assert "\x1b[" not in done.err
    assert "40 records" in done.err
    assert done.out == ""


def test_quiet_is_quiet(shop: Served, tmp_path: Path) -> None:
    done = nephila(*arguments(shop, "--quiet"), cwd=tmp_path)
    assert (done.status, done.out, done.err) == (0, "", "")


def test_the_summary_as_json_goes_to_standard_output(shop: Served, tmp_path: Path) -> None:
    done = nephila(*arguments(shop, "--json-summary", "-", "--quiet"), cwd=tmp_path)
    summary = orjson.loads(done.out)
    assert (summary["records"], summary["stopped"], summary["schema"]) == (40, "max_pages", 1)


def test_logs_of_all_processes_go_to_the_file_as_json(shop: Served, tmp_path: Path) -> None:
    done = nephila(
        *arguments(shop, "--log-file", "log.jsonl", "--log-format", "json", "--log-level", "debug", "--workers", "2"),
        cwd=tmp_path,
    )
    assert done.status == 0, done.err
    lines = [orjson.loads(line) for line in (tmp_path / "log.jsonl").read_bytes().splitlines()]
    assert {line.get("service.node.name") for line in lines} >= {"worker-1", "worker-2"}
