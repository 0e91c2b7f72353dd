"""The job's politeness as the frontier wants it: one rule a host, `auto` resolved."""

from __future__ import annotations

import ipaddress
import zlib
from dataclasses import dataclass, field

from nephila.frontier.base import HostRule, Politeness
from nephila.job import Job

AUTO_DELAY = 0.5
_FIRST_PAGES = 12
"""They tell whether a site is a forum, of whose links most are worth nothing: eight at once had gone out by then, and
the sample forum took 102-116 fetches for 73 pages."""


@dataclass(frozen=True, slots=True)
class JobPoliteness(Politeness):
    """Rules made on demand: a host's own table in the job, else the job's, with `auto` by what the host is."""

    job: Job = field(default_factory=Job)

    def rule(self, host: str) -> HostRule:
        site = self.job.site(host)
        delay = site.delay if site.delay is not None else self.job.politeness.delay
        return HostRule(
            delay=_auto(host) if delay == "auto" else delay,
            parallel=site.parallel or self.job.politeness.parallel,
            shy=_FIRST_PAGES if self.job.reads_forums else 0,
        )

    def mark(self) -> int:
        sites = sorted((host, site.delay, site.parallel) for host, site in self.job.sites.items())
        return zlib.crc32(
            repr((self.job.politeness.delay, self.job.politeness.parallel, self.job.reads_forums, sites)).encode()
        )


def _auto(host: str) -> float:
    name = host if host.endswith("]") or ":" not in host else host.rpartition(":")[0]
    if name == "localhost" or name.endswith(".localhost"):
        return 0.0
    try:
        address = ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return AUTO_DELAY
    # A private address is the user's own machine or network (they had to allow it): no delay is owed.
    return AUTO_DELAY if address.is_global else 0.0
