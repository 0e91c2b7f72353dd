"""The sample sites in a process of their own: started, awaited, and ended by its id."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from nephila.errors import NephilaError


@dataclass(frozen=True, slots=True)
class Request:
    """One line of the request log."""

    at: int
    """Microseconds since the epoch, when the request arrived."""
    site: str
    host: str
    method: str
    path: str
    """With the query, as it was sent."""
    status: int | None
    agent: str
    peer: str = ""


@dataclass(frozen=True, slots=True)
class Served:
    """Sample sites that are being served."""

    urls: Mapping[str, str]
    """The root address of each site by name, with the slash at its end."""
    pid: int
    log: Path | None = None

    def __getitem__(self, site: str) -> str:
        return self.urls[site]

    def requests(self, site: str | None = None) -> list[Request]:
        """The requests so far, in the order of their arrival; of one site when it is named."""
        if self.log is None or not self.log.exists():
            return []
        lines = (orjson.loads(line) for line in self.log.read_bytes().splitlines())
        seen = [Request(**line) for line in lines if site is None or line["site"] == site]
        return sorted(seen, key=lambda request: request.at)


@contextmanager
def serve(*sites: str, log: Path | None = None, port: int = 0, search_path: Path | None = None) -> Iterator[Served]:
    """Serves `sites` (names of friendly ones, or `module:ATTRIBUTE`; all friendly ones when none is named).

    `port` is that of the first site, the others follow; 0 takes free ones. `search_path` is where modules of further
    sites are found. The process ends with the block, and also when its parent dies: it watches its standard input.
    """
    command = [sys.executable, "-m", "nephila.demo", "--port", str(port), "--until-stdin-closes", *sites]
    if log is not None:
        command += ["--log", str(log)]
    environment = dict(os.environ)
    if search_path is not None:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(search_path), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)  # noqa: S603
    try:
        ready = _ready_line(process)
        yield Served(urls=ready["sites"], pid=process.pid, log=log)
    finally:
        _end(process)


def _ready_line(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None  # noqa: S101
    line = process.stdout.readline()
    if not line:
        raise NephilaError(f"the sample sites did not start (exit status {process.wait()}); see the lines above")
    ready: dict[str, Any] = orjson.loads(line)
    return ready


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
