"""Real processes on one frontier, some of them killed at random moments; part of the conformance suite.

Run as a program, this is one worker: `python -m tests.frontier.swarm MODULE:OPENER PLACE NAME`.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from nephila.frontier import Entry, Frontier, HostRule, Limits, Politeness, Visit
from tests.frontier.harness import entry

SEEDS, LINKS, HOSTS = 50, 30, 10
TOTAL = SEEDS * (1 + LINKS)
LIMITS = Limits(lease_seconds=0.5, max_attempts=10**6, family_budget=None)
RULES = Politeness(HostRule(parallel=20))

Opener = Callable[[Path, Politeness, Limits, Callable[[], float]], Frontier]


def numbered(number: int) -> Entry:
    return entry(number, f"host-{number % HOSTS}")


async def work(opener: Opener, place: Path, name: str) -> None:
    """Claims and completes until nothing is left; writes down each completion that the frontier accepted."""
    frontier = opener(place, RULES, LIMITS, time.time)
    source = random.Random(name)
    with (place / f"log-{name}").open("a", buffering=1) as log:
        while not await frontier.drained():
            leases = await frontier.claim(name, source.randint(1, 12))
            if not leases:
                await asyncio.sleep(0.02)
                continue
            await asyncio.sleep(source.uniform(0, 0.02))
            await frontier.fetched(leases[::2])
            # Every seed knows its own links; they come only with the completion of their seed.
            found = [
                numbered(SEEDS + lease.fingerprint * LINKS + link)
                for lease in leases
                if lease.fingerprint < SEEDS
                for link in range(LINKS)
            ]
            accepted = await frontier.complete([Visit(lease) for lease in leases], found)
            for lease in leases:
                if lease.token in accepted:
                    log.write(f"{lease.token} {lease.fingerprint}\n")
    await frontier.close()


def start(opener: str, place: Path, name: str) -> subprocess.Popen[bytes]:
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.frontier.swarm", opener, str(place), name],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )


def load(opener: str) -> Opener:
    module, _, name = opener.partition(":")
    found: Opener = getattr(importlib.import_module(module), name)
    return found


def unleash(opener: str, place: Path, *, workers: int, kills: int, seed: int) -> None:
    """Kills `kills` workers with -9 in mid-work, puts a new one in each one's place, and checks what came of it all."""

    async def begin() -> None:
        frontier = load(opener)(place, RULES, LIMITS, time.time)
        assert await frontier.add([numbered(number) for number in range(SEEDS)]) == SEEDS
        await frontier.close()

    asyncio.run(begin())
    source = random.Random(seed)
    swarm = [start(opener, place, f"{number}") for number in range(workers)]
    try:
        for number in range(kills):
            victim = source.randrange(workers)
            _wait_for_work(place, swarm[victim])
            time.sleep(source.uniform(0, 0.05))
            swarm[victim].send_signal(signal.SIGKILL)
            swarm[victim].wait()
            swarm[victim] = start(opener, place, f"{workers + number}")
        for process in swarm:
            assert process.wait(timeout=120) == 0
    finally:
        for process in swarm:
            process.kill()
            process.wait()
    asyncio.run(_check(load(opener), place))


def _wait_for_work(place: Path, process: subprocess.Popen[bytes]) -> None:
    """Until the worker has completed something, or is through."""
    name = process.args[-1]  # type: ignore[index]
    log = place / f"log-{name}"
    while process.poll() is None and not (log.exists() and log.stat().st_size):
        time.sleep(0.005)


async def _check(opener: Opener, place: Path) -> None:
    lines = [line.split() for log in place.glob("log-*") for line in log.read_text().splitlines() if line.count(" ")]
    tokens, done = Counter(line[0] for line in lines), Counter(line[1] for line in lines)
    assert max(tokens.values()) == 1, "one token, one completion"
    assert max(done.values()) == 1, "a URL is completed by one valid lease only"
    frontier = opener(place, RULES, LIMITS, time.time)
    stats = await frontier.stats()
    assert (stats.done, stats.queued, stats.leased, stats.dead) == (TOTAL, 0, 0, 0)
    assert await frontier.drained()
    assert await frontier.recrawl(time.time() + 1e9) == TOTAL, "every URL is there, visited"
    seen: set[int] = set()
    while leases := await frontier.claim("check", 200):
        assert {lease.visit for lease in leases} == {1}, "visited once"
        seen |= {lease.fingerprint for lease in leases}
        await frontier.complete([Visit(lease) for lease in leases], [])
    assert seen == set(range(TOTAL))
    await frontier.close()


if __name__ == "__main__":
    asyncio.run(work(load(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
