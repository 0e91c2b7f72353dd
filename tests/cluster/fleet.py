"""A cluster on this machine for tests: a light site, Redis, perhaps ZooKeeper, and workers that come and go."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from nephila.cluster import commanding
from nephila.cluster.exporting import export
from nephila.cluster.place import Place
from nephila.job import Job
from tests.servers.lightsite import Request

ROOT = Path(__file__).parent.parent.parent


@dataclass
class Fleet:
    """Workers as processes, each in a group of its own; ended with `close`."""

    directory: Path
    redis: str
    coordinator: str | None = None
    options: tuple[str, ...] = ()
    search_path: tuple[Path, ...] = ()
    """Where workers look for modules before they look here."""
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    started: int = 0

    @property
    def place(self) -> Place:
        return Place(self.redis, self.directory / "spool")

    def start(self, count: int = 1) -> list[subprocess.Popen[bytes]]:
        begun = [self._start() for _ in range(count)]
        self.workers += begun
        return begun

    def _start(self) -> subprocess.Popen[bytes]:
        self.started += 1
        command = [sys.executable, "-m", "nephila", "worker", "--frontier", self.redis]
        command += ["--spool", str(self.place.spool), "--log-level", "info", *self.options]
        if self.coordinator is not None:
            command += ["--coordinator", self.coordinator]
        with (self.directory / "workers.log").open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=self.directory,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*self.search_path, ROOT)))},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        worker.kill()
        worker.wait()
        self.workers.remove(worker)

    def terminate(self, worker: subprocess.Popen[bytes], seconds: float = 240) -> int:
        """As an orchestrator would: SIGTERM, and wait for the end."""
        worker.terminate()
        status = worker.wait(timeout=seconds)
        self.workers.remove(worker)
        return status

    def close(self) -> None:
        for worker in self.workers:
            worker.send_signal(signal.SIGCONT)
            worker.kill()
        for worker in self.workers:
            worker.wait()
        self.workers.clear()

    def log(self) -> str:
        return (self.directory / "workers.log").read_text()

    def __enter__(self) -> Fleet:
        self.directory.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- jobs ------------------------------------------------------------------------------------------------------

    def submit(self, job: Job) -> str:
        return asyncio.run(commanding.submit(self.place, job)).id

    def status(self, identity: str) -> dict[str, Any]:
        return asyncio.run(commanding.details(self.place, identity, 5))

    def wait(
        self, identity: str, state: str = "done", seconds: float = 120.0, turn: Callable[[], None] = lambda: None
    ) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while (picture := self.status(identity))["state"] != state:
            if time.monotonic() > deadline:
                raise AssertionError(f"{identity} is not {state}: {picture}\n{self.log()[-3000:]}")
            turn()
            time.sleep(0.2)
        return picture

    def records(self, identity: str) -> list[dict[str, Any]]:
        """Exported, as a user would."""
        output = self.directory / f"{identity}.jsonl"
        spool = self.place.job(identity).spool
        export([spool], [str(output)], spool / "export.sqlite")
        return [orjson.loads(line) for line in output.read_bytes().splitlines()]


def page_counts(records: list[dict[str, Any]]) -> Counter[str]:
    return Counter(record["url"] for record in records)


def too_soon(requests: list[Request], delay: float, slack: float = 0.0) -> list[tuple[Request, Request]]:
    """Pairs of requests to one host of which the second came sooner than `delay` after the end of the first."""
    last: dict[str, Request] = {}
    found = []
    for request in requests:
        before = last.get(request.host)
        if before is not None and request.start < before.end + delay - slack:
            found.append((before, request))
        if before is None or request.end > before.end:
            last[request.host] = request
    return found
