"""Instances as plain processes of this machine: for one machine, for trying things out, for tests.

Each has a small file with its process number and the moment it began, by which the kernel tells it from another that
got the same number later, and a log. The controller itself need not stay: it finds them again by these files.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import orjson

from nephila.cluster.controller.backend import Instance
from nephila.cluster.controller.plan import ServiceRules
from nephila.errors import ConfigError

_FRESH = 30.0
_TURN = 0.05


class ProcessBackend:
    def __init__(self, host: str, directory: Path) -> None:
        self._host, self._directory = host, directory
        self._children: dict[int, subprocess.Popen[bytes]] = {}

    def instances(self) -> list[Instance]:
        found = []
        for path in sorted(self._directory.glob("*.json")):
            service, _, index = path.stem.rpartition(".")
            facts = orjson.loads(path.read_bytes())
            found.append(Instance(service, int(index), self._lives(facts), f"pid {facts['pid']}"))
        return found

    def start(self, service: str, index: int, rules: ServiceRules) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        command = [part.replace("{index}", str(index)).replace("{host}", self._host) for part in rules.command]
        try:
            with self._log(service, index).open("ab") as log:
                process = subprocess.Popen(  # noqa: S603 - the operator's own file says what to run
                    command,
                    env={**os.environ, **rules.environment},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
        except OSError as error:
            raise ConfigError(f"cannot start {service}: {command[0]}: {error.strerror}") from None
        self._children[process.pid] = process
        facts = {"pid": process.pid, "began": _began(process.pid), "at": time.time()}
        self._file(service, index).write_bytes(orjson.dumps(facts))

    def healthy(self, instance: Instance, rules: ServiceRules) -> bool:
        if rules.health.file is None:
            return True
        path = Path(str(rules.health.file).replace("{index}", str(instance.index)))
        try:
            return time.time() - path.stat().st_mtime < _FRESH
        except OSError:
            return False

    def stop(self, instances: list[Instance], grace: float) -> None:
        facts = [self._facts(instance) for instance in instances]
        for each in facts:
            self._signal(each, signal.SIGTERM)
        deadline = time.monotonic() + grace
        while any(map(self._lives, facts)) and time.monotonic() < deadline:
            time.sleep(_TURN)
        for each in facts:
            self._signal(each, signal.SIGKILL)
        while any(map(self._lives, facts)):
            time.sleep(_TURN)

    def remove(self, instance: Instance) -> None:
        self._file(instance.service, instance.index).unlink(missing_ok=True)
        self._log(instance.service, instance.index).unlink(missing_ok=True)

    def logs(self, instance: Instance, lines: int) -> Iterator[str]:
        try:
            with self._log(instance.service, instance.index).open(encoding="utf-8", errors="replace") as file:
                yield from (line.rstrip("\n") for line in deque(file, maxlen=lines))
        except FileNotFoundError:
            return

    def close(self) -> None:
        """The processes stay."""

    def _lives(self, facts: dict[str, int]) -> bool:
        child = self._children.get(facts["pid"])
        if child is not None and child.poll() is not None:
            return False
        return _began(facts["pid"]) == facts["began"]

    def _signal(self, facts: dict[str, int], number: signal.Signals) -> None:
        if self._lives(facts):
            os.kill(facts["pid"], number)

    def _facts(self, instance: Instance) -> dict[str, int]:
        facts: dict[str, int] = orjson.loads(self._file(instance.service, instance.index).read_bytes())
        return facts

    def _file(self, service: str, index: int) -> Path:
        return self._directory / f"{service}.{index}.json"

    def _log(self, service: str, index: int) -> Path:
        return self._directory / f"{service}.{index}.log"


def _began(pid: int) -> int | None:
    """When a process began, in the kernel's ticks; None when it is not there, or has ended and waits for its parent."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else int(fields[19])
