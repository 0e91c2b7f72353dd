"""Runs one command and says what it cost: wall time, CPU and peak memory of its whole process tree. Linux only.

CPU is what the kernel charged to the process and all children that it waited for (wait4); memory is the largest sum of
resident sizes over the tree, sampled. Companions (a Redis that a contestant needs) are added to both: a store outside
the process is part of a crawler's price as a store inside it is.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SAMPLE_SECONDS = 0.2
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Cost:
    started: float
    """Seconds since the epoch."""
    ended: float
    cpu_seconds: float
    peak_rss: int
    """Bytes."""
    exit_status: int
    timed_out: bool


def tree(pid: int) -> list[int]:
    """The process and all its descendants that are alive."""
    found, todo = [], [pid]
    while todo:
        current = todo.pop()
        found.append(current)
        for task in _listing(Path(f"/proc/{current}/task")):
            try:
                todo += [int(child) for child in (task / "children").read_text().split()]
            except OSError:
                continue
    return found


def _listing(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def rss(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def cpu(pid: int) -> float:
    """Seconds that a living process has used so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def run(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    log: Path,
    limit: float,
    companions: Iterable[int] = (),
) -> Cost:
    """Runs the command to its end, or ends it and its group after `limit` seconds."""
    beside = list(companions)
    before = sum(cpu(pid) for pid in beside)
    with log.open("wb") as output:
        started = time.time()
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        peak, timed_out = _watch(process.pid, beside, started + limit)
    except BaseException:
        # Interrupted: nothing that was started here may outlive the benchmark.
        _end_group(process.pid)
        raise
    _, status, usage = os.wait4(process.pid, 0)
    ended = time.time()
    process.returncode = os.waitstatus_to_exitcode(status)
    _end_group(process.pid)
    total = usage.ru_utime + usage.ru_stime + sum(cpu(pid) for pid in beside) - before
    return Cost(started, ended, total, max(peak, _own_peak(usage)), process.returncode, timed_out)


def _watch(pid: int, beside: list[int], deadline: float) -> tuple[int, bool]:
    """Samples memory until the process ends; after the deadline ends it. Returns the peak and whether it was ended."""
    peak = 0
    descriptor = os.pidfd_open(pid)
    try:
        exits = select.poll()
        exits.register(descriptor, select.POLLIN)
        while not exits.poll(SAMPLE_SECONDS * 1000):
            peak = max(peak, sum(rss(each) for each in [*tree(pid), *beside]))
            if time.time() > deadline:
                _end_group(pid)
                return peak, True
    finally:
        os.close(descriptor)
    return peak, False


def _own_peak(usage: resource.struct_rusage) -> int:
    """The kernel's own mark (kilobytes) of the largest single process: sees a peak between two samples."""
    return usage.ru_maxrss * 1024


def _end_group(pid: int) -> None:
    """What the command left behind; it was started as the leader of a session of its own."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
