"""Five million URLs through the shared frontier: adds and claims a second, bytes a URL; beside scrapy-redis.

Run `python -m benchmarks.frontier_redis [--urls N]`; it starts a redis-server of its own (append-only file, everysec)
in a temporary directory, prints tables, writes results/frontier_redis.json, and .png where matplotlib is installed.

One client process, batches of a thousand adds and a hundred claims, one call at a time. The load is that of
benchmarks/frontier.py: each batch the links of some thirty hosts out of ten thousand. A second part asks what a claim
costs when the URLs belong to 1, 10, ... 10,000 hosts; a third gives the same URLs to scrapy-redis' queue and filter.
CPU time, of the client and of the server, is what a busy machine does not change.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import redis

from benchmarks.frontier import BATCH, CLAIM, HOST_COUNTS, HOSTS, RESULTS, entries, fingerprint
from nephila.frontier import Entry, HostRule, Limits, Politeness, Visit
from nephila.frontier.redis import RedisFrontier
from nephila.redis import key_prefix
from tests.servers.redis import RedisServer

ROOT = Path(__file__).parent.parent
MILESTONES = (10_000, 100_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000)
ROUNDS = 200
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Meter:
    """Wall and CPU seconds of this process and of the server, over all stretches that it was entered for."""

    server: int
    wall: float = 0.0
    client_cpu: float = 0.0
    server_cpu: float = 0.0

    def __enter__(self) -> None:
        self.wall -= time.perf_counter()
        self.client_cpu -= time.process_time()
        self.server_cpu -= self._server_cpu()

    def __exit__(self, *_: object) -> None:
        self.wall += time.perf_counter()
        self.client_cpu += time.process_time()
        self.server_cpu += self._server_cpu()

    def _server_cpu(self) -> float:
        fields = Path(f"/proc/{self.server}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def per(self, count: int) -> dict[str, float]:
        cpu = self.client_cpu + self.server_cpu
        return {
            "per_second": count / self.wall,
            "per_cpu_second": count / cpu,
            "client_cpu_us": self.client_cpu / count * 1e6,
            "server_cpu_us": self.server_cpu / count * 1e6,
        }


@dataclass(frozen=True, slots=True)
class Point:
    """When `urls` had been added; the adds of the stretch since the point before, claims and completions after it."""

    urls: int
    adds: dict[str, float]
    visits: dict[str, float]
    """A claim and a completion each, in batches of a hundred."""
    claim_ms: float
    claim_cpu_ms: float
    bytes_per_queued_url: float
    """All that the server holds (its `used_memory`, less that of an empty one) over the URLs in the queues."""
    seen_bytes_per_url: float
    resident_mib: float
    load_average: float


async def visits(frontier: RedisFrontier, server: RedisServer, rounds: int) -> tuple[Meter, float, float, int]:
    """Claims and completes; the median ms of a claim by the clock, and the mean ms of CPU."""
    both, claims, took, done = Meter(server.pid), Meter(server.pid), [], 0
    for _ in range(rounds):
        with both:
            start = time.perf_counter()
            with claims:
                leases = await frontier.claim("bench", CLAIM)
            took.append((time.perf_counter() - start) * 1e3)
            await frontier.complete([Visit(lease, digest=lease.fingerprint) for lease in leases], [])
        done += len(leases)
    return both, statistics.median(took), (claims.client_cpu + claims.server_cpu) / rounds * 1e3, done


def seen_bytes(client: redis.Redis, urls: int) -> float:
    """Exact: what each bucket of the seen-set and its key weigh."""
    prefix, total = key_prefix("bench"), 0
    buckets = int(client.hget(prefix + b"tally", "buckets") or 0)
    for first in range(0, buckets, 2000):
        pipe = client.pipeline(transaction=False)
        for number in range(first, min(first + 2000, buckets)):
            pipe.execute_command("MEMORY", "USAGE", prefix + b"s%d" % number)
        total += sum(size or 0 for size in pipe.execute())
    return total / urls


async def grow(server: RedisServer, urls: int) -> list[Point]:
    source, client = random.Random(7), server.client()
    weights = list(itertools.accumulate(1 / (place + 1) ** 0.7 for place in range(HOSTS)))
    frontier = RedisFrontier(server.url, "bench", Politeness(), Limits(family_budget=None))
    await frontier.stats()
    empty = client.info("memory")["used_memory"]
    points: list[Point] = []
    adding, done, last = Meter(server.pid), 0, 0
    for number in range(0, urls, BATCH):
        batch = entries(source, weights, range(number, number + BATCH))
        with adding:
            assert await frontier.add(batch) == BATCH
        added = number + BATCH
        if added in MILESTONES or added == urls:
            memory = client.info("memory")
            held = memory["used_memory"] - empty
            both, claim_ms, claim_cpu_ms, more = await visits(frontier, server, min(ROUNDS, added // 200))
            points.append(
                Point(
                    urls=added,
                    adds=adding.per(added - last),
                    visits=both.per(more),
                    claim_ms=claim_ms,
                    claim_cpu_ms=claim_cpu_ms,
                    bytes_per_queued_url=held / (added - done),
                    seen_bytes_per_url=seen_bytes(client, added),
                    resident_mib=memory["used_memory_rss"] / 2**20,
                    load_average=os.getloadavg()[0],
                )
            )
            done, last, adding = done + more, added, Meter(server.pid)
            print_point(points[-1])
    stats = await frontier.stats()
    await frontier.close()
    assert (stats.done, stats.queued + stats.leased) == (done, urls - done)
    return points


async def spread(server: RedisServer, hosts: int, urls: int = 100_000) -> dict[str, float]:
    """A claim of 100 leases on `urls` URLs of `hosts` hosts."""
    frontier = RedisFrontier(
        server.url, f"hosts {hosts}", Politeness(HostRule(parallel=CLAIM)), Limits(family_budget=None)
    )
    for number in range(0, urls, BATCH):
        batch = [(f"https://h{n % hosts}.example/{n}", f"h{n % hosts}.example") for n in range(number, number + BATCH)]
        await frontier.add([Entry(url, fingerprint(url), host) for url, host in batch])
    met = 0
    while met < hosts:  # a host that is asked for the first time gives one lease at a time
        met += (await visits(frontier, server, 1))[3]
    _, claim_ms, claim_cpu_ms, done = await visits(frontier, server, ROUNDS)
    await frontier.close()
    assert done == ROUNDS * CLAIM
    return {"claim_ms": claim_ms, "claim_cpu_ms": claim_cpu_ms}


def peer(server: RedisServer, python: Path, urls: int) -> dict[str, Any] | None:
    """The same URLs in scrapy-redis, by its own classes, in an interpreter that has it."""
    if not python.exists():
        print(f"\nno scrapy-redis: {python} is not there (make .venv-bench/ready)")
        return None
    command = [str(python), "-m", "benchmarks.frontier_redis_peer", server.url, str(server.pid), str(urls)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    figures: dict[str, Any] = json.loads(ran.stdout)
    return figures


COLUMNS = (
    "URLs",
    "adds/s",
    "/CPU s",
    "visits/s",
    "/CPU s",
    "claim ms",
    "CPU ms",
    "B queued",
    "B seen",
    "RSS MiB",
    "load",
)


def print_row(*cells: str) -> None:
    print(*(f"{cell:>9}" for cell in cells), flush=True)


def print_point(point: Point) -> None:
    rates = [rate[unit] for rate in (point.adds, point.visits) for unit in ("per_second", "per_cpu_second")]
    claim = [f"{ms:.2f}" for ms in (point.claim_ms, point.claim_cpu_ms)]
    sizes = [f"{point.bytes_per_queued_url:.1f}", f"{point.seen_bytes_per_url:.2f}", f"{point.resident_mib:,.0f}"]
    print_row(f"{point.urls:,}", *(f"{rate:,.0f}" for rate in rates), *claim, *sizes, f"{point.load_average:.1f}")


def plot(points: list[Point], by_hosts: dict[int, dict[str, float]], path: Path) -> bool:
    try:
        import matplotlib as mpl
    except ImportError:
        return False
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    urls, gold, grey = [point.urls for point in points], "#b8860b", "#7a7a7a"
    figure, (adds, claims, hosts, memory) = plt.subplots(1, 4, figsize=(15, 3.6), layout="constrained")
    adds.plot(urls, [point.adds["per_cpu_second"] for point in points], marker="o", color=gold, label="adds")
    adds.plot(
        urls, [point.visits["per_cpu_second"] for point in points], marker="o", color=grey, label="claim + complete"
    )
    adds.set(title="URLs a second of CPU", xlabel="URLs in the frontier", xscale="log", ylim=(0, None))
    claims.plot(urls, [point.claim_cpu_ms for point in points], marker="o", color=gold)
    claims.set(title="CPU ms of a claim of 100", xlabel="URLs in the frontier", xscale="log", ylim=(0, None))
    hosts.plot(list(by_hosts), [ms["claim_cpu_ms"] for ms in by_hosts.values()], marker="o", color=gold)
    hosts.set(title="CPU ms of a claim of 100", xlabel="hosts", xscale="log", ylim=(0, None))
    memory.plot(urls, [point.bytes_per_queued_url for point in points], marker="o", color=gold, label="queued, all in")
    memory.plot(urls, [point.seen_bytes_per_url for point in points], marker="o", color=grey, label="of it, seen-set")
    memory.set(title="bytes a URL", xlabel="URLs in the frontier", xscale="log", ylim=(0, None))
    for axes in (adds, claims, hosts, memory):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.3)
    for axes in (adds, memory):
        axes.legend(frameon=False)
    figure.savefig(path, dpi=130)
    return True


def measure(directory: Path, urls: int, peer_python: Path, peer_urls: int) -> dict[str, Any]:
    options = {"appendonly": "yes", "appendfsync": "everysec"}
    print_row(*COLUMNS)
    with RedisServer(directory / "growing", **options) as server:
        points = asyncio.run(grow(server, urls // BATCH * BATCH))
    by_hosts = {}
    for count in HOST_COUNTS:
        with RedisServer(directory / f"hosts-{count}", **options) as server:
            by_hosts[count] = asyncio.run(spread(server, count))
    print(
        "\nclaim of 100: " + ", ".join(f"{ms['claim_cpu_ms']:.2f} CPU ms at {n:,} hosts" for n, ms in by_hosts.items())
    )
    with RedisServer(directory / "peer", **options) as server:
        other = peer(server, peer_python, peer_urls)
    if other is not None:
        print(f"\nscrapy-redis, {peer_urls:,} URLs: {json.dumps(other, indent=2)}")
    return {"growth": [asdict(point) for point in points], "by_hosts": by_hosts, "scrapy_redis": other}


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--urls", type=int, default=5_000_000, help="how many URLs to add (default: five million)")
    options.add_argument("--peer-urls", type=int, default=200_000, help="how many of them scrapy-redis gets")
    options.add_argument("--peer-python", type=Path, default=ROOT / ".venv-bench/bin/python")
    options.add_argument("--results", type=Path, default=RESULTS, help="where the figures go")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="nephila-frontier-") as directory:
        figures = measure(Path(directory), asked.urls, asked.peer_python, asked.peer_urls)
    asked.results.mkdir(parents=True, exist_ok=True)
    figures["machine"] = {"cores": os.cpu_count(), "python": sys.version.split()[0]}
    (asked.results / "frontier_redis.json").write_text(json.dumps(figures, indent=2) + "\n")
    points = [Point(**point) for point in figures["growth"]]
    if not plot(points, figures["by_hosts"], asked.results / "frontier_redis.png"):
        print("\nno picture: matplotlib is not installed")


if __name__ == "__main__":
    main()
