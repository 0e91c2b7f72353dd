"""What watching costs: the same crawl alone, and with the dashboard open, its records on the shelf and metrics scraped.

    python -m benchmarks.crawl.watched                   # 8 rounds
    python -m benchmarks.crawl.watched --extract plain

The two run at the same time, each on a core of its own and with a server of its own, and change places after each
round: what else happens on the machine happens to both, so that a few per cent can be told. In the watched run a
dashboard, on the core of its crawl, shows the crawl to one visitor (the stream of events, and a look at records and
hosts every 3 seconds, as its page does), and every process is scraped each 5 seconds. Pages a second are over the time
from the first request to the end; the CPU time includes the dashboard's. Each round gives one ratio; the median counts.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from statistics import median

import orjson

from benchmarks.crawl import measure, report
from benchmarks.crawl.contestants import ROOT, Race, environment, json_lines, nephila_command, nephila_program
from benchmarks.crawl.report import Result
from benchmarks.crawl.servers import Nginx, ServerMissingError, end_on_sigterm, free_port, nginx
from benchmarks.crawl.sites import Plan, build

NAME = "state"
LOOK_SECONDS, SCRAPE_SECONDS = 3.0, 5.0
LIMIT = 900.0


class Visitor:
    """Somebody who has the page open, and a Prometheus."""

    def __init__(self, dashboard: str, metrics: list[str]) -> None:
        self._crawl = f"{dashboard}api/v1/crawls/{NAME}"
        self._over = threading.Event()
        self.bytes_seen = self.scrapes = 0
        looks = [f"{self._crawl}/hosts?limit=200", f"{dashboard}api/v1/crawls", f"{self._crawl}/records?limit=50"]
        self._threads = [
            threading.Thread(target=self._stream, daemon=True),
            threading.Thread(target=self._every, args=(LOOK_SECONDS, looks), daemon=True),
            threading.Thread(target=self._every, args=(SCRAPE_SECONDS, metrics), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def leave(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(timeout=10)

    def _stream(self) -> None:
        while not self._over.wait(0.2):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self._crawl}/events", timeout=5) as stream:
                while not self._over.is_set() and (line := stream.readline()):
                    self.bytes_seen += len(line)

    def _every(self, seconds: float, urls: list[str]) -> None:
        while not self._over.wait(seconds):
            for url in urls:
                with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
                    answer.read()
                    self.scrapes += "metrics" in url


def on_core(number: int) -> list[str]:
    return ["taskset", "--cpu-list", str(number)]


@contextlib.contextmanager
def watching(race: Race, folder: Path, port: int, core: int) -> Iterator[tuple[int, Visitor]]:
    """The dashboard's process, and who looks at it."""
    dashboard = subprocess.Popen(
        [*on_core(core), *nephila_program(race), "dashboard", "--root", str(folder), "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    try:
        assert dashboard.stdout is not None
        url = dashboard.stdout.readline().strip()
        time.sleep(5)  # it is open before the crawl begins
        visitor = Visitor(url, [f"http://127.0.0.1:{port + n}/metrics" for n in range(2)])
        yield dashboard.pid, visitor
        visitor.leave()
    finally:
        dashboard.terminate()
        dashboard.wait()


def crawl(
    race: Race,
    server: Nginx,
    folder: Path,
    turn: int,
    given: argparse.Namespace,
    start: threading.Barrier,
    *,
    watched: bool,
    core: int,
) -> Result:
    folder.mkdir()
    command = [*on_core(core), *nephila_command(race, folder, 1, given.extract)]
    before = server.requests()
    with contextlib.ExitStack() as stack:
        beside, visitor = [], None
        if watched:
            port = free_port(["127.0.0.1"])
            (folder / NAME).mkdir()
            command += ["-o", str(folder / NAME / "records.shelf")]
            job = folder / "job.toml"
            job.write_text(f'metrics = "127.0.0.1:{port}"\n{job.read_text()}')
            pid, visitor = stack.enter_context(watching(race, folder, port, core))
            beside.append(pid)
        start.wait()
        cost = measure.run(
            command, cwd=folder, env=environment(), log=folder / "log.txt", limit=LIMIT, companions=beside
        )
    if visitor is not None and not (visitor.bytes_seen and visitor.scrapes):
        print(f"nobody was shown anything: {visitor.bytes_seen} bytes, {visitor.scrapes} scrapes", file=sys.stderr)
    return report.judge(
        "watched" if watched else "alone",
        turn,
        cost,
        first_request=server.first_request(cost.started),
        requests=server.requests() - before - 1,
        pages=json_lines(folder / "out.jsonl"),
        expected=race.plan.urls(),
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--sites", type=int, default=8)
    parser.add_argument("--pages", type=int, default=250, help="of each site")
    parser.add_argument("--extract", default="auto", choices=["auto", "plain"])
    return parser.parse_args()


def run_rounds(given: argparse.Namespace) -> Iterator[tuple[Result, Result]]:
    """Each round's two results: alone, watched."""
    with contextlib.ExitStack() as stack:
        sides = []
        for name in ("alone", "watched"):
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nephila-watched-")))
            addresses = [f"127.0.0.{n + 1}" for n in range(given.sites)]
            plan = Plan(given.sites, given.pages, free_port(addresses), 1, False)
            build(place / "sites", plan)
            sides.append((name, place, Race(plan), stack.enter_context(nginx(plan, place / "sites"))))
        pool = stack.enter_context(ThreadPoolExecutor(len(sides)))
        for turn in range(given.rounds):
            start = threading.Barrier(len(sides), timeout=60)
            both = [
                pool.submit(
                    crawl,
                    race,
                    server,
                    place / str(turn),
                    turn,
                    given,
                    start,
                    watched=name == "watched",
                    core=(n + turn) % len(sides),
                )
                for n, (name, place, race, server) in enumerate(sides)
            ]
            yield both[0].result(), both[1].result()


def main() -> int:
    given = arguments()
    end_on_sigterm()
    pairs = []
    for pair in run_rounds(given):
        pairs.append(pair)
        print(*map(report.line, pair), sep="\n", flush=True)
    said = {
        "extract": given.extract,
        "pages": given.sites * given.pages,
        "rounds": len(pairs),
        "pages_per_second_kept": round(median(w.pages_per_second / a.pages_per_second for a, w in pairs), 4),
        "cpu_per_page": round(median(w.cpu_ms_per_page / a.cpu_ms_per_page for a, w in pairs), 4),
        "runs": [asdict(result) for pair in pairs for result in pair],
    }
    print(
        f"kept {said['pages_per_second_kept']:.1%} of the pages a second; CPU a page times {said['cpu_per_page']:.3f}"
    )
    (ROOT / "benchmarks" / "results" / "watched.json").write_bytes(
        orjson.dumps(said, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    )
    return 0 if all(result.problem is None for pair in pairs for result in pair) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ServerMissingError as problem:
        sys.exit(str(problem))
