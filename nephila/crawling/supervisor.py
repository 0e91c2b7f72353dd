"""The supervisor of a crawl on one machine: prepares its state, runs the workers, replaces the dead, knows the end.

Workers are processes of their own (`worker_process`), each under the same frontier. They are told to drain over their
standard input; when the supervisor dies, however it dies, that stream ends and they stop.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import IO, Any
from urllib.parse import urlsplit

import orjson

from nephila.crawling.blame import count_deaths, left_behind
from nephila.crawling.orders import DRAIN, EXIT_DONE, EXIT_FATAL, FATAL
from nephila.crawling.state import State
from nephila.errors import ConfigError, NephilaError, SinkError, StateError
from nephila.fetch.addresses import is_public, literal_addresses
from nephila.fetch.discovery import Discovery, seed_entries
from nephila.frontier import Entry, Frontier
from nephila.job import Job
from nephila.memory import Memory
from nephila.quality import build_checkpoints
from nephila.sinks import open_sink
from nephila.telemetry.prometheus import neighbour
from nephila.urls import canonicalize

logger = logging.getLogger(__name__)

# A worker makes and frees a tree of megabytes for each page: given back to the system and faulted in again every time,
# it costs some percent of the CPU.
_MEMORY = {"MALLOC_TRIM_THRESHOLD_": "134217728", "MALLOC_TOP_PAD_": "16777216", "MALLOC_MMAP_THRESHOLD_": "4194304"}

_TURN = 0.2
_PROOF_SECONDS = 5.0
_MAX_FRUITLESS = 5
"""Deaths in a row of one worker's place between which the crawl has not come a page further."""


@dataclass(slots=True)
class _Slot:
    """A place for a worker; its processes come and go."""

    index: int
    process: asyncio.subprocess.Process | None = None
    name: str = ""
    generation: int = 0
    fruitless: int = 0
    done_before: int = 0
    done: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    finished: bool
    """The frontier is drained (or max_pages reached); False when stopped early, to be resumed."""
    interrupted: bool
    left: int
    """URLs still queued: what `max_pages` left out, or a resume would fetch."""
    idle: bool = False
    """There was nothing to do: the crawl had been complete before, or nothing was due for another visit."""
    refused: int = 0
    """Links that wait for their family to earn them."""
    restarts: int = 0
    """Workers that were replaced. Counted here: a new one may find nothing left to do, and say nothing."""


