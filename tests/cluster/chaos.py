"""Chaos: a crawl during which workers, the master, Redis and ZooKeeper are killed, stopped and started at random.

What happens is drawn from a seed and spread over the crawl by its progress, so that all of it falls into the crawl
however fast the machine is. The verdict has three parts: every page is in the export once, none was given up, and no
host was asked sooner than its delay allows, by the site's own log.
"""

from __future__ import annotations

import heapq
import itertools
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson
from kazoo.client import KazooClient
from kazoo.exceptions import KazooException, NoNodeError

from nephila.job import Job
from tests.cluster.fleet import Fleet, page_counts, too_soon
from tests.servers.lightsite import light_site, read_log, seeds, urls
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer
from tests.servers.zookeeper import Ensemble

ROOT_NODE = "/chaos"


@dataclass(frozen=True, slots=True)
class Plan:
    seed: int
    hosts: int = 20
    pages: int = 1000
    """Of each host."""
    workers: int = 6
    kills: int = 40
    master_kills: int = 5
    redis_restarts: int = 3
    zookeeper_restarts: int = 3
    stops: int = 2
    joins: int = 3
    leaves: int = 3
    delay: float = 0.1
    latency: float = 0.02
    lease: float = 15.0
    session: float = 4.0
    patience: float = 1800.0
    """Seconds after which the run has failed."""

    def actions(self) -> list[str]:
        """In the order in which they happen."""
        kinds = {
            "kill": self.kills,
            "kill master": self.master_kills,
            "restart redis": self.redis_restarts,
            "restart zookeeper": self.zookeeper_restarts,
            "stop": self.stops,
            "join": self.joins,
            "leave": self.leaves,
        }
        drawn = [kind for kind, count in kinds.items() for _ in range(count)]
        random.Random(self.seed).shuffle(drawn)
        return drawn


@dataclass(slots=True)
class Verdict:
    seed: int
    passed: bool
    seconds: float
    pages: int
    missing: int
    doubled: int
    dead: int
    too_soon: int
    requests: int
    deliveries_twice: int
    """In the spools, and left out by the export."""
    done: dict[str, int] = field(default_factory=dict)
    """What was done to the cluster."""
    examples: list[Any] = field(default_factory=list)


