"""redis-server as the tests need it: one for all, or one of their own to kill, stall and fill up; a cluster too."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisError

from tests.servers.ports import free_port

BINARY = shutil.which("valkey-server") or shutil.which("redis-server")
_SHARED = "NEPHILA_TEST_REDIS"

needs_redis = pytest.mark.skipif(BINARY is None, reason="neither redis-server nor valkey-server is installed")


class RedisServer:
    """A server of one's own; `options` are lines of redis.conf, such as `appendonly="yes"`."""

    def __init__(self, directory: Path, binary: str | None = None, port: int | None = None, **options: object) -> None:
        self.directory = directory
        self.port = port or free_port()
        self.options = options
        self._binary = binary or BINARY or "redis-server"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def client(self) -> redis.Redis:
        """Of the plain port, for the test's own questions."""
        return redis.Redis(port=self.port, password=self.options.get("requirepass"), socket_timeout=60)  # type: ignore[arg-type]

    def start(self) -> RedisServer:
        self.directory.mkdir(parents=True, exist_ok=True)
        command = [self._binary, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.directory)]
        for name, value in {"save": "", **self.options}.items():
            command += [f"--{name.replace('_', '-')}", *str(value).split(" ")]
        log = (self.directory / "redis.log").open("ab")
        with log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        self._wait()
        return self

    def _wait(self) -> None:
        deadline = time.monotonic() + 120
        while True:
            try:
                if self.port and self.client().ping():
                    return
            except (NoConnection, RedisError, OSError) as error:
                assert self._process is not None
                if self._process.poll() is not None or time.monotonic() > deadline:
                    said = (self.directory / "redis.log").read_text()[-2000:]
                    raise RuntimeError(f"redis-server does not start: {error}\n{said}") from None
            time.sleep(0.02)

    def kill(self) -> None:
        """kill -9: what was not in its file is lost."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(timeout=120)
            self._process = None

    @contextmanager
    def stalled(self) -> Iterator[None]:
        """SIGSTOP: connections stay open, nobody answers."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)

    def __enter__(self) -> RedisServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self.kill()


@contextmanager
def redis_cluster(directory: Path, masters: int = 3) -> Iterator[list[RedisServer]]:
    """A Redis Cluster of so many masters, all slots covered."""
    options: dict[str, Any] = {"cluster_enabled": "yes", "cluster_node_timeout": 2000, "appendonly": "yes"}
    nodes = [
        RedisServer(directory / f"node-{number}", cluster_port=free_port(), **options) for number in range(masters)
    ]
    try:
        for node in nodes:
            node.start()
        share = 16384 // masters
        for number, node in enumerate(nodes):
            last = 16383 if number == masters - 1 else (number + 1) * share - 1
            node.client().execute_command("CLUSTER", "ADDSLOTSRANGE", number * share, last)
            node.client().execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            bus = nodes[0].options["cluster_port"]
            node.client().execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[0].port, bus)
        deadline = time.monotonic() + 120
        while not all(_covered(node, masters) for node in nodes):
            assert time.monotonic() < deadline, "the cluster does not form"
            time.sleep(0.1)
        yield nodes
    finally:
        for node in nodes:
            node.__exit__()


def _covered(node: RedisServer, masters: int) -> bool:
    told = node.client().execute_command("CLUSTER", "INFO")
    text = told if isinstance(told, dict) else dict(line.split(":", 1) for line in told.decode().split() if ":" in line)
    return text["cluster_state"] == "ok" and int(text["cluster_known_nodes"]) == masters


def shared_redis() -> str:
    """The URL of a server that all tests of this process and its children share; each uses job names of its own."""
    if _SHARED not in os.environ:
        directory = tempfile.TemporaryDirectory(prefix="nephila-redis-")
        server = RedisServer(Path(directory.name), appendonly="yes", appendfsync="no").start()
        os.environ[_SHARED] = server.url
        atexit.register(directory.cleanup)
        atexit.register(server.kill)
    return os.environ[_SHARED]
