"""`python -m benchmarks.crawl.kill`: is a page ever lost or doubled, whatever is killed and whenever?

Nephila crawls the eight sites with two workers. A worker is killed with SIGKILL at 30 random moments, the whole program
(its process group) at 5, and then started again with the same command. In the end every page must be in the output
once. When a crawl is over before all kills are done, it is checked and another begins in a fresh folder.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.crawl import measure
from benchmarks.crawl.contestants import (
    ROOT,
    Race,
    environment,
    json_lines,
    nephila_command,
    nephila_missing,
    nephila_program,
)
from benchmarks.crawl.servers import Nginx, end_on_sigterm, free_port, nginx
from benchmarks.crawl.sites import Plan, build

WORKER, PROGRAM = "worker", "program"
_NOT_WORKERS = (b"resource_tracker", b"forkserver")
"""Helpers of Python's multiprocessing: children of the program that crawl nothing."""


@dataclass(frozen=True, slots=True)
class Kill:
    crawl: int
    second: float
    """Since the crawl began."""
    what: str
    pid: int
    requests: int
    """Served to this crawl until then."""


@dataclass(slots=True)
class Crawl:
    """One crawl through all its kills: the same folder, the same command, started as often as it takes."""

    number: int
    race: Race
    server: Nginx
    folder: Path
    workers: int
    starts: int = 0
    began: float = field(default_factory=time.monotonic)
    requests_before: int = 0
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> subprocess.Popen[bytes]:
        self.starts += 1
        with (self.folder / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(
                nephila_command(self.race, self.folder, self.workers),
                cwd=self.folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return self.process

    def worker_pids(self) -> list[int]:
        """As the program tells them, or else its descendants that have no children and are no helpers."""
        if self.process is None:
            return []
        mine = [pid for pid in measure.tree(self.process.pid) if pid != self.process.pid]
        told = set(_told_pids(self.race, self.folder / "state"))
        return [pid for pid in mine if pid in told] or [pid for pid in mine if _is_worker(pid)]

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def elapsed(self) -> float:
        return time.monotonic() - self.began

    def requests(self) -> int:
        return self.server.requests() - self.requests_before


def _told_pids(race: Race, state: Path) -> list[int]:
    """The pids in `nephila status --json`, wherever they stand in it; none where the command does not say."""
    asked = subprocess.run(
        [*nephila_program(race), "status", "--state", str(state), "--json"],
        capture_output=True,
        cwd=ROOT,
        env=environment(),
        timeout=60,
        check=False,
    )
    try:
        return _pids(json.loads(asked.stdout)) if asked.returncode == 0 else []
    except ValueError:
        return []


def _pids(told: object) -> list[int]:
    if isinstance(told, dict):
        own = [told["pid"]] if isinstance(told.get("pid"), int) else []
        return own + [pid for value in told.values() for pid in _pids(value)]
    return [pid for value in told for pid in _pids(value)] if isinstance(told, list) else []


def _is_worker(pid: int) -> bool:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return len(measure.tree(pid)) == 1 and not any(name in command for name in _NOT_WORKERS)


def torment(crawl: Crawl, plans: list[str], random: Random, pause: tuple[float, float], deadline: float) -> list[Kill]:
    """Carries out the kills in `plans` until they are used up or the crawl is over; then waits for its end."""
    kills: list[Kill] = []
    process = crawl.start()
    while plans and time.monotonic() < deadline:
        try:
            process.wait(random.uniform(*pause))
            return kills
        except subprocess.TimeoutExpired:
            pass
        pid = process.pid if plans[0] == PROGRAM else random.choice(crawl.worker_pids() or [0])
        if not pid:
            # Between two lives of a worker; the kill is not used up.
            continue
        kills.append(Kill(crawl.number, crawl.elapsed(), plans.pop(0), pid, crawl.requests()))
        print(f"crawl {crawl.number}: {kills[-1].second:6.1f} s  {kills[-1].what} {pid}", flush=True)
        if kills[-1].what == PROGRAM:
            os.killpg(pid, signal.SIGKILL)
            process.wait()
            process = crawl.start()
        else:
            _kill(pid)
    try:
        process.wait(max(1.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        print("the time limit is over: the crawl is ended", file=sys.stderr)
    return kills


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@dataclass(frozen=True, slots=True)
class Verdict:
    crawl: int
    starts: int
    seconds: float
    requests: int
    exit_status: int | None
    pages: int
    missing: list[str]
    doubled: list[str]
    foreign: list[str]

    @property
    def good(self) -> bool:
        return self.exit_status == 0 and not (self.missing or self.doubled or self.foreign)


def check(crawl: Crawl, expected: set[str]) -> Verdict:
    found = _output(crawl.folder)
    return Verdict(
        crawl.number,
        crawl.starts,
        crawl.elapsed(),
        crawl.requests(),
        crawl.process.poll() if crawl.process else None,
        len(found),
        sorted(expected - found.keys()),
        sorted(url for url, times in found.items() if times > 1),
        sorted(found.keys() - expected),
    )


def _output(folder: Path) -> Counter[str]:
    """A sink may write one file, or a folder of segments under the same name."""
    place = folder / "out.jsonl"
    files = sorted(place.rglob("*.jsonl")) if place.is_dir() else [place]
    return sum((json_lines(file) for file in files), Counter())


def show(kills: list[Kill], verdicts: list[Verdict], expected: int) -> None:
    print("\n| crawl | second | killed | pid | requests by then |\n|--:|--:|---|--:|--:|")
    for kill in kills:
        print(f"| {kill.crawl} | {kill.second:.1f} | {kill.what} | {kill.pid} | {kill.requests} |")
    print(
        "\n| crawl | worker kills | program kills | starts | seconds | exit | requests | pages | missing | doubled "
        "| not asked for |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    )
    for verdict in verdicts:
        done = Counter(kill.what for kill in kills if kill.crawl == verdict.crawl)
        print(
            f"| {verdict.crawl} | {done[WORKER]} | {done[PROGRAM]} | {verdict.starts} | {verdict.seconds:.0f} "
            f"| {verdict.exit_status} | {verdict.requests} | {verdict.pages} of {expected} | {len(verdict.missing)} "
            f"| {len(verdict.doubled)} | {len(verdict.foreign)} |"
        )
    for verdict in verdicts:
        for name, urls in (("missing", verdict.missing), ("doubled", verdict.doubled), ("foreign", verdict.foreign)):
            for url in urls[:5]:
                print(f"crawl {verdict.crawl}, {name}: {url}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crawl.kill", description=__doc__)
    parser.add_argument("--seed", type=int, help="of the moments and the victims; a random one unless told")
    parser.add_argument("--worker-kills", type=int, default=30)
    parser.add_argument("--program-kills", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sites", type=int, default=8)
    parser.add_argument("--pages", type=int, default=1000, help="pages of one site")
    parser.add_argument("--shortest", type=float, default=0.5, help="seconds between two kills, at least")
    parser.add_argument("--longest", type=float, default=6.0, help="seconds between two kills, at most")
    parser.add_argument("--limit", type=float, default=1800, help="seconds for all crawls together")
    parser.add_argument("--keep", type=Path, help="a folder for state, outputs and logs, not removed afterwards")
    parser.add_argument("--python", type=Path, help="the project's interpreter")
    return parser.parse_args()


def rehearse(given: argparse.Namespace, folder: Path, seed: int) -> bool:
    """Builds, serves, crawls and kills until all kills are done; returns whether every crawl was whole."""
    random = Random(seed)
    plans = [WORKER] * given.worker_kills + [PROGRAM] * given.program_kills
    random.shuffle(plans)
    plan = Plan(given.sites, given.pages, free_port([f"127.0.0.{n + 1}" for n in range(given.sites)]))
    race = Race(plan, project_python=given.python) if given.python else Race(plan)
    build(folder / "sites", plan)
    kills: list[Kill] = []
    verdicts: list[Verdict] = []
    deadline = time.monotonic() + given.limit
    with nginx(plan, folder / "sites") as server:
        while (plans or not verdicts) and time.monotonic() < deadline:
            place = folder / f"crawl-{len(verdicts) + 1}"
            place.mkdir()
            crawl = Crawl(len(verdicts) + 1, race, server, place, given.workers, requests_before=server.requests())
            try:
                kills += torment(crawl, plans, random, (given.shortest, given.longest), deadline)
                verdicts.append(check(crawl, plan.urls()))
            finally:
                crawl.stop()
            if not verdicts[-1].good:
                print((place / "log.txt").read_text(errors="replace")[-3000:], file=sys.stderr)
                break
    show(kills, verdicts, len(plan.urls()))
    return not plans and all(verdict.good for verdict in verdicts)


def main() -> int:
    given = arguments()
    end_on_sigterm()
    seed = given.seed if given.seed is not None else int.from_bytes(os.urandom(4), "big")
    reason = nephila_missing(Race(Plan(), project_python=given.python) if given.python else Race(Plan()))
    if reason:
        print(reason, file=sys.stderr)
        return 2
    print(f"seed {seed}", flush=True)
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        whole = rehearse(given, given.keep.resolve(), seed)
    else:
        with tempfile.TemporaryDirectory(prefix="crawl-kill-") as place:
            whole = rehearse(given, Path(place), seed)
    print(f"\nseed {seed}: {'no page lost, none doubled' if whole else 'FAILED'}")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