class Chaos:
    def __init__(self, plan: Plan, place: Path) -> None:
        self.plan, self.place = plan, place
        self._random = random.Random(plan.seed + 1)
        self._redis = RedisServer(place / "redis", appendonly="yes")
        self._zookeeper = Ensemble(place, 3)
        self._node = itertools.cycle(self._zookeeper.nodes)
        self._later: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = itertools.count()
        self._stopped: set[int] = set()
        self._busy: set[str] = set()
        self.done: Counter[str] = Counter()

    def run(self, say: Callable[[str], None] = lambda _: None) -> Verdict:
        plan, port, log = self.plan, free_port(), self.place / "requests.log"
        began = time.monotonic()
        options = ("--session", str(plan.session), "--grace", "5")
        with (
            self._redis,
            self._zookeeper,
            light_site(port, log, hosts=plan.hosts, pages=plan.pages, latency=plan.latency),
            Fleet(self.place / "fleet", self._redis.url, self._zookeeper.url(ROOT_NODE), options) as self._fleet,
        ):
            self._client = KazooClient(hosts=self._zookeeper.hosts)
            self._client.start(timeout=60)
            try:
                name = self._fleet.submit(self._job(port))
                self._fleet.start(plan.workers)
                self._play(name, log, say)
                dead = self._fleet.status(name)["frontier"]["dead"]
            finally:
                self._client.stop()
                self._client.close()
            records = self._fleet.records(name)
            spooled = self._spooled(name)
            return self._verdict(records, spooled, dead, log, port, time.monotonic() - began)

    def _job(self, port: int) -> Job:
        plan = self.plan
        return Job.from_dict(
            {
                "name": f"chaos-{plan.seed}",
                "seeds": seeds(port, plan.hosts),
                "http": {"allow_private": True},
                "scope": {"sitemaps": False},
                "politeness": {"delay": plan.delay},
                "limits": {"lease": plan.lease, "family_budget": plan.pages + 100},
            }
        )

    # -- the play --------------------------------------------------------------------------------------------------

    def _play(self, name: str, log: Path, say: Callable[[str], None]) -> None:
        plan, total = self.plan, self.plan.hosts * self.plan.pages
        actions = plan.actions()
        # The first thing happens when the crawl is under way, the last while there is enough left to be lost.
        marks = [total * (0.02 + 0.9 * place / max(1, len(actions))) for place in range(len(actions))]
        deadline = time.monotonic() + plan.patience
        asked_state = 0.0
        while True:
            assert time.monotonic() < deadline, f"seed {plan.seed}: not done; {self._fleet.log()[-4000:]}"
            self._do_what_is_due()
            progress = _lines(log)
            if marks and progress >= marks[0]:
                marks.pop(0)
                action = actions.pop(0)
                say(f"{progress:>6} requests: {action}")
                self._act(action)
            self._replace_the_fallen()
            redis_up = "redis" not in self._busy
            if not marks and not self._later and redis_up and time.monotonic() > asked_state + 1.0:
                asked_state = time.monotonic()
                if self._fleet.status(name)["state"] == "done":
                    return
            time.sleep(0.1)

    def _act(self, action: str) -> None:
        self.done[action] += 1
        if action == "kill":
            self._kill(self._any_worker())
        elif action == "kill master":
            self._kill(self._master() or self._any_worker())
        elif action == "restart redis":
            self._restart_redis()
        elif action == "restart zookeeper":
            self._restart_zookeeper()
        elif action == "stop":
            self._stop(self._any_worker())
        elif action == "join":
            self._fleet.start()
        else:
            self._leave(self._any_worker())

    def _kill(self, worker: subprocess.Popen[bytes]) -> None:
        self._fleet.kill(worker)
        self._after(self._random.uniform(0, 2), self._fleet.start)

    def _leave(self, worker: subprocess.Popen[bytes]) -> None:
        """Told to stop, as by an orchestrator; not waited for here."""
        worker.terminate()
        self._stopped.add(worker.pid)

    def _stop(self, worker: subprocess.Popen[bytes]) -> None:
        worker.send_signal(signal.SIGSTOP)
        self._stopped.add(worker.pid)

        def go_on() -> None:
            worker.send_signal(signal.SIGCONT)
            self._stopped.discard(worker.pid)

        self._after(self.plan.lease + self._random.uniform(1, 5), go_on)

    def _restart_redis(self) -> None:
        if "redis" in self._busy:
            self._after(5, self._restart_redis)
            return
        self._busy.add("redis")
        self._random.choice([self._redis.kill, self._redis.stop])()

        def start() -> None:
            self._redis.start()
            self._busy.discard("redis")

        self._after(self._random.uniform(0.2, 3), start)

    def _restart_zookeeper(self) -> None:
        """One node after the other; the next waits until the last is back, or there were no quorum to speak of."""
        if "zookeeper" in self._busy:
            self._after(5, self._restart_zookeeper)
            return
        self._busy.add("zookeeper")
        node = next(self._node)
        node.kill()

        def back() -> None:
            if node.serves():
                self._busy.discard("zookeeper")
            else:
                self._after(0.5, back)

        def start() -> None:
            node.start()
            self._after(0.5, back)

        self._after(self._random.uniform(0.5, 3), start)

    # -- workers ---------------------------------------------------------------------------------------------------

    def _any_worker(self) -> subprocess.Popen[bytes]:
        able = [worker for worker in self._fleet.workers if worker.pid not in self._stopped and worker.poll() is None]
        return self._random.choice(able or self._fleet.start())

    def _master(self) -> subprocess.Popen[bytes] | None:
        for _ in range(50):  # there is none for a moment after the last one's death
            try:
                name = self._client.get(f"{ROOT_NODE}/master")[0].decode()
                pid = orjson.loads(self._client.get(f"{ROOT_NODE}/members/{name}")[0])["pid"]
            except (NoNodeError, KazooException):
                pid = None
            found = [each for each in self._fleet.workers if each.pid == pid and pid not in self._stopped]
            if found:
                return found[0]
            time.sleep(0.1)
        self.done["no master found"] += 1
        return None

    def _replace_the_fallen(self) -> None:
        for worker in [worker for worker in self._fleet.workers if worker.poll() is not None]:
            self._fleet.workers.remove(worker)
            if worker.pid in self._stopped:
                self._stopped.discard(worker.pid)  # it was told to go
            else:
                self.done["fell by itself"] += 1
        if len(self._fleet.workers) + len(self._later) < self.plan.workers:
            self._fleet.start()

    def _after(self, seconds: float, act: Callable[[], object]) -> None:
        heapq.heappush(self._later, (time.monotonic() + seconds, next(self._numbers), act))

    def _do_what_is_due(self) -> None:
        while self._later and self._later[0][0] <= time.monotonic():
            heapq.heappop(self._later)[2]()

    # -- the verdict -----------------------------------------------------------------------------------------------

    def _spooled(self, name: str) -> int:
        from nephila.cluster.spool import read_segments, spool_files

        files = spool_files(self._fleet.place.job(name).spool)
        return sum(len(segment) for path in files for segment in read_segments(path))

    def _verdict(
        self, records: list[dict[str, Any]], spooled: int, dead: int, log: Path, port: int, seconds: float
    ) -> Verdict:
        counts, wanted = page_counts(records), urls(port, self.plan.hosts, self.plan.pages)
        requests = read_log(log)
        hasty = too_soon(requests, self.plan.delay)
        doubled = [url for url, count in counts.items() if count > 1]
        missing = sorted(wanted - set(counts))
        passed = not (hasty or doubled or missing or dead) and set(counts) == wanted
        return Verdict(
            seed=self.plan.seed,
            passed=passed,
            seconds=round(seconds, 1),
            pages=len(counts),
            missing=len(missing),
            doubled=len(doubled),
            dead=dead,
            too_soon=len(hasty),
            requests=len(requests),
            deliveries_twice=spooled - len(counts),
            done=dict(sorted(self.done.items())),
            examples=[*missing[:3], *doubled[:3], *([asdict(one) for one in pair] for pair in hasty[:3])],
        )


def _lines(path: Path) -> int:
    """Requests so far."""
    return path.read_bytes().count(b"\n") if path.exists() else 0
