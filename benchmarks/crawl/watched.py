"""What watching costs: the same crawl alone, and with the dashboard open, its records on the shelf and metrics scraped.

    python -m benchmarks.crawl.watched                   # both in turn, 5 rounds
    python -m benchmarks.crawl.watched --workers 2 --extract plain

In the watched run a dashboard shows the crawl to one visitor (the stream of events, and a look at records and hosts
every 3 seconds, as its page does), and every process is scraped each 5 seconds. Pages a second are over the time from
the first request to the end; the CPU time includes the dashboard's. Each round gives one ratio; the median counts.
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


@contextlib.contextmanager
def watching(race: Race, folder: Path, port: int, workers: int) -> Iterator[tuple[int, Visitor]]:
    """The dashboard's process, and who looks at it."""
    dashboard = subprocess.Popen(
        [*nephila_program(race), "dashboard", "--root", str(folder), "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    try:
        assert dashboard.stdout is not None
        url = dashboard.stdout.readline().strip()
        time.sleep(5)  # it is open before the crawl begins
        visitor = Visitor(url, [f"http://127.0.0.1:{port + n}/metrics" for n in range(workers + 1)])
        yield dashboard.pid, visitor
        visitor.leave()
    finally:
        dashboard.terminate()
        dashboard.wait()


def crawl(race: Race, server: Nginx, folder: Path, turn: int, given: argparse.Namespace, *, watched: bool) -> Result:
    folder.mkdir()
    command = nephila_command(race, folder, given.workers, given.extract)
    before = server.requests()
    with contextlib.ExitStack() as stack:
        beside, visitor = [], None
        if watched:
            port = free_port(["127.0.0.1"])
            (folder / NAME).mkdir()
            command += ["-o", str(folder / NAME / "records.shelf")]
            job = folder / "job.toml"
            job.write_text(f'metrics = "127.0.0.1:{port}"\n{job.read_text()}')
            pid, visitor = stack.enter_context(watching(race, folder, port, given.workers))
            beside.append(pid)
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
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sites", type=int, default=8)
    parser.add_argument("--pages", type=int, default=500, help="of each site")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--extract", default="auto", choices=["auto", "plain"])
    return parser.parse_args()


def main() -> int:
    given = arguments()
    end_on_sigterm()
    plan = Plan(given.sites, given.pages, free_port([f"127.0.0.{n + 1}" for n in range(given.sites)]), 1, False)
    race, results = Race(plan), list[Result]()
    with tempfile.TemporaryDirectory(prefix="nephila-watched-") as place:
        folder = Path(place)
        build(folder / "sites", plan)
        with nginx(plan, folder / "sites") as server:
            for turn in range(given.rounds):
                for watched in (False, True) if turn % 2 == 0 else (True, False):
                    place_of = folder / f"{'watched' if watched else 'alone'}-{turn}"
                    results.append(crawl(race, server, place_of, turn, given, watched=watched))
                    print(report.line(results[-1]), flush=True)
                    time.sleep(1)
    pairs = [
        (alone, watched)
        for alone in results
        for watched in results
        if alone.turn == watched.turn and (alone.name, watched.name) == ("alone", "watched")
    ]
    said = {
        "workers": given.workers,
        "extract": given.extract,
        "pages": len(plan.urls()),
        "rounds": len(pairs),
        "pages_per_second_kept": round(median(w.pages_per_second / a.pages_per_second for a, w in pairs), 4),
        "cpu_per_page": round(median(w.cpu_ms_per_page / a.cpu_ms_per_page for a, w in pairs), 4),
        "runs": [asdict(result) for result in results],
    }
    print(
        f"kept {said['pages_per_second_kept']:.1%} of the pages a second; CPU a page times {said['cpu_per_page']:.3f}"
    )
    (ROOT / "benchmarks" / "results" / f"watched{given.workers}.json").write_bytes(
        orjson.dumps(said, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    )
    return 0 if all(result.problem is None for result in results) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ServerMissingError as problem:
        sys.exit(str(problem))
