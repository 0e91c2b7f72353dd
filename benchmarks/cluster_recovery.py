"""How long a cluster takes to recover: from a worker's death to its URLs being asked for again; to a new master.

    python -m benchmarks.cluster_recovery --rounds 5 --session 4      # some 30 s a round

The bound that both are held to is the ZooKeeper session's time and one second more. Needs redis-server and zookeeper.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import orjson
from kazoo.client import KazooClient
from kazoo.exceptions import KazooException

from nephila.job import Job
from tests.cluster.fleet import Fleet
from tests.servers.lightsite import light_site, read_log, seeds
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer
from tests.servers.zookeeper import Ensemble

HOSTS = 12
ROOT_NODE = "/recovery"


def master_pid(client: KazooClient) -> int | None:
    try:
        name = client.get(f"{ROOT_NODE}/master")[0].decode()
        pid: int = orjson.loads(client.get(f"{ROOT_NODE}/members/{name}")[0])["pid"]
    except KazooException:
        return None
    return pid


def member_of(client: KazooClient, pid: int) -> str:
    path = f"{ROOT_NODE}/members"
    names = client.get_children(path)
    return next(name for name in names if orjson.loads(client.get(f"{path}/{name}")[0])["pid"] == pid)


def of_worker(fleet: Fleet, client: KazooClient, victim: subprocess.Popen[bytes], log: Path) -> float:
    """Each host has one request in flight, so the hosts that the dead one held stand still until it is released."""
    member, ended = member_of(client, victim.pid), threading.Event()
    client.exists(f"{ROOT_NODE}/members/{member}", watch=lambda _: ended.set())
    died_at = time.monotonic()
    fleet.kill(victim)
    ended.wait(60)
    gone = time.monotonic() - died_at
    while "is dead" not in fleet.log():
        time.sleep(0.005)
    released = time.monotonic() - died_at
    line = next(line for line in fleet.log().splitlines() if "is dead" in line)
    # What the dead one had sent may reach a busy site late, but not as late as the end of its session.
    hosts, ended_at = {request.host for request in read_log(log)}, died_at + gone
    while len(firsts := first_requests(log, ended_at)) < len(hosts):
        time.sleep(0.02)
    last = max(firsts.values()) - died_at
    print(f"  session ended after {gone:.2f} s, released {released:.2f} s, last host asked {last:.2f} s:", end=" ")
    print(line.split(" WARNING ")[-1])
    return last


def first_requests(log: Path, since: float) -> dict[str, float]:
    """Of each host, when it was first asked after an instant."""
    firsts: dict[str, float] = {}
    for request in read_log(log):
        if request.start > since:
            firsts.setdefault(request.host, request.start)
    return firsts


def of_master(fleet: Fleet, client: KazooClient) -> float:
    pid = master_pid(client)
    victim = next(worker for worker in fleet.workers if worker.pid == pid)
    died_at = time.monotonic()
    fleet.kill(victim)
    while master_pid(client) in (None, pid):
        time.sleep(0.01)
    return time.monotonic() - died_at


def one_round(session: float, place: Path) -> tuple[float, float]:
    port, log = free_port(), place / "requests.log"
    with (
        RedisServer(place / "redis", appendonly="yes") as redis,
        Ensemble(place, 3) as zookeeper,
        light_site(port, log, hosts=HOSTS, pages=2000, latency=0.3),
        Fleet(place / "fleet", redis.url, zookeeper.url(ROOT_NODE), ("--session", str(session))) as fleet,
    ):
        client = KazooClient(hosts=zookeeper.hosts)
        client.start(timeout=60)
        rules = {"seeds": seeds(port, HOSTS), "http": {"allow_private": True}, "scope": {"sitemaps": False}}
        fleet.submit(Job.from_dict({**rules, "politeness": {"delay": 0.05}, "limits": {"lease": 600}, "name": "r"}))
        fleet.start(4)
        while len(read_log(log)) < 200 or len(client.get_children(f"{ROOT_NODE}/members")) < len(fleet.workers):
            time.sleep(0.1)
        pid = master_pid(client)
        worker = of_worker(fleet, client, next(each for each in fleet.workers if each.pid != pid), log)
        master = of_master(fleet, client)
        client.stop()
        client.close()
    return worker, master


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--session", type=float, default=4.0, help="seconds of the ZooKeeper session")
    options = parser.parse_args()
    found = []
    for number in range(options.rounds):
        with tempfile.TemporaryDirectory(prefix="nephila-recovery-") as temporary:
            found.append(one_round(options.session, Path(temporary)))
        print(f"round {number + 1}: leases claimed again after {found[-1][0]:.2f} s, new master {found[-1][1]:.2f} s")
    worst = [max(column) for column in zip(*found, strict=True)]
    bound = options.session + 1.0
    print(f"worst: leases {worst[0]:.2f} s, master {worst[1]:.2f} s; the bound is {bound:.2f} s")
    return 0 if max(worst) < bound else 1


if __name__ == "__main__":
    sys.exit(main())
