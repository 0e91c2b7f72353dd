"""How a cluster scales from 1 to 10 workers, beside scrapy-redis on the same work, with a plot.

    python -m benchmarks.cluster_scaling                      # 8,000 pages of 8 sites, 1 to 10 workers: 40 minutes
    python -m benchmarks.cluster_scaling --counts 1,10 --pages 250 --only nephila    # the ends alone: 3 minutes
    python -m benchmarks.cluster_scaling --overhead --pages 250   # shared against embedded frontier: 5 minutes

The server answers after 200 ms and each worker has 4 requests in flight, so that the network is the limit and not the
cores; `--unheld` lets the workers have 32. Time runs from the moment at which all workers are up and the job is handed
in to the last page. On a busy machine look at the efficiency column within one run, and at CPU ms a page.
scrapy-redis runs from the interpreter that `--peer-python` names (default: .venv-bench), if it is there.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from nephila.job import Job
from tests.cluster.fleet import Fleet, page_counts
from tests.servers.lightsite import light_site, read_log, seeds, urls
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer

ROOT = Path(__file__).parent.parent
HOSTS = 8
LATENCY = 0.2
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Run:
    who: str
    workers: int
    in_flight: int
    pages: int
    seconds: float
    pages_a_second: float
    efficiency: float | None
    """Speed a worker, against one worker of the same kind."""
    cpu_ms_a_page: float
    complete: bool


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


@contextmanager
def stage(pages: int, latency: float) -> Iterator[tuple[Path, RedisServer, int, Path]]:
    with tempfile.TemporaryDirectory(prefix="nephila-scaling-") as temporary:
        place, port = Path(temporary), free_port()
        log = place / "requests.log"
        with (
            RedisServer(place / "redis", appendonly="yes") as redis,
            light_site(port, log, hosts=HOSTS, pages=pages, latency=latency),
        ):
            yield place, redis, port, log


def pages_asked(log: Path) -> set[str]:
    return {f"{request.host}{request.path}" for request in read_log(log) if request.path.startswith("/page/")}


def nephila(workers: int, in_flight: int, pages: int, latency: float = LATENCY) -> Run:
    options = ("--concurrency", str(in_flight))
    with stage(pages, latency) as (place, redis, port, _), Fleet(place / "fleet", redis.url, options=options) as fleet:
        fleet.start(workers)
        until(lambda: fleet.log().count("ready for jobs") == workers)
        before = sum(cpu_seconds(worker.pid) for worker in fleet.workers)
        began = time.monotonic()
        name = fleet.submit(the_job(port, in_flight))
        fleet.wait(name, seconds=3600)
        seconds = time.monotonic() - began
        cpu = sum(cpu_seconds(worker.pid) for worker in fleet.workers) - before
        complete = page_counts(fleet.records(name)) == dict.fromkeys(urls(port, HOSTS, pages), 1)
    return judged("nephila", workers, in_flight, HOSTS * pages, seconds, cpu, complete=complete)


def the_job(port: int, in_flight: int) -> Job:
    return Job.from_dict(
        {
            "name": "scaling",
            "seeds": seeds(port, HOSTS),
            "http": {"allow_private": True},
            "scope": {"sitemaps": False},
            "politeness": {"delay": 0, "parallel": 64, "concurrency": in_flight},
            "limits": {"family_budget": 100_000},
        }
    )


def scrapy_redis(workers: int, in_flight: int, pages: int, python: str) -> Run:
    with stage(pages, LATENCY) as (place, redis, port, log):
        processes = []
        for number in range(workers):
            command = [python, "-m", "benchmarks.crawl.peers.scrapy_redis_spider", *seeds(port, HOSTS)]
            command += ["--out", str(place / f"{number}.jsonl"), "--redis", redis.url, "--robots"]
            command += ["--concurrency", str(in_flight), "--per-host", str(in_flight)]
            with (place / f"{number}.log").open("wb") as said:
                processes.append(subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said))
        try:
            until(lambda: bool(pages_asked(log)))
            began = time.monotonic()  # of the first request: its processes begin at once, each when it is up
            before = sum(cpu_seconds(process.pid) for process in processes)
            until(lambda: len(pages_asked(log)) == HOSTS * pages or all(p.poll() is not None for p in processes), 3600)
            seconds = time.monotonic() - began
            cpu = sum(cpu_seconds(process.pid) for process in processes if process.poll() is None) - before
            complete = len(pages_asked(log)) == HOSTS * pages
        finally:
            for process in processes:
                process.kill()
                process.wait()
    return judged("scrapy-redis", workers, in_flight, HOSTS * pages, seconds, cpu, complete=complete)


def judged(who: str, workers: int, in_flight: int, pages: int, seconds: float, cpu: float, *, complete: bool) -> Run:
    rate, cost = round(pages / seconds, 1), round(1000 * cpu / pages, 2)
    return Run(who, workers, in_flight, pages, round(seconds, 1), rate, None, cost, complete)


def until(holds: object, seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not holds():  # type: ignore[operator]
        if time.monotonic() > deadline:
            raise SystemExit("it takes too long")
        time.sleep(0.1)


# -- shared against embedded ------------------------------------------------------------------------------------------


def embedded(pages: int, in_flight: int) -> float:
    """CPU seconds of a whole `nephila crawl` with one worker."""
    with tempfile.TemporaryDirectory(prefix="nephila-scaling-") as temporary:
        place, port = Path(temporary), free_port()
        with light_site(port, place / "requests.log", hosts=HOSTS, pages=pages):
            job = the_job(port, in_flight).model_dump(mode="json", exclude_defaults=True)
            job |= {"outputs": ["pages.jsonl"], "state": "state"}
            program = "import json, sys, nephila; nephila.crawl(nephila.Job.from_dict(json.loads(sys.argv[1])))"
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            command = [sys.executable, "-c", program, json.dumps(job)]
            subprocess.run(command, cwd=place, check=True, env=environment)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def shared(pages: int, in_flight: int) -> tuple[float, float]:
    """CPU seconds of one worker for a job, and of Redis."""
    with stage(pages, 0.0) as (place, redis, port, _), Fleet(place / "fleet", redis.url) as fleet:
        (worker,) = fleet.start()
        until(lambda: "ready for jobs" in fleet.log())
        before = cpu_seconds(worker.pid), cpu_seconds(redis.pid)
        fleet.wait(fleet.submit(the_job(port, in_flight)), seconds=3600)
        return cpu_seconds(worker.pid) - before[0], cpu_seconds(redis.pid) - before[1]


def overhead(pages: int, rounds: int) -> None:
    """Interleaved; what a crawl of a few pages costs (starting up, ending) is taken off."""
    few, found = 10, []
    for _ in range(rounds):
        one = (embedded(pages, 32) - embedded(few, 32)) / (HOSTS * (pages - few)) * 1000
        many, little = shared(pages, 32), shared(few, 32)
        two, server = ((many[i] - little[i]) / (HOSTS * (pages - few)) * 1000 for i in (0, 1))
        found.append((one, two, server))
        print(_compared(one, two, server), flush=True)
    print(f"best of {rounds}: {_compared(*(min(column) for column in zip(*found, strict=True)))}")


def _compared(one: float, two: float, server: float) -> str:
    return f"CPU ms a page: embedded {one:.2f}, shared {two:.2f} ({two / one - 1:+.0%}), Redis {server:.2f}"


# -- report -----------------------------------------------------------------------------------------------------------


def plot(runs: list[Run], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    for kind in sorted({(run.who, run.in_flight) for run in runs}):
        mine = [run for run in runs if (run.who, run.in_flight) == kind]
        label = f"{kind[0]}, {kind[1]} in flight a worker"
        left.plot([run.workers for run in mine], [run.seconds for run in mine], marker="o", label=label)
        right.plot([run.workers for run in mine], [run.pages_a_second for run in mine], marker="o", label=label)
    left.set(xlabel="workers", ylabel="seconds", title="time", ylim=(0, None))
    right.set(xlabel="workers", ylabel="pages/s", title="speed", ylim=(0, None))
    left.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def show(run: Run) -> None:
    share = f"{run.efficiency:.0%}" if run.efficiency is not None else ""
    word = "" if run.complete else "  INCOMPLETE"
    print(
        f"{run.who:>12} {run.workers:>3} workers x {run.in_flight:>2}: {run.seconds:>7.1f} s {run.pages_a_second:>7.1f}"
        f" pages/s {share:>5}  {run.cpu_ms_a_page:.2f} CPU ms a page{word}",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", default="1,2,3,4,5,6,7,8,9,10", help="numbers of workers")
    parser.add_argument("--pages", type=int, default=1000, help="of each of the 8 sites")
    parser.add_argument("--only", choices=["nephila", "scrapy-redis"])
    parser.add_argument("--unheld", action="store_true", help="32 requests in flight a worker instead of 4")
    parser.add_argument("--overhead", action="store_true", help="shared against embedded frontier, and nothing else")
    parser.add_argument("--rounds", type=int, default=3, help="of the overhead")
    parser.add_argument("--peer-python", default=str(ROOT / ".venv-bench" / "bin" / "python"))
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results" / "cluster_scaling.json")
    options = parser.parse_args()
    if options.overhead:
        overhead(options.pages, options.rounds)
        return 0
    in_flight, runs = 32 if options.unheld else 4, []
    ones: dict[str, float] = {}
    for count in map(int, options.counts.split(",")):
        for who in ("nephila", "scrapy-redis"):
            if options.only not in (None, who) or (who != "nephila" and not Path(options.peer_python).exists()):
                continue
            if who == "nephila":
                run = nephila(count, in_flight, options.pages)
            else:
                run = scrapy_redis(count, in_flight, options.pages, options.peer_python)
            ones.setdefault(who, run.pages_a_second / count)
            run.efficiency = round(run.pages_a_second / count / ones[who], 3)
            runs.append(run)
            show(run)
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(json.dumps([asdict(run) for run in runs], indent=1) + "\n")
    plot(runs, options.out.with_suffix(".png"))
    return 0 if all(run.complete for run in runs if run.who == "nephila") else 1


if __name__ == "__main__":
    sys.exit(main())
