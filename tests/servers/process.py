"""A server as a child process: started, waited for, ended; its output is kept for the one who has to look."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

PATIENCE = 180.0


def program(*names: str, package: str) -> str:
    """The path of a program; a machine without it cannot run the test, and says what to install."""
    for name in names:
        found = shutil.which(name) or next((str(path) for path in sorted(Path("/usr").glob(name))), None)
        if found:
            return found
    pytest.skip(f"needs Debian's {package}: scripts/system-packages {package}")


def as_user(name: str) -> Callable[[], None] | None:
    """What a child of root must do first, where the server refuses to be root."""
    if os.getuid() != 0:
        return None
    entry = pwd.getpwnam(name)

    def become() -> None:
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)

    return become


@contextlib.contextmanager
def running(
    command: Sequence[str | Path],
    log: Path,
    ready: Callable[[], bool],
    *,
    become: Callable[[], None] | None = None,
    stop: signal.Signals = signal.SIGTERM,
    env: dict[str, str] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("ab") as out:
        server = subprocess.Popen(
            [str(part) for part in command],
            stdout=out,
            stderr=out,
            preexec_fn=become,
            cwd=log.parent,
            env={**os.environ, **(env or {})},
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not ready():
            assert server.poll() is None, log.read_text(errors="replace")[-2000:]
            assert time.monotonic() < deadline, log.read_text(errors="replace")[-2000:]
            time.sleep(0.05)
        yield server
    finally:
        server.send_signal(stop)
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
