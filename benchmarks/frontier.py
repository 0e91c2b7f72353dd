"""Ten million URLs through the embedded frontier: adds a second, milliseconds a claim, memory, as it grows.

Run `python benchmarks/frontier.py [--urls N]`; it works in a temporary directory of its own, prints a table, writes
results/frontier.json, and results/frontier.png where matplotlib is installed.

The load is that of a crawl: batches of a thousand new URLs, each batch the links of some thirty hosts out of ten
thousand (a few big, many small), a visit completed for every second URL added. A second part asks what a claim costs
when the URLs belong to 1, 10, ... 10,000 hosts.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import statistics
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import xxhash

from nephila.frontier import Entry, HostRule, Limits, Politeness, SqliteFrontier, Visit

RESULTS = Path(__file__).parent / "results"
BATCH, CLAIM, HOSTS, HOSTS_A_BATCH = 1000, 100, 10_000, 30
MILESTONES = (100_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000)
HOST_COUNTS = (1, 10, 100, 1_000, 10_000)


@dataclass(frozen=True, slots=True)
class Point:
    """The state of affairs when `urls` had been added; rates and times of the stretch since the point before."""

    urls: int
    adds_per_second: float
    adds_per_cpu_second: float
    """What the machine's other work does not change: the CPU time that this process spent on adding."""
    claim_ms: float
    claim_cpu_ms: float
    claim_ms_worst_of_100: float
    complete_ms: float
    resident_mib: float
    file_mib: float
    load_average: float
    """Of the whole machine: above the number of its cores, the clock tells more of the others than of the frontier."""


def fingerprint(url: str) -> int:
    return xxhash.xxh3_64_intdigest(url.encode()) - (1 << 63)


def entries(source: random.Random, weights: list[float], numbers: range) -> list[Entry]:
    hosts = source.choices(range(HOSTS), cum_weights=weights, k=HOSTS_A_BATCH)
    batch = []
    for number in numbers:
        host = f"www.site-{hosts[number % HOSTS_A_BATCH]}.example"
        url = f"https://{host}/section-{number % 37}/an-article-with-a-title-{number}.html"
        batch.append(Entry(url, fingerprint(url), host, depth=number % 9, family=hosts[number % HOSTS_A_BATCH]))
    return batch


def resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def file_mib(path: Path) -> float:
    return sum(place.stat().st_size for place in path.parent.glob(path.name + "*")) / 2**20


@dataclass(frozen=True, slots=True)
class Round:
    """One claim and the completion of what it brought, in milliseconds."""

    leases: int
    claim: float
    claim_cpu: float
    complete: float


async def claim_and_complete(frontier: SqliteFrontier, n: int) -> Round:
    start, cpu = time.perf_counter(), time.process_time()
    leases = await frontier.claim("bench", n)
    claimed, claimed_cpu = time.perf_counter(), time.process_time()
    await frontier.complete([Visit(lease, digest=lease.fingerprint) for lease in leases], [])
    done = time.perf_counter()
    return Round(len(leases), (claimed - start) * 1e3, (claimed_cpu - cpu) * 1e3, (done - claimed) * 1e3)


async def grow(path: Path, urls: int) -> tuple[list[Point], dict[str, Any]]:
    source = random.Random(7)
    weights = list(itertools.accumulate(1 / (place + 1) ** 0.7 for place in range(HOSTS)))
    frontier = SqliteFrontier(path, Politeness(), Limits(family_budget=None))
    points: list[Point] = []
    peak, done = 0.0, 0
    adding = adding_cpu = total_adding = total_adding_cpu = 0.0
    rounds: list[Round] = []
    began, cpu = time.perf_counter(), time.process_time()
    for number in range(0, urls, BATCH):
        batch = entries(source, weights, range(number, number + BATCH))
        start, start_cpu = time.perf_counter(), time.process_time()
        assert await frontier.add(batch) == BATCH
        adding += time.perf_counter() - start
        adding_cpu += time.process_time() - start_cpu
        while done < (number + BATCH) // 2:
            rounds.append(await claim_and_complete(frontier, CLAIM))
            done += rounds[-1].leases
        peak = max(peak, resident_mib())
        added = number + BATCH
        if added in MILESTONES or added == urls:
            stretch = added - (points[-1].urls if points else 0)
            recent = [took for took in rounds[-1000:] if took.leases == CLAIM]
            points.append(
                Point(
                    urls=added,
                    adds_per_second=stretch / adding,
                    adds_per_cpu_second=stretch / adding_cpu,
                    claim_ms=statistics.median(took.claim for took in recent),
                    claim_cpu_ms=statistics.median(took.claim_cpu for took in recent),
                    claim_ms_worst_of_100=sorted(took.claim for took in recent)[int(len(recent) * 0.99)],
                    complete_ms=statistics.median(took.complete for took in recent),
                    resident_mib=resident_mib(),
                    file_mib=file_mib(path),
                    load_average=os.getloadavg()[0],
                )
            )
            total_adding += adding
            total_adding_cpu += adding_cpu
            adding = adding_cpu = 0.0
            rounds = []
            print_point(points[-1])
    stats = await frontier.stats()
    await frontier.close()
    assert (stats.done, stats.queued + stats.leased) == (done, urls - done)
    return points, {
        "urls": urls,
        "completed": done,
        "adds_per_second": urls / total_adding,
        "adds_per_cpu_second": urls / total_adding_cpu,
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - cpu,
        "peak_resident_mib": peak,
        "bytes_per_url": file_mib(path) * 2**20 / urls,
        "load_average": os.getloadavg()[0],
        "cores": os.cpu_count(),
    }


