"""The program as its users run it: a process with arguments, its output files, its summary."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from nephila.record import Record
from nephila.sinks.reader import read_records

PATIENCE = 240
"""Seconds for what is over in a few: a busy machine must not make a test fail."""
PROGRAM = (sys.executable, "-m", "nephila")


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str

    @property
    def last_line(self) -> str:
        return self.err.strip().splitlines()[-1] if self.err.strip() else ""


def nephila(*arguments: object, cwd: Path | None = None, stdin: str = "") -> Done:
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@dataclass(frozen=True)
class Place:
    """A directory with the state and the output of one crawl."""

    root: Path
    options: tuple[object, ...] = ()
    """Of every crawl here."""

    @property
    def state(self) -> Path:
        return self.root / "state"

    @property
    def output(self) -> Path:
        return self.root / "pages.jsonl"

    @property
    def summary(self) -> dict[str, Any]:
        data: dict[str, Any] = orjson.loads((self.root / "summary.json").read_bytes())
        return data

    @property
    def records(self) -> list[Record]:
        return list(read_records(self.output, self.state / "ledger.sqlite"))

    @property
    def urls(self) -> list[str]:
        return [record.url for record in self.records]

    @property
    def workers_log(self) -> str:
        path = self.state / "log" / "workers.log"
        return path.read_text() if path.exists() else ""

    def command(self, *arguments: object) -> list[str]:
        fixed = [*self.options, "--state", self.state, "-o", self.output, "--json-summary", self.root / "summary.json"]
        return ["crawl", "--allow-private", *map(str, arguments), *map(str, fixed)]

    def job(self, text: str) -> Path:
        path = self.root / "job.toml"
        path.write_text(text)
        return path

    def crawl(self, *arguments: object) -> Done:
        """Runs to the end."""
        return nephila(*self.command(*arguments), cwd=self.root)

    def start(self, *arguments: object) -> Running:
        """Runs in a session of its own, as a terminal's foreground job has a group of its own."""
        process = subprocess.Popen(
            [*PROGRAM, *self.command(*arguments)],
            cwd=self.root,
            stdout=subprocess.DEVNULL,
            stderr=(self.root / "stderr").open("ab"),
            start_new_session=True,
        )
        return Running(self, process)

    def status(self) -> dict[str, Any]:
        done = nephila("status", "--state", self.state, "--json")
        assert done.status == 0, done.err
        data: dict[str, Any] = orjson.loads(done.out)
        return data


@dataclass(frozen=True)
class Running:
    place: Place
    process: subprocess.Popen[bytes]

    @property
    def err(self) -> str:
        return (self.place.root / "stderr").read_text()

    def workers(self) -> list[int]:
        """Process ids of the living workers."""
        return children(self.process.pid)

    def wait_for_records(self, number: int) -> None:
        def enough() -> bool:
            output = self.place.output
            return self.process.poll() is not None or (output.exists() and output.read_bytes().count(b"\n") >= number)

        wait_until(enough, PATIENCE)

    def interrupt(self, *, group: bool = False) -> None:
        if group:
            os.killpg(self.process.pid, signal.SIGINT)
        else:
            self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        return self.process.wait(PATIENCE)


def children(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in task.read_text().split()]
    return [child for child in found if alive(child)]


def alive(pid: int) -> bool:
    """Whether the process runs; one that waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.02)
