"""What the conductor asks of a host: instances of services, by number. One file a kind of host."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from nephila.cluster.controller.plan import ServiceRules


@dataclass(frozen=True, slots=True)
class Instance:
    service: str
    index: int
    """From 1, over all hosts."""
    running: bool
    identity: str
    """Process number or container; for people."""


class Backend(Protocol):
    def instances(self) -> list[Instance]:
        """All of this cluster on this host, those that have ended too."""
        ...

    def start(self, service: str, index: int, rules: ServiceRules) -> None:
        """Replaces one that has ended."""
        ...

    def healthy(self, instance: Instance, rules: ServiceRules) -> bool: ...

    def stop(self, instances: list[Instance], grace: float) -> None:
        """SIGTERM to all at once, and SIGKILL to those that are still there after the grace time; waits."""
        ...

    def remove(self, instance: Instance) -> None:
        """Forgets one that has ended."""
        ...

    def logs(self, instance: Instance, lines: int) -> Iterator[str]:
        """The last lines that it wrote."""
        ...

    def close(self) -> None: ...
