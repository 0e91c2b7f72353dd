"""Random histories of a frontier against a model of it; part of the conformance suite.

The model knows the contract only. It does not foretell which URLs a claim returns: it checks that each was allowed,
that the best ones came, that hosts shared evenly, and that a claim took no less than it could.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from nephila.frontier import Entry, Frontier, HostRule, Lease, Limits, Politeness, Stats, Visit, rank
from tests.frontier.harness import StillClock, entry

HOSTS = ("free", "slow", "wide")
RULES = Politeness(HostRule(parallel=2), {"slow": HostRule(delay=7.0), "wide": HostRule(parallel=5)})
WORKERS = ("v", "w", "x")
BUDGET, ATTEMPTS, LEASE, RECRAWL = 6, 3, 20.0, 50.0


@dataclass
class ModelUrl:
    entry: Entry
    order: int
    state: str = "queued"
    attempts: int = 0
    visits: int = 0
    ready_at: float = 0.0
    due: float = 0.0

    @property
    def rank(self) -> tuple[int, int]:
        return rank(self.entry.priority, self.entry.modified), self.order


@dataclass
class ModelHost:
    active: int = 0
    met: bool = False
    ended: float = 0.0
    backoff: float = 0.0
    asked: float = 0.0


@dataclass
class ModelLease:
    lease: Lease
    deadline: float
    in_flight: bool = True


links = st.builds(
    lambda number, priority, modified: entry(
        number, HOSTS[number % 3], priority=priority, modified=modified, family=number % 7 % 3 or None
    ),
    st.integers(0, 40),
    st.sampled_from([0, 0, 0, -5, 9]),
    st.sampled_from([None, None, 1e9, 1.5e9]),
)


class FrontierMachine(RuleBasedStateMachine):
    """Subclass it with `open`, as for `Harness`."""

    open: ClassVar[Callable[..., Frontier]]

    @initialize(max_pages=st.sampled_from([None, None, 3, 10]))
    def begin(self, max_pages: int | None) -> None:
        self.limits = Limits(max_pages, ATTEMPTS, LEASE, BUDGET, RECRAWL, RECRAWL, RECRAWL)
        self.clock = StillClock()
        self.runner = asyncio.Runner()
        self.directory = tempfile.TemporaryDirectory()
        self.frontier = self.opened()
        self.urls: dict[int, ModelUrl] = {}
        self.hosts: dict[str, ModelHost] = {}
        self.leases: dict[int, ModelLease] = {}
        self.lost: list[Lease] = []
        self.taken: Counter[int] = Counter()
        self.novel: Counter[int] = Counter()
        self.token = self.done = self.run_done = 0

    def opened(self) -> Frontier:
        return type(self).open(Path(self.directory.name), RULES, self.limits, self.clock)

    def teardown(self) -> None:
        if hasattr(self, "frontier"):
            self.call(self.frontier.close())
            self.runner.close()
            self.directory.cleanup()

    def call(self, awaitable: Any) -> Any:
        async def run() -> Any:
            return await awaitable

        return self.runner.run(run())

    # -- the model ---------------------------------------------------------------------------------------------------

    def delay(self, name: str) -> float:
        return max(RULES.rule(name).delay, self.hosts[name].asked)

    def opens_at(self, name: str) -> float:
        return max(self.hosts[name].ended + self.delay(name), self.hosts[name].backoff)

    def connections(self, name: str) -> int:
        return 1 if self.delay(name) > 0 or not self.hosts[name].met else RULES.rule(name).parallel

    def room(self, name: str) -> int:
        free = self.connections(name) - self.hosts[name].active
        return max(0, free) if self.opens_at(name) <= self.clock.now else 0

    def queued(self, name: str) -> list[ModelUrl]:
        return [u for u in self.urls.values() if u.state == "queued" and u.entry.host == name]

    def claimable(self, name: str) -> list[ModelUrl]:
        return sorted((u for u in self.queued(name) if u.ready_at <= self.clock.now), key=lambda u: u.rank)

    def places(self) -> int:
        bound = self.limits.max_pages
        return 10**9 if bound is None else max(0, bound - self.run_done - len(self.leases))

    def model_add(self, entries: list[Entry]) -> int:
        new = 0
        over: dict[int, Entry] = {}
        for link in entries:
            known = self.urls.get(link.fingerprint)
            if known is None:
                self.hosts.setdefault(link.host, ModelHost())
                if link.family is not None and self.taken[link.family] >= BUDGET + 2 * self.novel[link.family]:
                    over[link.fingerprint] = self.better(over.get(link.fingerprint), link)
                    continue
                if link.family is not None:
                    self.taken[link.family] += 1
                self.urls[link.fingerprint] = ModelUrl(link, len(self.urls))
                new += 1
            elif known.state == "queued" and rank(link.priority, link.modified) < known.rank[0]:
                known.entry = link
        for link in over.values():
            self.urls[link.fingerprint] = ModelUrl(link, len(self.urls), "parked")
        return new

    @staticmethod
    def better(first: Entry | None, link: Entry) -> Entry:
        if first is None:
            return link
        better = rank(link.priority, link.modified) < rank(first.priority, first.modified)
        return replace(first, priority=link.priority, modified=link.modified) if better else first

    def model_credit(self, family: int | None) -> None:
        """A novel visit: what is parked of its family is let in, the oldest first, as far as the budget reaches."""
        if family is None:
            return
        self.novel[family] += 1
        parked = sorted(
            (u for u in self.urls.values() if u.state == "parked" and u.entry.family == family), key=lambda u: u.order
        )
        for url in parked[: max(0, BUDGET + 2 * self.novel[family] - self.taken[family])]:
            url.state = "queued"
            self.taken[family] += 1

    def model_end(self, token: int, told: bool) -> None:
        held = self.leases[token]
        if held.in_flight:
            host = self.hosts[held.lease.host]
            host.active -= 1
            host.ended = self.clock.now
            host.met = host.met or told
            held.in_flight = False

    def model_close(self, token: int, state: str, told: bool = True, ready_at: float = 0.0) -> ModelUrl:
        self.model_end(token, told)
        held = self.leases.pop(token)
        self.lost.append(held.lease)
        url = self.urls[held.lease.fingerprint]
        url.state, url.ready_at = state, ready_at
        return url

    def some(self, data: st.DataObject) -> list[Lease]:
        """Leases of anybody, stale ones among them: a worker does not know that it lost one."""
        known = [held.lease for held in self.leases.values()] + self.lost[-3:]
        return data.draw(st.lists(st.sampled_from(known), max_size=4, unique_by=lambda x: x.token)) if known else []

    # -- what happens ------------------------------------------------------------------------------------------------

    @rule(entries=st.lists(links, max_size=8))
    def add(self, entries: list[Entry]) -> None:
        assert self.call(self.frontier.add(entries)) == self.model_add(entries)

    @rule(worker=st.sampled_from(WORKERS), n=st.integers(0, 8))
    def claim(self, worker: str, n: int) -> None:
        for token in [t for t, held in self.leases.items() if held.deadline <= self.clock.now]:
            attempt = self.leases[token].lease.attempt
            url = self.model_close(token, "dead" if attempt >= ATTEMPTS else "queued", told=False)
            url.attempts = attempt
        possible = {name: min(self.room(name), len(self.claimable(name))) for name in self.hosts}
        best = {name: self.claimable(name) for name in self.hosts}
        leases = self.call(self.frontier.claim(worker, n))
        assert len(leases) == min(n, self.places(), sum(possible.values())), "a claim takes what it may, and no more"
        got = Counter(lease.host for lease in leases)
        for name, count in got.items():
            assert count <= possible[name], "politeness"
            taken = {lease.fingerprint for lease in leases if lease.host == name}
            assert taken == {url.entry.fingerprint for url in best[name][:count]}, "the best of each queue"
        starved = [got[name] for name in possible if got[name] < possible[name]]
        assert not starved or max(got.values(), default=0) <= min(starved) + 1, "even shares"
        for lease in leases:
            self.model_claimed(lease, worker)

    def model_claimed(self, lease: Lease, worker: str) -> None:
        url = self.urls[lease.fingerprint]
        assert url.state == "queued", "nothing is handed to two"
        assert lease.token > self.token, "tokens grow"
        assert (lease.attempt, lease.visit, lease.worker) == (url.attempts + 1, url.visits, worker)
        assert (lease.url, lease.priority, lease.modified) == (url.entry.url, url.entry.priority, url.entry.modified)
        assert lease.deadline == self.clock.now + LEASE
        self.token = lease.token
        url.state = "leased"
        self.hosts[lease.host].active += 1
        self.leases[lease.token] = ModelLease(lease, lease.deadline)

    @rule(data=st.data())
    def fetched(self, data: st.DataObject) -> None:
        leases = self.some(data)
        self.call(self.frontier.fetched(leases))
        for lease in leases:
            if lease.token in self.leases:
                self.model_end(lease.token, told=True)

    @rule(data=st.data())
    def renew(self, data: st.DataObject) -> None:
        leases = self.some(data)
        valid = [lease.token for lease in leases if lease.token in self.leases]
        assert [lease.token for lease in self.call(self.frontier.renew(leases))] == valid
        for token in valid:
            self.leases[token].deadline = self.clock.now + LEASE

    @rule(data=st.data(), found=st.lists(links, max_size=5), novel=st.booleans(), counted=st.booleans())
    def complete(self, data: st.DataObject, found: list[Entry], novel: bool, counted: bool) -> None:
        leases = self.some(data)
        valid = {lease.token for lease in leases if lease.token in self.leases}
        visits = [Visit(lease, novel=novel, counted=counted) for lease in leases]
        assert self.call(self.frontier.complete(visits, found)) == valid
        for token in valid:
            url = self.model_close(token, "done")
            url.visits += 1
            url.due = self.clock.now + RECRAWL
            self.done += 1
            self.run_done += counted
            if novel:
                self.model_credit(url.entry.family)
        self.model_add(found)

    @rule(data=st.data(), wait=st.sampled_from([None, 0.0, 5.0, 30.0]))
    def fail(self, data: st.DataObject, wait: float | None) -> None:
        for lease in self.some(data)[:1]:
            retry_at = None if wait is None else self.clock.now + wait
            valid = lease.token in self.leases
            assert self.call(self.frontier.fail(lease, "reason", retry_at)) is valid
            if valid:
                buried = retry_at is None or lease.attempt >= ATTEMPTS
                url = self.model_close(lease.token, "dead" if buried else "queued", ready_at=retry_at or 0.0)
                url.attempts = lease.attempt

    @rule(worker=st.sampled_from(WORKERS))
    def release(self, worker: str) -> None:
        tokens = [token for token, held in self.leases.items() if held.lease.worker == worker]
        assert self.call(self.frontier.release(worker)) == len(tokens)
        for token in tokens:
            attempt = self.leases[token].lease.attempt
            self.model_close(token, "queued", told=False).attempts = attempt - 1

    @rule(seconds=st.sampled_from([0.0, 1.0, 3.0, 7.0, 20.0, 60.0]))
    def time_passes(self, seconds: float) -> None:
        """Workers that do nothing meanwhile are those that crashed: their leases expire."""
        self.clock.advance(seconds)

    @rule(name=st.sampled_from(HOSTS), delay=st.sampled_from([None, 0.0, 3.0, 11.0]), wait=st.sampled_from([None, 4.0]))
    def slow_down(self, name: str, delay: float | None, wait: float | None) -> None:
        until = None if wait is None else self.clock.now + wait
        self.call(self.frontier.slow_down(name, delay=delay, until=until))
        host = self.hosts.setdefault(name, ModelHost())
        host.asked = host.asked if delay is None else delay
        host.backoff = host.backoff if until is None else max(host.backoff, until)

    @rule(ahead=st.sampled_from([0.0, 1000.0]))
    def recrawl(self, ahead: float) -> None:
        due = [u for u in self.urls.values() if u.state == "done" and u.due <= self.clock.now + ahead]
        assert self.call(self.frontier.recrawl(self.clock.now + ahead)) == len(due)
        for url in due:
            url.state, url.attempts, url.ready_at = "queued", 0, 0.0
        if due:
            self.run_done = 0

    @rule(data=st.data(), everything=st.booleans())
    def replay(self, data: st.DataObject, everything: bool) -> None:
        dead = [number for number, url in self.urls.items() if url.state == "dead"]
        letters = self.call(self.frontier.dead_letters())
        assert sorted(letter.fingerprint for letter in letters) == sorted(dead)
        chosen = dead if everything or not dead else data.draw(st.lists(st.sampled_from(dead), unique=True))
        assert self.call(self.frontier.replay(None if everything else chosen)) == len(chosen)
        for number in chosen:
            self.urls[number].state, self.urls[number].attempts, self.urls[number].ready_at = "queued", 0, 0.0

    @rule()
    def restart(self) -> None:
        self.call(self.frontier.close())
        self.frontier = self.opened()

    @rule()
    def drain(self) -> None:
        """However things stand, workers that go on reach the end."""
        for _ in range(500):
            if self.call(self.frontier.drained()):
                break
            self.clock.advance(8.0)
            self.claim("w", 8)
            held = list(self.leases)
            assert self.call(self.frontier.complete([Visit(self.leases[t].lease) for t in held], [])) == set(held)
            for token in held:
                url = self.model_close(token, "done")
                url.visits, url.due = url.visits + 1, self.clock.now + RECRAWL
                self.model_credit(url.entry.family)
            self.done += len(held)
            self.run_done += len(held)
        else:
            raise AssertionError("draining does not end")

    # -- what always holds -------------------------------------------------------------------------------------------

    @invariant()
    def nothing_is_lost_and_the_counts_agree(self) -> None:
        if not hasattr(self, "frontier"):
            return
        states = Counter(url.state for url in self.urls.values())
        stats = Stats(states["queued"], len(self.leases), self.done, states["dead"], len(self.hosts), states["parked"])
        assert self.call(self.frontier.stats()) == stats
        bound = self.limits.max_pages
        if bound is not None:
            assert self.run_done + len(self.leases) <= bound
        over = not states["queued"] and not self.leases
        assert self.call(self.frontier.drained()) is (over or (bound is not None and self.run_done >= bound))

    @invariant()
    def hosts_agree(self) -> None:
        if not hasattr(self, "frontier"):
            return
        expected = {
            (name, len(self.queued(name)), host.active, self.delay(name), self.opens_at(name))
            for name, host in self.hosts.items()
            if host.active or self.queued(name)
        }
        told = {(h.host, h.queued, h.active, h.delay, h.ready_at) for h in self.call(self.frontier.host_stats())}
        assert told == expected

    @invariant()
    def next_ready_is_right(self) -> None:
        if not hasattr(self, "frontier"):
            return
        told = self.call(self.frontier.next_ready())
        bound = self.limits.max_pages
        queued = any(url.state == "queued" for url in self.urls.values())
        if not queued or (bound is not None and self.run_done >= bound):
            assert told is None
            return
        instants = [held.deadline for held in self.leases.values()]
        if self.places():
            for name, host in self.hosts.items():
                urls = self.queued(name)
                if urls and host.active < self.connections(name):
                    instants.append(max(self.opens_at(name), min(url.ready_at for url in urls)))
        first = min(instants)
        assert told <= self.clock.now if first <= self.clock.now else told == first
