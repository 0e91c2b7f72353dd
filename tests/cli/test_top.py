"""`nephila top` in a real terminal: a pseudo terminal, its size, its keys."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from pathlib import Path

from nephila.job import Job
from tests.cluster.fleet import Fleet
from tests.crawl.crawling import PATIENCE, PROGRAM, Place, nephila
from tests.servers.lightsite import light_site, seeds
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer, needs_redis

_CODES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]")


class Terminal:
    """A program in a terminal of 100 columns, and what it has shown so far, without the terminal's codes."""

    def __init__(self, *arguments: object) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.process = subprocess.Popen(
            [*PROGRAM, *map(str, arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color"},
        )
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self.shown = b""
        self.text_at_end = ""

    def wait(self, true: Callable[[str], bool], seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while not true(self.text()):
            assert time.monotonic() < deadline, self.text()[-2000:]
            time.sleep(0.05)

    def text(self) -> str:
        try:
            while part := os.read(self._ours, 65536):
                self.shown += part
        except OSError:  # nothing more for now, or the end
            pass
        return _CODES.sub(b"", self.shown).decode(errors="replace")

    def end(self) -> int:
        try:
            # Read on meanwhile: a terminal that nobody reads holds its program up.
            self.wait(lambda _: self.process.poll() is not None)
            return self.process.returncode
        finally:
            self.text_at_end = self.text()[-400:]
            os.close(self._ours)


def test_top_shows_a_crawl_live_till_ctrl_c_or_its_end(tmp_path: Path) -> None:
    place, port = Place(tmp_path), free_port()
    with light_site(port, tmp_path / "log", hosts=2, pages=600):
        crawl = place.start(*seeds(port, 2), "--delay", 2)  # over in twenty minutes, if nobody stopped it
        crawl.wait_for_records(3)
        top, last = (Terminal("top", "--state", place.state, "--every", 0.2) for _ in range(2))
        top.wait(lambda text: "pages" in text and "worker" in text and "queue" in text)
        seen = len(top.text())
        top.wait(lambda text: len(text) > seen + 200)  # drawn again
        os.killpg(top.process.pid, signal.SIGINT)
        assert top.end() == 0
        assert b"\x1b[?25h" in top.shown  # the cursor is there again
        assert last.process.poll() is None
        crawl.interrupt()
        assert crawl.end() == 130
        assert last.end() == 0
    assert re.search(rf"\b{len(place.records)} pages", last.text_at_end)


def test_once_is_one_line_and_wrong_calls_say_what_to_do(tmp_path: Path) -> None:
    for arguments in ((), ("news",), ("--state", tmp_path / "none")):
        done = nephila("top", *arguments)
        assert done.status == 2
        assert "--state" in done.err
    place, port = Place(tmp_path), free_port()
    with light_site(port, tmp_path / "log", hosts=1, pages=7):
        assert place.crawl(*seeds(port, 1), "--delay", 0).status == 0
    done = nephila("top", "--state", place.state, "--once")
    assert done.status == 0
    assert len(done.out.splitlines()) == 1
    assert re.search(r"\b7 pages", done.out)


@needs_redis
def test_a_job_of_a_cluster_is_watched_too(tmp_path: Path) -> None:
    port = free_port()
    with (
        RedisServer(tmp_path / "redis") as redis,
        light_site(port, tmp_path / "log", hosts=2, pages=20),
        Fleet(tmp_path / "fleet", redis.url) as fleet,
    ):
        rules = {"http": {"allow_private": True}, "scope": {"sitemaps": False}, "politeness": {"delay": 0.5}}
        name = fleet.submit(Job.from_dict({"seeds": seeds(port, 2), "name": "shared", **rules}))
        top = Terminal("top", name, "--frontier", redis.url, "--every", 0.2)
        top.wait(lambda text: "pages" in text)
        fleet.start()
        top.wait(lambda text: "worker" in text)
        fleet.wait(name)
        assert top.end() == 0
    assert re.search(r"\b40 pages", top.text_at_end)
