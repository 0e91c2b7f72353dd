"""The processes that run the dashboard's crawls: begun, found again after a restart, stopped by their own number."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import orjson

_PATIENCE = 30.0


class Processes:
    def __init__(self) -> None:
        self._children: dict[Path, subprocess.Popen[bytes]] = {}

    def launch(self, directory: Path) -> None:
        """Begins the crawl whose job is in the directory."""
        (directory / "end.json").unlink(missing_ok=True)
        (directory / "log").mkdir(exist_ok=True)
        with (directory / "log" / "crawl.log").open("ab") as log:
            process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-m", "nephila.dashboard.runner", str(directory)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C at the dashboard leaves the crawls alone
            )
        self._children[directory] = process
        (directory / "runner.json").write_bytes(orjson.dumps({"pid": process.pid, "began": _began(process.pid)}))

    def alive(self, directory: Path) -> bool:
        child = self._children.get(directory)
        if child is not None and child.poll() is not None:
            del self._children[directory]  # reaped
        return _runner(directory) is not None

    async def stop(self, directory: Path) -> bool:
        """Drains it; False when it is none of ours."""
        pid = _runner(directory)
        if pid is None:
            return False
        deadline = time.monotonic() + _PATIENCE
        os.kill(pid, signal.SIGTERM)
        while self.alive(directory):
            await asyncio.sleep(0.05)
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGTERM)  # the second one stops at once; what was not acked is fetched again
                deadline = time.monotonic() + _PATIENCE
        return True


def _runner(directory: Path) -> int | None:
    """The process of the crawl, if it lives and is still that process."""
    try:
        facts = orjson.loads((directory / "runner.json").read_bytes())
    except (FileNotFoundError, orjson.JSONDecodeError):
        return None
    pid = int(facts["pid"])
    return pid if facts["began"] is not None and _began(pid) == facts["began"] else None


def _began(pid: int) -> str | None:
    """When a process began, in ticks since the boot: with its number, who it is. None when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else fields[19]
