"""Where a cluster is: its Redis, and the directory of the spools. Opens the parts; what they hold is theirs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nephila.cluster.registry import Registry
from nephila.cluster.spool import Spool
from nephila.crawling.state import duplicate_limits, frontier_limits
from nephila.dedupe import Duplicates
from nephila.errors import ConfigError, SinkError
from nephila.fetch.politeness import JobPoliteness
from nephila.frontier import Frontier
from nephila.job import Job
from nephila.memory import Memory
from nephila.sinks import Sink, create_sink, wants_pages

_CLUSTER = "cluster"
"""The name under which the registry's memory is kept; no job can have it, for a job's begins with `job.`"""


@dataclass(frozen=True, slots=True)
class Place:
    redis: str
    """redis://, rediss:// or a Redis Cluster, as `nephila.redis` reads it."""
    spool: Path = Path("spool")

    def registry_memory(self) -> Memory:
        return open_memory(self.redis, _CLUSTER)

    def job(self, identity: str) -> JobStores:
        return JobStores(self, identity)


@dataclass(frozen=True, slots=True)
class JobStores:
    """The `Stores` of one job of a cluster."""

    place: Place
    identity: str

    def open_frontier(self, job: Job) -> Frontier:
        try:
            from nephila.frontier.redis import RedisFrontier
        except ImportError as error:
            raise _missing(error) from None
        return RedisFrontier(self.place.redis, self.key, JobPoliteness(job=job), frontier_limits(job))

    def open_memory(self) -> Memory:
        return open_memory(self.place.redis, self.key)

    def open_sinks(self, job: Job, worker: str) -> list[Sink]:
        """The worker's spool; the job's outputs, which the export makes, say only whether answers are to be kept."""
        spool = Spool(self.spool, worker, wants_pages=any(map(_is_archive, job.outputs)))
        spool.open()
        return [spool]

    def open_aside(self, job: Job, worker: str) -> Sink | None:
        if not job.checks:
            return None
        spool = Spool(self.spool / "set-aside", worker)
        spool.open()
        return spool

    def open_duplicates(self, job: Job) -> Duplicates | None:
        if job.duplicates.mode == "off":
            return None
        from nephila.dedupe.redis import RedisDuplicates

        return RedisDuplicates(self.place.redis, self.key, duplicate_limits(job))

    @property
    def key(self) -> str:
        """Under which Redis has what belongs to the job."""
        return f"job.{self.identity}"

    @property
    def spool(self) -> Path:
        return self.place.spool / self.identity


def registry_of(place: Place) -> tuple[Registry, Memory]:
    memory = place.registry_memory()
    return Registry(memory), memory


def _is_archive(uri: str) -> bool:
    try:
        return wants_pages(create_sink(uri, Path("export.sqlite")))
    except (SinkError, ImportError):  # what it needs may be missing here, and there where the export runs
        return False


def open_memory(url: str, name: str) -> Memory:
    try:
        from nephila.memory.redis import RedisMemory
    except ImportError as error:
        raise _missing(error) from None
    return RedisMemory(url, name)


def _missing(error: ImportError) -> ConfigError:
    return ConfigError(
        f"a cluster needs more than a crawl does ({error.name} is missing): pip install 'nephila[cluster]'"
    )
