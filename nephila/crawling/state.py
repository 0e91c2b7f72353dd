"""The state directory of a crawl: what lies where, and who may use it. Opens its parts; what they hold is theirs."""

from __future__ import annotations

import fcntl
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import xxhash

from nephila.crawling.early import EarlyPages
from nephila.crawling.shared import Shared
from nephila.errors import ConfigError, StateError
from nephila.fetch.politeness import JobPoliteness
from nephila.frontier import Frontier, Limits, SqliteFrontier
from nephila.job import Job
from nephila.memory import Memory, SqliteMemory
from nephila.sinks import Sink, count_records, open_sink, output_totals
from nephila.sinks.appendfile import output_name

if TYPE_CHECKING:  # numpy, which only those who read pages need: a fifth of the time that a start takes
    from nephila import dedupe
    from nephila.dedupe import Duplicates

DEFAULT_PARENT = Path(".nephila")
_LOCK_PATIENCE = 15.0
"""Seconds to wait for the workers of a supervisor that was killed: they notice within a moment and let go."""


def default_state(job: Job) -> Path:
    """The same command finds the same state: named after the job, or after its first seed and a hash of all."""
    if job.name:
        return DEFAULT_PARENT / re.sub(r"[^\w.-]+", "-", job.name)
    if not job.seeds:
        raise ConfigError("nothing to crawl: give a URL, or `seeds` in a job file; or --state, to resume a crawl")
    host = re.sub(r"^[a-z]+://", "", job.seeds[0]).split("/", 1)[0]
    identity = xxhash.xxh3_64_hexdigest("\n".join((*job.seeds, job.scope.mode, *job.outputs)).encode())[:8]
    return DEFAULT_PARENT / f"{re.sub(r'[^A-Za-z0-9.-]+', '-', host)}-{identity}"


def shared_name(job: Job) -> str:
    """The job's name on a shared server: the same on every machine, wherever its state and outputs lie there."""
    return default_state(job.model_copy(update={"outputs": ()})).name


class Stores(Protocol):
    """What a worker needs of the place where a crawl is kept: a state directory, or the stores of a cluster."""

    def open_frontier(self, job: Job) -> Frontier: ...

    def open_memory(self) -> Memory: ...

    def open_sinks(self, job: Job, worker: str) -> list[Sink]:
        """The outputs, for this worker; raises SinkError with what to change."""
        ...

    def open_aside(self, job: Job, worker: str) -> Sink | None:
        """Where records go that fail a check; None where there is none."""
        ...

    def open_duplicates(self, job: Job) -> Duplicates | None:
        """The memory of texts; None where nobody looks for duplicates."""
        ...


def frontier_limits(job: Job) -> Limits:
    """The bounds that the frontier keeps, as the job has them."""
    limits, recrawl = job.limits, job.recrawl
    return Limits(
        max_pages=limits.max_pages,
        max_attempts=limits.max_attempts,
        lease_seconds=limits.lease,
        family_budget=limits.family_budget,
        recrawl_min=recrawl.min,
        recrawl_max=recrawl.max,
        recrawl_start=recrawl.start,
    )


def duplicate_limits(job: Job) -> dedupe.Limits:
    from nephila import dedupe

    return dedupe.Limits(job.duplicates.capacity, job.duplicates.similarity)


