"""The verbs of the controller: up, scale, stop, rm, status, logs; in dependency order, with health awaited."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from nephila.cluster.controller.backend import Backend, Instance
from nephila.cluster.controller.plan import HealthRules, HostRules, Plan
from nephila.cluster.controller.processes import ProcessBackend
from nephila.errors import ConfigError, NephilaError

_TURN = 0.2
_SETTLED = 1.0
"""Seconds that an instance without a health rule must have lived."""


@dataclass(frozen=True, slots=True)
class Placed:
    host: str
    instance: Instance


class Conductor:
    """Use as a context: it closes what it opened to the hosts; what it started stays."""

    def __init__(self, plan: Plan, say: Callable[[str], None] = lambda _: None) -> None:
        self._plan, self._say = plan, say
        self._backends: dict[str, Backend] = {}

    def __enter__(self) -> Conductor:
        try:
            for name, rules in self._plan.hosts.items():
                self._backends[name] = self._open(name, rules)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for backend in self._backends.values():
            backend.close()

    def _open(self, name: str, rules: HostRules) -> Backend:
        if rules.backend == "process":
            return ProcessBackend(name, self._plan.state / self._plan.name / name)
        try:
            from nephila.cluster.controller.containers import ContainerBackend
        except ImportError as error:
            raise ConfigError(f"{error.name} is missing: pip install 'nephila[cluster]'") from None
        return ContainerBackend(self._plan.name, name, rules)

    # -- verbs -----------------------------------------------------------------------------------------------------

    def up(self, services: Sequence[str] = ()) -> None:
        """Starts what is missing of these services (all of them, when none is named) and of what they need."""
        for service in self._wanted(services):
            self._reach(service, self._plan.services[service].scale)

    def scale(self, service: str, count: int) -> None:
        """As many instances as this; the ones with the highest numbers are drained first."""
        self._known(service)
        if count:
            for other in self._wanted(self._plan.services[service].needs, or_all=False):
                self._await_health(other, max((each.instance.index for each in self._running(other)), default=1))
        self._reach(service, count)

    def stop(self, services: Sequence[str] = ()) -> None:
        """Drains and stops; who needs another goes before it."""
        for service in reversed(self._order(services)):
            self._stop(self._running(service))

    def remove(self, services: Sequence[str] = ()) -> None:
        """Stops, and forgets that they ever were: containers, process files and logs."""
        self.stop(services)
        for service in reversed(self._order(services)):
            for each in self._placed(service):
                self._backends[each.host].remove(each.instance)

    def status(self) -> list[dict[str, object]]:
        rows = []
        for service in self._plan.order():
            rules, placed = self._plan.services[service], self._placed(service)
            rows.append(
                {
                    "service": service,
                    "wanted": rules.scale,
                    "running": sum(each.instance.running for each in placed),
                    "healthy": sum(self._is_healthy(each) for each in placed),
                    "instances": [
                        {
                            "index": each.instance.index,
                            "host": each.host,
                            "identity": each.instance.identity,
                            "running": each.instance.running,
                        }
                        for each in placed
                    ],
                }
            )
        return rows

    def logs(self, services: Sequence[str] = (), lines: int = 50) -> Iterator[tuple[str, str]]:
        for service in self._order(services):
            for each in self._placed(service):
                for line in self._backends[each.host].logs(each.instance, lines):
                    yield f"{service}.{each.instance.index}", line

    # -- steps -----------------------------------------------------------------------------------------------------

    def _reach(self, service: str, count: int) -> None:
        placed = self._placed(service)
        running = {each.instance.index: each for each in placed if each.instance.running}
        self._stop([each for index, each in running.items() if index > count])
        hosts = itertools.cycle(self._plan.places(service))
        for index, host in zip(range(1, count + 1), hosts, strict=False):
            if index not in running:
                for old in (each for each in placed if each.instance.index == index and each.host != host):
                    self._backends[old.host].remove(old.instance)  # it has ended there, and begins anew here
                self._say(f"{service}.{index}: starting on {host}")
                self._backends[host].start(service, index, self._plan.services[service])
        if count:
            self._await_health(service, count)

    def _stop(self, placed: Sequence[Placed]) -> None:
        for host, group in itertools.groupby(sorted(placed, key=lambda each: each.host), key=lambda each: each.host):
            instances = [each.instance for each in group]
            for instance in instances:
                self._say(f"{instance.service}.{instance.index}: stopping on {host}")
            grace = max((self._plan.services[each.service].grace for each in instances), default=0)
            self._backends[host].stop(instances, grace)

    def _await_health(self, service: str, count: int) -> None:
        """Of the first `count` instances; those behind them have ended because they were told to."""
        rules = self._plan.services[service].health
        began = time.monotonic()
        while True:
            placed = [each for each in self._placed(service) if each.instance.index <= count]
            if not placed:
                raise NephilaError(f"{service} is not up: start it with nephila cluster up {service}")
            fallen = [each for each in placed if not each.instance.running]
            healthy = [each for each in placed if self._is_healthy(each)]
            settled = not _is_plain(rules) or time.monotonic() - began >= _SETTLED
            if len(healthy) == len(placed) and settled:
                self._say(f"{service}: up")
                return
            if fallen or time.monotonic() - began > rules.seconds:
                troubled = (fallen or [each for each in placed if each not in healthy])[0]
                raise NephilaError(self._post_mortem(service, troubled))
            time.sleep(_TURN)

    def _post_mortem(self, service: str, placed: Placed) -> str:
        said = list(self._backends[placed.host].logs(placed.instance, 1))
        what = "has ended" if not placed.instance.running else "does not become healthy"
        return f"{service}.{placed.instance.index} on {placed.host} {what}: {said[-1] if said else 'it said nothing'}"

    def _is_healthy(self, placed: Placed) -> bool:
        rules = self._plan.services[placed.instance.service]
        if not placed.instance.running or not self._backends[placed.host].healthy(placed.instance, rules):
            return False
        return rules.health.tcp is None or _takes_connections(rules.health.tcp)

    # -- looking ---------------------------------------------------------------------------------------------------

    def _placed(self, service: str) -> list[Placed]:
        found = [Placed(host, each) for host, backend in self._backends.items() for each in backend.instances()]
        mine = [each for each in found if each.instance.service == service]
        return sorted(mine, key=lambda each: each.instance.index)

    def _running(self, service: str) -> list[Placed]:
        return [each for each in self._placed(service) if each.instance.running]

    def _order(self, services: Sequence[str]) -> list[str]:
        for service in services:
            self._known(service)
        return [service for service in self._plan.order() if not services or service in services]

    def _wanted(self, services: Sequence[str], *, or_all: bool = True) -> list[str]:
        """These and what they need, in order."""
        if not services and or_all:
            return self._plan.order()
        wanted: set[str] = set()
        left = list(services)
        while left:
            service = left.pop()
            self._known(service)
            if service not in wanted:
                wanted.add(service)
                left += self._plan.services[service].needs
        return [service for service in self._plan.order() if service in wanted]

    def _known(self, service: str) -> None:
        if service not in self._plan.services:
            raise ConfigError(f"there is no service {service!r}; known: {', '.join(self._plan.services)}")


def _is_plain(rules: HealthRules) -> bool:
    return rules.tcp is None and rules.file is None


def _takes_connections(place: str) -> bool:
    host, _, port = place.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=2):
            return True
    except (OSError, ValueError):
        return False
