"""The server process: it starts, keeps its log, ends with its block and with its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest

from nephila.errors import NephilaError
from tests.sites import serve
from tests.sites.client import ask


def gone(pid: int) -> bool:
    """Whether the process ends; waited for rather than timed."""
    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def test_each_site_has_a_port_of_its_own_and_the_process_ends_with_the_block() -> None:
    with serve("news", "shop", "hostile") as served:
        assert {"news", "shop", "hostile", "robots-500"} <= set(served.urls)
        assert len(set(served.urls.values())) == len(served.urls)
        assert all(url.startswith("http://127.0.0.1:") for url in served.urls.values())
    assert gone(served.pid)


def test_every_request_is_logged_with_its_arrival_and_status(tmp_path: Path) -> None:
    before = time.time_ns() // 1000
    with serve("news", "hostile", log=tmp_path / "log.jsonl") as served:
        ask(served["news"] + "en/?x=1", headers={"User-Agent": "spider/1"}, patience=10)
        ask(served["news"] + "no-such-page", patience=10)
        ask(served["hostile"] + "status/410", patience=10)
        ask(served["hostile"] + "stall/headers")
        seen = served.requests()
        assert len(served.requests("news")) == 2
    assert [(r.site, r.method, r.path, r.status) for r in seen] == [
        ("news", "GET", "/en/?x=1", 200),
        ("news", "GET", "/no-such-page", 404),
        ("hostile", "GET", "/status/410", 410),
        ("hostile", "GET", "/stall/headers", None),
    ]
    assert seen[0].agent == "spider/1"
    assert f"http://{seen[0].host}/" == served["news"]
    assert before <= seen[0].at <= seen[-1].at <= time.time_ns() // 1000


def test_an_unknown_site_is_refused_in_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NephilaError, match="did not start"), serve("nowhere"):
        pass
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("nephila demo: no sample site is called 'nowhere'; there are news, shop,")


def test_the_process_ends_when_its_parent_is_killed() -> None:
    code = "import time, nephila.demo as d\nwith d.serve('shop') as s:\n print(s.pid, flush=True)\n time.sleep(60)"
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    ended = gone(child)
    if not ended:
        os.kill(child, signal.SIGKILL)  # a test that fails leaves no server behind
    assert ended


def test_the_module_prints_a_ready_line_and_ends_on_a_signal() -> None:
    command = [sys.executable, "-m", "nephila.demo", "--port", "0", "shop"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    assert process.stdout is not None
    ready = orjson.loads(process.stdout.readline())
    assert (ready["ready"], ready["pid"], list(ready["sites"])) == (True, process.pid, ["shop"])
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 0
    process.stdout.close()