class State:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.ledger = directory / "ledger.sqlite"
        self.log = directory / "log" / "workers.log"
        """What the workers say where no other log file is named."""
        self._frontier = directory / "frontier.sqlite"
        self._memory = directory / "memory.sqlite"
        self._early = directory / "early.sqlite"
        self._note = directory / "shared.json"

    @property
    def exists(self) -> bool:
        return self._frontier.exists() or self._note.exists()

    def files(self) -> tuple[int, ...]:
        """Tells the files of this crawl from those of another one that was begun here after it."""
        return tuple(path.stat().st_ino for path in (self._frontier, self._memory, self._note) if path.exists())

    def create(self) -> None:
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StateError(f"cannot make the state directory {self.directory}: {error.strerror}") from None

    def note(self, worker: str) -> Path:
        """Where a worker notes what it is reading."""
        return self.directory / "reading" / worker

    def log_size(self) -> int:
        """Bytes in the workers' log."""
        try:
            return self.log.stat().st_size
        except OSError:
            return 0

    def open_frontier(self, job: Job) -> Frontier:
        """The embedded one, or the shared one that the job names, or that it named when this state was made."""
        if job.frontier is None:
            shared = Shared.load(self._note)
        elif self._frontier.exists():
            raise StateError(f"{self.directory} holds a crawl with a frontier of its own: choose another --state")
        else:
            shared = Shared(job.frontier, shared_name(job))
        if shared is None:
            return SqliteFrontier(self._frontier, JobPoliteness(job=job), frontier_limits(job))
        frontier = shared.frontier(JobPoliteness(job=job), frontier_limits(job))
        shared.save(self._note)  # not before: what is no server is not to be remembered
        return frontier

    def forget_server(self) -> None:
        """The crawl has not begun: the next try may name another server, or none."""
        self._note.unlink(missing_ok=True)

    def open_sinks(self, job: Job, worker: str) -> list[Sink]:  # noqa: ARG002 - the workers share their outputs
        return [open_sink(uri, self.ledger) for uri in job.outputs]

    def open_aside(self, job: Job, worker: str) -> Sink | None:  # noqa: ARG002
        return open_sink(self.aside(job), self.ledger) if job.checks else None

    def aside(self, job: Job) -> str:
        return job.set_aside or str(self.directory / "set-aside.jsonl")

    def open_duplicates(self, job: Job) -> Duplicates | None:
        if job.duplicates.mode == "off":
            return None
        from nephila.dedupe import FileDuplicates

        return FileDuplicates(self.directory / "duplicates", duplicate_limits(job))

    def output_totals(self, uri: str) -> tuple[int | None, int | None]:
        """Records and bytes that an output holds; None where nobody can tell. May ask a database."""
        name = uri if "://" in uri else output_name(uri)
        for known, records, size in self.outputs():
            if known == name:
                return records, size
        return count_records(uri, self.ledger), None

    def outputs(self) -> list[tuple[str, int, int]]:
        """Each output with its records and bytes."""
        return [(name, total.records, total.size) for name, total in output_totals(self.ledger).items()]

    def open_early(self) -> EarlyPages:
        return EarlyPages(self._early)

    @property
    def holds_early(self) -> bool:
        """Whether pages may have been kept to be read at the end."""
        return self._early.exists()

    def open_memory(self) -> Memory:
        shared = Shared.load(self._note)
        return SqliteMemory(self._memory) if shared is None else shared.memory()

    def lock(self) -> int:
        """Holds the state for one supervisor and its workers (they inherit the descriptor): returns the descriptor."""
        path = self.directory / "lock"
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StateError(
                f"cannot write the state directory {self.directory}: {error.strerror}; choose another --state"
            ) from None
        deadline = time.monotonic() + _LOCK_PATIENCE
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                owner = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
                if _alive(owner) or time.monotonic() > deadline:
                    os.close(descriptor)
                    raise StateError(
                        f"{self.directory} is in use by process {owner}: wait for it, or choose another --state"
                    ) from None
                time.sleep(0.1)
            else:
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, str(os.getpid()).encode(), 0)
                return descriptor

    def in_use(self) -> bool:
        """Whether a supervisor or one of its workers holds the state now."""
        try:
            descriptor = os.open(self.directory / "lock", os.O_RDWR)
        except OSError:
            return False
        try:
            # Shared: two who look at the same moment must not take each other for a crawl.
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        else:
            return False
        finally:
            os.close(descriptor)


def _alive(pid: str) -> bool:
    if not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
