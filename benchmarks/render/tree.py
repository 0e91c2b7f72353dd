"""CPU and memory of a process and everything below it, sampled: a browser's processes come and go without a word.

What a process uses between its last sample and its end is not seen, so those who start many are a little favoured.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_SAMPLE_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Used:
    out: bytes
    status: int
    cpu: float
    peak: int
    """Bytes that no other process shares."""


def run(command: Sequence[str], env: dict[str, str], cwd: Path, limit: float) -> Used:
    cpu: dict[tuple[int, str], float] = {}
    peak = 0
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=env, cwd=cwd)
    deadline = time.monotonic() + limit
    while process.poll() is None and time.monotonic() < deadline:
        memory = 0
        for pid in _tree(process.pid):
            used = _stat(pid)
            if used is not None:
                cpu[pid, used[0]] = used[1]
                memory += used[2]
        peak = max(peak, memory)
        time.sleep(_SAMPLE_SECONDS)
    if process.poll() is None:
        process.kill()
    out, _ = process.communicate()
    return Used(out, process.returncode, sum(cpu.values()), peak)


def _tree(pid: int) -> list[int]:
    below: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 - ten times a second
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            below.setdefault(int(fields[1]), []).append(int(entry))
    found, todo = [], [pid]
    while todo:
        current = todo.pop()
        found.append(current)
        todo += below.get(current, [])
    return found


def processes(pid: int) -> list[tuple[int, str, int]]:
    """Id, name and own memory of a process and of all below it."""
    found = []
    for each in _tree(pid):
        used = _stat(each)
        if used is not None:
            try:
                found.append((each, Path(f"/proc/{each}/comm").read_text().strip(), used[2]))
            except OSError:
                continue
    return found


def _stat(pid: int) -> tuple[str, float, int] | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    except (OSError, ValueError):
        return None
    return fields[19], (int(fields[11]) + int(fields[12])) / _TICKS, (int(resident) - int(shared)) * _PAGE
