"""Nephila's one worker and the bare loop at the same time, each on a core of its own: what share of the limit is it?

    python -m benchmarks.crawl.beside                    # 8 sites x 250 pages, 5 rounds: 4 minutes

In turns, a machine that others use too gives either of them its good or its bad minute. Here the bare loop crawls its
sites again and again while Nephila crawls the same ones once, and what happens on the machine happens to both; they
change cores after each round. Pages a second are over the time from the first request to the end of the process.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from benchmarks.crawl import measure, report
from benchmarks.crawl.contestants import CONTESTANTS, Race, environment
from benchmarks.crawl.report import Result
from benchmarks.crawl.servers import Nginx, ServerMissingError, end_on_sigterm, free_port, nginx
from benchmarks.crawl.sites import Plan, build
from benchmarks.crawl.watched import on_core

LIMIT = 900.0


@dataclass(frozen=True, slots=True)
class Side:
    name: str
    place: Path
    race: Race
    server: Nginx

    def crawl(self, turn: int, number: int, core: int) -> Result:
        folder = self.place / f"{turn}-{number}"
        folder.mkdir()
        who = CONTESTANTS[self.name]
        before = self.server.requests()
        command = [*on_core(core), *who.command(self.race, folder, None)]
        cost = measure.run(command, cwd=folder, env=environment(), log=folder / "log.txt", limit=LIMIT)
        return report.judge(
            self.name,
            turn,
            cost,
            first_request=self.server.first_request(cost.started),
            requests=self.server.requests() - before - 1,
            pages=who.pages(self.race, folder),
            expected=self.race.plan.urls(),
        )


@contextlib.contextmanager
def sides(given: argparse.Namespace) -> Iterator[list[Side]]:
    with contextlib.ExitStack() as stack:
        found = []
        for name in ("nephila1", "bare"):
            place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nephila-beside-")))
            addresses = [f"127.0.0.{n + 1}" for n in range(given.sites)]
            plan = Plan(given.sites, given.pages, free_port(addresses), 1, False)
            build(place / "sites", plan)
            found.append(Side(name, place, Race(plan), stack.enter_context(nginx(plan, place / "sites"))))
        yield found


def round_of(nephila: Side, bare: Side, turn: int) -> tuple[Result, list[Result]]:
    """One crawl of Nephila's, and those of the loop that ended before it did, one at least."""
    with ThreadPoolExecutor(1) as pool:
        crawl = pool.submit(nephila.crawl, turn, 0, turn % 2)
        loops = [bare.crawl(turn, 0, (turn + 1) % 2)]
        while not crawl.done():
            loops.append(bare.crawl(turn, len(loops), (turn + 1) % 2))
        return crawl.result(), loops[:-1] or loops


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sites", type=int, default=8)
    parser.add_argument("--pages", type=int, default=250, help="of each site")
    given = parser.parse_args()
    end_on_sigterm()
    shares, costs, problems = [], [], 0
    with sides(given) as (nephila, bare):
        for turn in range(given.rounds):
            crawl, loops = round_of(nephila, bare, turn)
            print(*map(report.line, [crawl, *loops]), sep="\n", flush=True)
            problems += sum(result.problem is not None for result in [crawl, *loops])
            shares.append(crawl.pages_per_second / mean(loop.pages_per_second for loop in loops))
            costs.append(crawl.cpu_ms_per_page / mean(loop.cpu_ms_per_page for loop in loops))
    print("shares by round:", *(f"{share:.3f}" for share in shares))
    print(f"{median(shares):.3f} of the bare loop's pages a second; CPU a page times {median(costs):.2f}")
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ServerMissingError as problem:
        sys.exit(str(problem))