@dataclass(slots=True)
class Supervisor:
    job: Job
    state: State
    recrawl: bool = False
    overwrite: bool = False
    logging: dict[str, Any] = field(default_factory=dict)
    """Level, format and file of the workers' log; without a file, the state's own."""
    signals: bool = True
    """Take Ctrl-C and SIGTERM as `_signals` says; off where another program owns them."""
    on_turn: Callable[[Memory, Frontier], Awaitable[None]] | None = None
    """Called about five times a second: the screen, or a stream's reader."""
    notice: Callable[[str], None] = logger.warning
    """Told what a person at the terminal should know at once."""
    _slots: list[_Slot] = field(default_factory=list)
    _draining: bool = False
    _interrupts: int = 0
    _lock: int = -1
    _run: str = field(default_factory=lambda: f"{int(time.time()):x}{os.urandom(2).hex()}")

    async def run(self) -> Outcome:
        started = time.monotonic()
        self._check()
        resumed = self.state.exists
        self.state.create()
        self._lock = self.state.lock()
        frontier, memory = self.state.open_frontier(self.job), self.state.open_memory()
        try:
            await self._begin(frontier, memory, resumed=resumed)
            idle = resumed and await frontier.drained() and not await self._early_are_left()
            if not idle:
                async with self._signals():
                    await self._supervise(frontier, memory, started)
                await self._settle_outputs()
            if self.on_turn is not None:
                await self.on_turn(memory, frontier)
            stats = await frontier.stats()
            restarts = sum(slot.generation - 1 for slot in self._slots)
            drained = await frontier.drained()
            return Outcome(drained, self._interrupts > 0, stats.queued, idle, stats.refused, restarts)
        finally:
            await self._kill_all()
            await frontier.close()
            await memory.close()
            os.close(self._lock)

    # -- before the first fetch ------------------------------------------------------------------------------------

    def _check(self) -> None:
        if not self.job.seeds and not self.state.exists:
            raise ConfigError("nothing to crawl: give a URL, or `seeds` in the job file")
        check_seeds(self.job)

    async def _begin(self, frontier: Frontier, memory: Memory, *, resumed: bool) -> None:
        try:
            await self._prepare(frontier, memory)
        except NephilaError:
            if not resumed:
                self.state.forget_server()
            raise

    async def _prepare(self, frontier: Frontier, memory: Memory) -> None:
        build_checkpoints([rule.model_dump() for rule in self.job.checks])  # a wrong one is told before the first fetch
        for uri in (*self.job.outputs, *([self.state.aside(self.job)] if self.job.checks else [])):
            sink = await asyncio.to_thread(open_sink, uri, self.state.ledger, overwrite=self.overwrite)
            await asyncio.to_thread(sink.close)
        # We hold the lock, so who is in the list and of this state is dead: what they held is free at once.
        for name, facts in await memory.items("workers"):
            if orjson.loads(facts).get("home", self._home) == self._home:
                await self._bury(frontier, memory, name)
        if self.recrawl:
            await frontier.recrawl(time.time() + 1)  # due dates are kept in whole seconds, rounded up
            await frontier.add(await self._boards(memory))
        await frontier.add(seed_entries(self.job.seeds))

    async def _boards(self, memory: Memory) -> list[Entry]:
        """Forums are looked at again from their boards: those tell which threads have changed."""
        from nephila.forum import boards_again  # the rooms that read pages: half of the time that a start takes

        discovery = Discovery(self.job, lambda *_: None)
        entries = [discovery.guided(way, 1) for way in await boards_again(memory, time.time())]
        return [entry for entry in entries if entry is not None]

    async def _early_are_left(self) -> bool:
        """Whether a run that was killed has left pages that are fetched but not delivered."""
        if not self.state.holds_early:
            return False
        early = self.state.open_early()
        try:
            return not await early.empty()
        finally:
            await early.close()

    async def _settle_outputs(self) -> None:
        """Opening and closing an output writes out what workers that were killed had gathered for it."""
        for uri in self.job.outputs:
            sink = await asyncio.to_thread(open_sink, uri, self.state.ledger)
            await asyncio.to_thread(sink.close)

    # -- workers ---------------------------------------------------------------------------------------------------

    async def _supervise(self, frontier: Frontier, memory: Memory, started: float) -> None:
        self._slots = [_Slot(index) for index in range(self.job.workers)]
        for slot in self._slots:
            await self._start(slot, memory)
        deadline = started + self.job.limits.max_time if self.job.limits.max_time else None
        proven = 0.0
        while not all(slot.done for slot in self._slots):
            await asyncio.sleep(_TURN)
            for slot in self._slots:
                await self._look_after(slot, frontier, memory)
            if time.monotonic() - proven > _PROOF_SECONDS:
                # Workers wait out a state that cannot be written; where it stays so (a full disk), a person must know.
                await memory.put("supervisor", "alive", str(int(time.time())).encode())
                proven = time.monotonic()
            if deadline is not None and time.monotonic() > deadline:
                self._drain()
            if self._interrupts > 1:
                await self._kill_all()
            if self.on_turn is not None:
                await self.on_turn(memory, frontier)

    async def _start(self, slot: _Slot, memory: Memory) -> None:
        slot.generation += 1
        slot.name = f"{self._run}-{slot.index + 1}.{slot.generation}"
        await memory.put("workers", slot.name, orjson.dumps({"home": self._home}))
        with self._worker_stderr() as stderr:
            slot.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "nephila.crawling.worker_process",
                stdin=asyncio.subprocess.PIPE,
                stdout=None if "-" in self.job.outputs else asyncio.subprocess.DEVNULL,
                stderr=stderr,
                pass_fds=(self._lock,),
                env=_MEMORY | os.environ,
            )
        self._tell(slot, orjson.dumps(self._order(slot)))
        if self._draining:  # asked for while this one was being started
            self._tell(slot, DRAIN)
        facts = {"home": self._home, "pid": slot.process.pid, "since": time.time()}
        await memory.put("workers", slot.name, orjson.dumps(facts))

    @property
    def _home(self) -> str:
        """Tells the workers of this state from those of other machines, where the memory is shared."""
        return f"{socket.gethostname()}:{self.state.directory.resolve()}"

    def _worker_stderr(self) -> IO[bytes]:
        """What a worker says outside its log (a crash) must not tear the screen: it goes to the state's log."""
        try:
            self.state.log.parent.mkdir(parents=True, exist_ok=True)
            return self.state.log.open("ab", buffering=0)
        except OSError as error:
            raise StateError(f"cannot write {self.state.log}: {error.strerror}") from None

    def _order(self, slot: _Slot) -> dict[str, Any]:
        return {
            "job": self.job.model_dump(mode="json"),
            "state": str(self.state.directory),
            "name": slot.name,
            "label": f"worker-{slot.index + 1}",
            "metrics": neighbour(self.job.metrics, slot.index + 1) if self.job.metrics else None,
            "logging": {"level": "warning", **self.logging, "file": self.logging.get("file") or str(self.state.log)},
        }

    def _tell(self, slot: _Slot, line: bytes) -> None:
        if slot.process is not None and slot.process.stdin is not None and slot.process.returncode is None:
            slot.process.stdin.write(line + b"\n")

    async def _look_after(self, slot: _Slot, frontier: Frontier, memory: Memory) -> None:
        process = slot.process
        if slot.done or process is None or process.returncode is None:
            return
        status = process.returncode
        # Before its leases are free: whoever takes them should know.
        await count_deaths(memory, left_behind(self.state.note(slot.name)))
        await self._bury(frontier, memory, slot.name)
        if status == EXIT_FATAL:
            reason = await memory.get(FATAL, slot.name)
            raise SinkError((reason or b"an output cannot be written").decode())
        if status == EXIT_DONE or self._draining:
            slot.done = True
            return
        # A worker that somebody killed says nothing about the next one; one that cannot start will not learn to.
        done = (await frontier.stats()).done
        fruitless = done == slot.done_before and status != -signal.SIGKILL
        slot.fruitless, slot.done_before = slot.fruitless + 1 if fruitless else 0, done
        if slot.fruitless >= _MAX_FRUITLESS:
            raise NephilaError(f"workers keep dying (exit status {status}): see {self.state.log}")
        logger.warning("worker %s died (status %s): replacing it", slot.name, status)
        await asyncio.sleep(min(2.0, 0.1 * 2**slot.fruitless) if slot.fruitless > 1 else 0)
        await self._start(slot, memory)

    async def _bury(self, frontier: Frontier, memory: Memory, name: str) -> None:
        left_behind(self.state.note(name))  # of a program that was killed as a whole: no page is to blame for that
        await frontier.release(name)
        await memory.update("workers", name, lambda _: None)

    # -- the end ---------------------------------------------------------------------------------------------------

    def _drain(self) -> None:
        if not self._draining:
            self._draining = True
            for slot in self._slots:
                self._tell(slot, DRAIN)

    def _interrupted(self) -> None:
        self._interrupts += 1
        if self._interrupts == 1:
            self.notice("finishing what is under way; press Ctrl-C again to stop at once")
            self._drain()

    @asynccontextmanager
    async def _signals(self) -> AsyncIterator[None]:
        """Ctrl-C or SIGTERM once drains, twice stops at once. Only the main thread can hear signals."""
        loop = asyncio.get_running_loop()
        caught = []
        for number in (signal.SIGINT, signal.SIGTERM) if self.signals else ():
            try:
                loop.add_signal_handler(number, self._interrupted)
                caught.append(number)
            except (ValueError, RuntimeError):
                continue
        try:
            yield
        finally:
            for number in caught:
                loop.remove_signal_handler(number)

    def stop(self) -> None:
        """Drains, from Python."""
        self._drain()

    async def _kill_all(self) -> None:
        for slot in self._slots:
            if slot.process is not None and slot.process.returncode is None:
                slot.process.kill()
                await slot.process.wait()
            slot.done = True


def check_seeds(job: Job) -> None:
    """Raises ConfigError for a seed that could never be fetched."""
    for seed in job.seeds:
        url = canonicalize(seed)
        if url is None:
            raise ConfigError(f"{seed!r} is not an http or https URL")
        if not job.http.allow_private and _is_private(url):
            raise ConfigError(
                f"{seed} is a private address, and those are refused: pass --allow-private"
                " (http.allow_private in a job) if this is your own network"
            )


def _is_private(url: str) -> bool:
    """Whether the host says by itself that it is not public; what a name resolves to is the network guard's matter."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    addresses = literal_addresses(host)
    return addresses is not None and not all(map(is_public, addresses))
