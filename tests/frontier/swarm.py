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

SEEDS, FAMILY, HOSTS = 10, 31, 10
"""Seeds that come at a time, URLs of a seed (itself and its links), hosts."""
LIMITS = Limits(lease_seconds=0.5, max_attempts=10**6, family_budget=None)
RULES = Politeness(HostRule(parallel=20))

Opener = Callable[[Path, Politeness, Limits, Callable[[], float]], Frontier]


def numbered(number: int) -> Entry:
    return entry(number, f"host-{number % HOSTS}")


async def work(opener: Opener, place: Path, name: str) -> None:
    """Claims and completes until enough was killed and nothing is left; writes down what the frontier accepted."""
    frontier = opener(place, RULES, LIMITS, time.time)
    source = random.Random(name)
    with (place / f"log-{name}").open("a", buffering=1) as log:
        while not ((place / "enough").exists() and await frontier.drained()):
            leases = await frontier.claim(name, source.randint(1, 12))
            if not leases:
                await asyncio.sleep(0.02)
                continue
            await asyncio.sleep(source.uniform(0, 0.02))
            await frontier.fetched(leases[::2])
            # Every seed knows its own links; they come only with the completion of their seed.
            found = [
                numbered(lease.fingerprint + link)
                for lease in leases
                if lease.fingerprint % FAMILY == 0
                for link in range(1, FAMILY)
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
    source = random.Random(seed)
    swarm = [start(opener, place, f"{number}") for number in range(workers)]
    try:
        for number in range(kills):
            victim = source.randrange(workers)
            asyncio.run(_feed(load(opener), place, number))
            _wait_for_work(place, swarm[victim])
            time.sleep(source.uniform(0, 0.05))
            assert swarm[victim].poll() is None
            swarm[victim].send_signal(signal.SIGKILL)
            swarm[victim].wait()
            swarm[victim] = start(opener, place, f"{workers + number}")
        (place / "enough").touch()
        for process in swarm:
            assert process.wait(timeout=120) == 0
    finally:
        for process in swarm:
            process.kill()
            process.wait()
    asyncio.run(_check(load(opener), place, kills * SEEDS * FAMILY))


async def _feed(opener: Opener, place: Path, number: int) -> None:
    """More seeds, so that there is always work to be killed at."""
    frontier = opener(place, RULES, LIMITS, time.time)
    seeds = range(number * SEEDS, (number + 1) * SEEDS)
    assert await frontier.add([numbered(seed * FAMILY) for seed in seeds]) == SEEDS
    await frontier.close()


def _wait_for_work(place: Path, process: subprocess.Popen[bytes]) -> None:
    """Until the worker has completed something more."""
    name = str(process.args[-1])  # type: ignore[index]
    log = place / f"log-{name}"
    size = log.stat().st_size if log.exists() else 0
    patience = time.monotonic() + 5  # the others may have done it all
    while not (log.exists() and log.stat().st_size > size) and time.monotonic() < patience:
        time.sleep(0.002)


async def _check(opener: Opener, place: Path, total: int) -> None:
    lines = [line.split() for log in place.glob("log-*") for line in log.read_text().splitlines() if line.count(" ")]
    tokens, done = Counter(line[0] for line in lines), Counter(line[1] for line in lines)
    assert max(tokens.values()) == 1, "one token, one completion"
    assert max(done.values()) == 1, "a URL is completed by one valid lease only"
    frontier = opener(place, RULES, LIMITS, time.time)
    stats = await frontier.stats()
    assert (stats.done, stats.queued, stats.leased, stats.dead) == (total, 0, 0, 0)
    assert await frontier.drained()
    assert await frontier.recrawl(time.time() + 1e9) == total, "every URL is there, visited"
    seen: set[int] = set()
    while leases := await frontier.claim("check", 200):
        assert {lease.visit for lease in leases} == {1}, "visited once"
        seen |= {lease.fingerprint for lease in leases}
        await frontier.complete([Visit(lease) for lease in leases], [])
    assert seen == set(range(total))
    await frontier.close()


if __name__ == "__main__":
    asyncio.run(work(load(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