async def spread(path: Path, hosts: int, urls: int = 100_000) -> float:
    """Median milliseconds of a claim of 100 leases on `urls` URLs of `hosts` hosts."""
    frontier = SqliteFrontier(path, Politeness(HostRule(parallel=CLAIM)), Limits(family_budget=None))
    for number in range(0, urls, BATCH):
        batch = [(f"https://h{n % hosts}.example/{n}", f"h{n % hosts}.example") for n in range(number, number + BATCH)]
        await frontier.add([Entry(url, fingerprint(url), host) for url, host in batch])
    met = 0
    while met < hosts:  # a host that is asked for the first time gives one lease at a time
        met += (await claim_and_complete(frontier, CLAIM)).leases
    rounds = [await claim_and_complete(frontier, CLAIM) for _ in range(200)]
    await frontier.close()
    assert all(took.leases == CLAIM for took in rounds)
    return statistics.median(took.claim for took in rounds)


COLUMNS = ("URLs", "adds/s", "of CPU", "claim ms", "of CPU", "p99", "complete ms", "RSS MiB", "file MiB", "load")


def print_row(*cells: str) -> None:
    print(*(f"{cell:>{max(len(name), 10)}}" for name, cell in zip(COLUMNS, cells, strict=True)), flush=True)


def print_point(point: Point) -> None:
    rates = [f"{n:,.0f}" for n in (point.adds_per_second, point.adds_per_cpu_second)]
    claim = [f"{n:.2f}" for n in (point.claim_ms, point.claim_cpu_ms, point.claim_ms_worst_of_100)]
    sizes = [f"{n:,.0f}" for n in (point.resident_mib, point.file_mib)]
    print_row(f"{point.urls:,}", *rates, *claim, f"{point.complete_ms:.2f}", *sizes, f"{point.load_average:.1f}")


def plot(points: list[Point], by_hosts: dict[int, float], path: Path) -> bool:
    try:
        import matplotlib as mpl
    except ImportError:
        return False
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    urls = [point.urls for point in points]
    figure, (adds, claims, hosts) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    adds.plot(urls, [point.adds_per_second for point in points], marker="o", color="#b8860b")
    adds.set(title="URLs added a second", xlabel="URLs in the frontier", xscale="log", ylim=(0, None))
    claims.plot(urls, [point.claim_ms for point in points], marker="o", color="#b8860b", label="claim")
    claims.plot(urls, [point.claim_cpu_ms for point in points], marker="o", color="#7a7a7a", label="of it, CPU")
    claims.set(title="ms for a claim of 100 leases", xlabel="URLs in the frontier", xscale="log", ylim=(0, None))
    claims.legend(frameon=False)
    hosts.plot(list(by_hosts), list(by_hosts.values()), marker="o", color="#b8860b")
    hosts.set(title="ms for a claim of 100 leases", xlabel="hosts", xscale="log", ylim=(0, None))
    for axes in (adds, claims, hosts):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.3)
    figure.savefig(path, dpi=130)
    return True


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--urls", type=int, default=10_000_000, help="how many URLs to add (default: ten million)")
    options.add_argument("--dir", help="where to make the temporary directory (default: the system's place)")
    options.add_argument("--results", type=Path, default=RESULTS, help="where the figures go")
    asked = options.parse_args()
    print_row(*COLUMNS)
    with tempfile.TemporaryDirectory(prefix="nephila-frontier-", dir=asked.dir) as directory:
        points, total = asyncio.run(grow(Path(directory) / "growing.sqlite", asked.urls // BATCH * BATCH))
        by_hosts = {n: asyncio.run(spread(Path(directory) / f"hosts-{n}.sqlite", n)) for n in HOST_COUNTS}
    print(
        f"\n{total['urls']:,} URLs added at {total['adds_per_second']:,.0f}/s "
        f"({total['adds_per_cpu_second']:,.0f} for a second of CPU), {total['completed']:,} completed, "
        f"{total['seconds']:.0f} s in all ({total['cpu_seconds']:.0f} s of CPU), "
        f"peak memory {total['peak_resident_mib']:.0f} MiB, {total['bytes_per_url']:.0f} bytes a URL on disk; "
        f"load average {total['load_average']:.1f} on {total['cores']} cores"
    )
    print("\nclaim of 100 leases: " + ", ".join(f"{ms:.2f} ms at {n:,} hosts" for n, ms in by_hosts.items()))
    asked.results.mkdir(parents=True, exist_ok=True)
    figures = {"total": total, "growth": [asdict(point) for point in points], "claim_ms_by_hosts": by_hosts}
    (asked.results / "frontier.json").write_text(json.dumps(figures, indent=2) + "\n")
    if not plot(points, by_hosts, asked.results / "frontier.png"):
        print("\nno picture: matplotlib is not installed")


if __name__ == "__main__":
    main()
