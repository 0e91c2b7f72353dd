"""ZooKeeper from Debian's package: one node, or an ensemble whose nodes can be killed and started again one by one."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path

from tests.servers.ports import free_port

JAR = Path("/usr/share/java/zookeeper.jar")
TICK = 500
"""Milliseconds; a session ends up to one tick late."""


def available() -> bool:
    return JAR.exists() and shutil.which("java") is not None


class Node:
    def __init__(self, place: Path, number: int, port: int, peers: list[str]) -> None:
        self.number, self.port = number, port
        self._place = place
        self._process: subprocess.Popen[bytes] | None = None
        (place / "data").mkdir(parents=True)
        (place / "data" / "myid").write_text(str(number))
        lines = [
            f"tickTime={TICK}",
            "initLimit=20",
            "syncLimit=10",
            f"dataDir={place / 'data'}",
            f"clientPort={port}",
            "clientPortAddress=127.0.0.1",
            "admin.enableServer=false",
            "4lw.commands.whitelist=ruok,srvr",
            "forceSync=no",
            *peers,
        ]
        (place / "zoo.cfg").write_text("\n".join(lines) + "\n")

    def start(self) -> None:
        with (self._place / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *("java", "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"),
                    *("-Dzookeeper.jmx.log4j.disable=true", "-cp", f"/etc/zookeeper/conf_example:{JAR}"),
                    *("org.apache.zookeeper.server.quorum.QuorumPeerMain", str(self._place / "zoo.cfg")),
                ],
                cwd=self._place,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def serves(self) -> bool:
        """Whether it answers clients: alone, or as a member of a quorum."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=2) as connection:
                connection.sendall(b"srvr")
                answer = b""
                while chunk := connection.recv(4096):
                    answer += chunk
                return b"Mode:" in answer
        except OSError:
            return False


class Ensemble:
    """`with Ensemble(directory, 3) as zookeeper:`; it serves when the block begins."""

    def __init__(self, place: Path, nodes: int = 1) -> None:
        ports = [free_port() for _ in range(3 * nodes)]
        peers = [f"server.{n + 1}=127.0.0.1:{ports[3 * n]}:{ports[3 * n + 1]}" for n in range(nodes)]
        self.nodes = [
            Node(place / f"zk{n + 1}", n + 1, ports[3 * n + 2], peers if nodes > 1 else []) for n in range(nodes)
        ]

    @property
    def hosts(self) -> str:
        return ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def url(self, root: str = "/test", user: str = "") -> str:
        return f"zookeeper://{user + '@' if user else ''}{self.hosts}{root}"

    def __enter__(self) -> Ensemble:
        for node in self.nodes:
            node.start()
        self.wait()
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes:
            node.kill()

    def wait(self, seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while not all(node.serves() for node in self.nodes):
            if time.monotonic() > deadline:
                raise RuntimeError("ZooKeeper does not come up")
            time.sleep(0.1)
