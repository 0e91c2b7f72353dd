"""Is the cost of a claim flat? Two shared frontiers, a small and a large one, are asked in turn, so that both see the
same machine at the same time, however busy it is.

    python -m benchmarks.frontier_redis_flat                      # 10,000 against 5 million URLs: 4 minutes
    python -m benchmarks.frontier_redis_flat --large 500000       # half a minute
    python -m benchmarks.frontier_redis_flat --hosts 100,10000 --large 100000 --small 100000   # by hosts

Each has a redis-server of its own (append-only file on). What is compared is the server's CPU by the kernel's own
account, in nanoseconds, and the commands that a claim of a hundred leases runs inside Redis (`INFO commandstats`),
which no load changes. The URLs are those of benchmarks/frontier.py. Also told: adds a second of the one client process.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.frontier import BATCH, CLAIM, HOSTS, entries
from nephila.frontier import Limits, Politeness, Visit
from nephila.frontier.base import HostRule
from nephila.frontier.redis import RedisFrontier
from tests.servers.redis import RedisServer

_INSIDE = ("getrange", "setrange", "hdel", "hget", "hmget", "hset", "zrange", "zrangebyscore", "zrem", "zadd")


def cpu_ms(pid: int) -> float:
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6


@dataclass(slots=True)
class Side:
    server: RedisServer
    urls: int
    hosts: int
    claims: list[float] = field(default_factory=list)
    completions: list[float] = field(default_factory=list)
    frontier: RedisFrontier = field(init=False)

    async def fill(self) -> None:
        # Many connections a host: with few hosts, it is not they that a claim of a hundred shall be bounded by.
        rules = Politeness(HostRule(parallel=CLAIM))
        self.frontier = RedisFrontier(self.server.url, "flat", rules, Limits(family_budget=None))
        source = random.Random(7)
        weights = list(itertools.accumulate(1 / (place + 1) ** 0.7 for place in range(self.hosts)))
        wall, client, server = 0.0, 0.0, cpu_ms(self.server.pid)
        for number in range(0, self.urls, BATCH):
            batch = entries(source, weights, range(number, number + BATCH))
            began, used = time.perf_counter(), time.process_time()
            await self.frontier.add(batch)
            wall, client = wall + time.perf_counter() - began, client + time.process_time() - used
        server = (cpu_ms(self.server.pid) - server) / 1e3
        print(
            f"{self.urls:>9,} URLs on {self.hosts:,} hosts: {self.urls / wall:,.0f} adds/s; CPU of an add:"
            f" client {client / self.urls * 1e6:.1f} us, server {server / self.urls * 1e6:.1f} us",
            flush=True,
        )

    async def visit(self) -> int:
        pid = self.server.pid
        began = cpu_ms(pid)
        leases = await self.frontier.claim("bench", CLAIM)
        claimed = cpu_ms(pid)
        await self.frontier.complete([Visit(lease, digest=lease.fingerprint) for lease in leases], [])
        self.claims.append(claimed - began)
        self.completions.append(cpu_ms(pid) - claimed)
        return len(leases)

    def report(self) -> str:
        stats = self.server.client().info("commandstats")
        calls = {name: stats.get(f"cmdstat_{name}", {}).get("calls", 0) / len(self.claims) for name in _INSIDE}
        inside = ", ".join(f"{name} {count:.0f}" for name, count in calls.items() if count >= 0.5)
        return (
            f"{self.urls:>9,} URLs on {self.hosts:,} hosts: claim {mean(self.claims):.2f}, completion"
            f" {mean(self.completions):.2f} ms of the server's CPU; commands of both: {inside}"
        )


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


async def compare(small: Side, large: Side, rounds: int) -> float:
    for side in (small, large):
        await side.fill()
        met = 0
        while met < min(side.hosts, side.urls // 4):  # a host that was never asked gives one lease at a time
            met += await side.visit()
        side.claims.clear()
        side.completions.clear()
        side.server.client().config_resetstat()
    for turn in range(rounds):
        for side in (small, large) if turn % 2 else (large, small):
            await side.visit()
    for side in (small, large):
        print(side.report())
        await side.frontier.close()
    return mean(large.claims) / mean(small.claims)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", type=int, default=10_000, help="URLs of the one frontier")
    parser.add_argument("--large", type=int, default=5_000_000, help="URLs of the other")
    parser.add_argument("--hosts", default=f"{HOSTS}", help="of both, or of each: 1,10000")
    parser.add_argument("--rounds", type=int, default=50, help="claims of a hundred each")
    options = parser.parse_args()
    hosts = [int(each) for each in options.hosts.split(",")] * 2
    with tempfile.TemporaryDirectory(prefix="nephila-flat-") as place:
        durable = {"appendonly": "yes", "appendfsync": "everysec"}
        with RedisServer(Path(place) / "a", **durable) as one, RedisServer(Path(place) / "b", **durable) as two:
            sides = Side(one, options.small, hosts[0]), Side(two, options.large, hosts[1])
            ratio = asyncio.run(compare(*sides, options.rounds))
    print(f"a claim of the second costs {ratio:.2f} times that of the first")


if __name__ == "__main__":
    main()
