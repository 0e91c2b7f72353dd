"""`python -m benchmarks.crawl`: makes the sites, serves them, lets every contestant crawl them in turn, reports."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from benchmarks.crawl import measure, report
from benchmarks.crawl.contestants import CONTESTANTS, ROOT, Contestant, Race, environment
from benchmarks.crawl.report import Result
from benchmarks.crawl.servers import Nginx, ServerMissingError, end_on_sigterm, free_port, nginx, redis
from benchmarks.crawl.sites import Plan, build


@dataclass(frozen=True, slots=True)
class Track:
    """One run of the benchmark: the race, the server, where things are put."""

    race: Race
    server: Nginx
    folder: Path
    limit: float


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crawl", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="contestants, with commas: " + ", ".join(CONTESTANTS))
    parser.add_argument("--with", dest="extra", default="", help="optional contestants to add")
    parser.add_argument("--sites", type=int, default=8)
    parser.add_argument("--pages", type=int, default=1000, help="pages of one site")
    parser.add_argument("--concurrency", type=int, default=32, help="requests in flight; half of them to one host")
    parser.add_argument("--no-robots", dest="robots", action="store_false", help="peers do not ask for robots.txt")
    parser.add_argument("--gzip", action="store_true", help="pages are served compressed (from files made before)")
    parser.add_argument("--access-log", action="store_true", help="nginx logs every request")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, help="of the eight addresses; a free one unless told")
    parser.add_argument("--limit", type=float, default=900, help="seconds after which a contestant is ended")
    parser.add_argument("--python", type=Path, help="the project's interpreter, to run Nephila with")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results")
    return parser.parse_args()


def chosen(only: str, extra: str) -> list[Contestant]:
    names = [name for name in only.split(",") if name] or [c.name for c in CONTESTANTS.values() if not c.optional]
    names += [name for name in extra.split(",") if name and name not in names]
    unknown = [name for name in names if name not in CONTESTANTS]
    if unknown:
        sys.exit(f"no such contestant: {', '.join(unknown)}; there are {', '.join(CONTESTANTS)}")
    return [CONTESTANTS[name] for name in names]


def able(contestants: list[Contestant], race: Race) -> list[Contestant]:
    ready = []
    for contestant in contestants:
        reason = contestant.missing(race)
        if reason:
            print(f"{contestant.name} is left out: {reason}", file=sys.stderr)
        else:
            ready.append(contestant)
    return ready


def compete(contestant: Contestant, track: Track, turn: int) -> Result:
    """One contestant, once, in a folder of its own that is gone afterwards."""
    folder = track.folder / f"{contestant.name}-{turn}"
    folder.mkdir()
    store = redis(folder / "redis") if contestant.needs_redis else nullcontext()
    with store as running:
        before = track.server.requests()
        cost = measure.run(
            contestant.command(track.race, folder, running),
            cwd=folder,
            env=environment(),
            log=folder / "log.txt",
            limit=track.limit,
            companions=[running.pid] if running else [],
        )
    result = report.judge(
        contestant.name,
        turn,
        cost,
        first_request=track.server.first_request(cost.started),
        requests=track.server.requests() - before - 1,
        pages=contestant.pages(track.race, folder),
        expected=track.race.plan.urls(),
    )
    if result.problem:
        said = (folder / "log.txt").read_text(errors="replace")[-1500:]
        print(f"{contestant.name}: {result.problem}; it said at the end:\n{said}", file=sys.stderr)
    shutil.rmtree(folder)
    return result


def main() -> int:
    given = arguments()
    end_on_sigterm()
    port = given.port or free_port([f"127.0.0.{n + 1}" for n in range(given.sites)])
    plan = Plan(given.sites, given.pages, port, given.seed, given.gzip)
    race = Race(plan, given.concurrency, max(1, given.concurrency // 2), given.robots)
    if given.python:
        race = Race(plan, race.concurrency, race.per_host, race.robots, given.python)
    contestants = able(chosen(given.only, given.extra), race)
    if not contestants:
        return 1
    with tempfile.TemporaryDirectory(prefix="crawl-bench-") as place:
        folder = Path(place)
        begun = time.monotonic()
        size = build(folder / "sites", plan)
        print(f"{len(plan.urls())} pages, {size / 1e6:.0f} MB, made in {time.monotonic() - begun:.0f} s", flush=True)
        results: list[Result] = []
        with nginx(plan, folder / "sites", access_log=given.access_log) as server:
            track = Track(race, server, folder, given.limit)
            for turn in range(given.rounds):
                # Rotated, so that nobody always runs first (cold files) or always after the same neighbour.
                shift = turn % len(contestants)
                for contestant in contestants[shift:] + contestants[:shift]:
                    results.append(compete(contestant, track, turn))
                    print(report.line(results[-1]), flush=True)
    report.publish(results, race, given.out)
    return 0 if all(result.problem is None for result in results) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ServerMissingError as problem:
        sys.exit(str(problem))
