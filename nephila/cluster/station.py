"""A station: the process behind `nephila worker`. Serves every running job, joins the cluster, recovers for the dead.

It looks at the registry a few times a second and makes its shifts match: one for each running job, of the job's newest
revision, under its own present name. While it is the master it also frees what dead workers held. Redis or ZooKeeper
may be away for a while: it says so, holds on, and goes on when they are back.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from kazoo.exceptions import KazooException

from nephila.cluster.address import ZooKeeperAddress
from nephila.cluster.dedicated import DedicatedShift
from nephila.cluster.place import Place
from nephila.cluster.presence import Presence, new_name
from nephila.cluster.recovery import Recovery
from nephila.cluster.registry import Registry, Submission
from nephila.cluster.sharing import shares
from nephila.cluster.shift import Ending, Life, SharedShift, Shift
from nephila.errors import NephilaError
from nephila.telemetry.gathered import Gathered
from nephila.telemetry.prometheus import serve_metrics

logger = logging.getLogger(__name__)

_TURN = 0.5
_RECOVERY_SECONDS = 5.0
"""The master looks this often even when nobody told it: a watch can be lost with its connection."""
_BEAT_SECONDS = 2.0
_FIRST_PAUSE = 0.5
_MAX_PAUSE = 30.0
_FAREWELL = 10.0
"""Seconds beyond the grace time for the last commit and the release."""
_LEFT_BEHIND = "what it held is fetched by others when its leases expire"


@dataclass(frozen=True, slots=True)
class StationOptions:
    concurrency: int = 32
    """Requests in flight, over all jobs."""
    grace: float = 20.0
    """Seconds for what is under way when it is told to stop."""
    session: float = 6.0
    """Seconds after its death within which the others know of it."""
    alive_file: Path | None = None
    """Touched every two seconds, for health checks."""
    metrics: str | None = None
    """host:port for Prometheus."""


@dataclass(slots=True)
class _Trouble:
    """A job that failed here, and when it is tried again."""

    pause: float
    until: float


class Station:
    def __init__(self, place: Place, coordinator: ZooKeeperAddress | None, options: StationOptions) -> None:
        self._place, self._options = place, options
        self._memory = place.registry_memory()
        self._registry = Registry(self._memory)
        self._figures = Gathered(f"{socket.gethostname()}-{os.getpid()}")
        self._presence = None if coordinator is None else self._make_presence(coordinator)
        self._recovery = None if self._presence is None else Recovery(place, self._presence)
        self._alone = Life(new_name(), lambda: True)
        self._shifts: dict[str, tuple[Shift, asyncio.Task[Ending]]] = {}
        self._trouble: dict[str, _Trouble] = {}
        self._numbers = 0
        self._wake = asyncio.Event()
        self._stopped = asyncio.Event()
        self._running: dict[str, Submission] = {}
        self._look_after_the_dead = asyncio.Event()

    def _make_presence(self, coordinator: ZooKeeperAddress) -> Presence:
        loop = asyncio.get_running_loop()
        return Presence(
            coordinator,
            session_seconds=self._options.session,
            facts={"pid": os.getpid(), "since": time.time()},
            on_lost=lambda name: _call(loop, self._lost, name),
            on_change=lambda: _call(loop, self._members_changed),
        )

    # -- life ------------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Works until it is told to stop, by SIGTERM or Ctrl-C."""
        self._listen()
        with ExitStack() as stack:
            if self._options.metrics is not None:
                endpoint = serve_metrics(self._options.metrics, lambda: [self._figures.snapshot()])
                stack.callback(endpoint.close)
                logger.info("metrics at http://%s/metrics", endpoint.address)
            await self._serve()

    async def _serve(self) -> None:
        if self._presence is not None:
            await asyncio.to_thread(self._presence.start)
        logger.info("ready for jobs")
        aside = [asyncio.create_task(self._beat()), asyncio.create_task(self._recover_forever())]
        try:
            await self._turn_until_stopped()
            await self._drain()
        finally:
            for task in aside:
                task.cancel()
            if self._presence is not None:
                await asyncio.to_thread(self._presence.close)
            if self._recovery is not None:
                await self._recovery.close()
            await self._memory.close()

    async def _turn_until_stopped(self) -> None:
        stopped = asyncio.create_task(self._stopped.wait())
        while not stopped.done():
            turn = asyncio.create_task(self._try_turn())
            # A turn may wait for a server that is away; being told to stop may not.
            await asyncio.wait([turn, stopped], return_when=asyncio.FIRST_COMPLETED)
            turn.cancel()
            with suppress(TimeoutError):
                async with asyncio.timeout(_TURN):
                    await self._wake.wait()
            self._wake.clear()

    async def _beat(self) -> None:
        while self._options.alive_file is not None:
            self._options.alive_file.touch()
            await asyncio.sleep(_BEAT_SECONDS)

    def stop(self) -> None:
        if self._stopped.is_set():
            os._exit(1)  # told twice: what is not acked is fetched again by another
        self._stopped.set()
        self._wake.set()

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)

    async def _drain(self) -> None:
        for shift, _ in self._shifts.values():
            shift.drain(self._options.grace)
        tasks = [task for _, task in self._shifts.values()]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=self._options.grace + _FAREWELL)
            for task in late:
                task.cancel()
            if late:
                # A worker that is broken off still gives its leases back.
                await asyncio.wait(late, timeout=_FAREWELL)
        self._answer_for_shifts()

    def _answer_for_shifts(self) -> None:
        """A stop that may have left leases behind is no good one."""
        for identity, (_, task) in self._shifts.items():
            if not task.done():
                raise NephilaError(f"job {identity} did not come to its end here: {_LEFT_BEHIND}")
            error = None if task.cancelled() else task.exception()
            if error is not None:
                raise NephilaError(f"job {identity} did not end well here: {error}; {_LEFT_BEHIND}") from error

    # -- one turn --------------------------------------------------------------------------------------------------

    async def _try_turn(self) -> None:
        try:
            await self._turn()
        except (NephilaError, KazooException, OSError) as error:
            logger.warning("holding on, trying again: %s", error)

    async def _turn(self) -> None:
        running = await self._registry.running()
        life = self._life()
        await self._reap()
        for identity, (shift, _) in self._shifts.items():
            wanted = running.get(identity)
            if wanted is None or wanted.revision != shift.submission.revision or shift.life is not life:
                shift.drain(self._options.grace)
        for submission in running.values():
            if await self._is_overdue(submission):
                continue
            if life is not None and submission.id not in self._shifts:
                self._start(submission, life)
        self._share_out()
        self._running = running

    def _life(self) -> Life | None:
        """Who we are now; None while we are nobody."""
        if self._presence is None:
            return self._alone
        name, presence = self._presence.name, self._presence
        if name is None:
            return None
        if self._alone.name != name:
            self._alone = Life(name, lambda: presence.may_act(name))
        return self._alone

    def _start(self, submission: Submission, life: Life) -> None:
        trouble = self._trouble.get(submission.id)
        if trouble is not None and time.monotonic() < trouble.until:
            return
        self._numbers += 1
        stores = self._place.job(submission.id)
        try:
            if submission.job.get("assignment") != "dedicated":
                shift: Shift = SharedShift(submission, stores, life, self._numbers, self._figures)
            elif self._presence is not None:
                client, root = self._presence.client, self._presence.root
                shift = DedicatedShift(submission, stores, life, self._numbers, self._figures, client, root)
            else:
                raise NephilaError("a dedicated job needs a coordinator: start workers with --coordinator")
        except NephilaError as error:
            self._suffer(submission.id, str(error))
            return
        self._shifts[submission.id] = (shift, asyncio.create_task(shift.run()))

    async def _reap(self) -> None:
        """Looks at shifts that have ended."""
        for identity, (shift, task) in list(self._shifts.items()):
            if not task.done():
                continue
            del self._shifts[identity]
            error = task.exception()
            if error is not None or task.result() is Ending.FAILED:
                self._suffer(identity, shift.error or (str(error) if error else "it ended too soon"), error)
                continue
            self._trouble.pop(identity, None)
            if task.result() is Ending.DONE:
                revision = shift.submission.revision
                await self._registry.move(identity, "done", among=("running",), revision=revision)
                logger.info("job %s is done", identity)

    def _suffer(self, identity: str, reason: str, error: BaseException | None = None) -> None:
        known = self._trouble.get(identity)
        pause = min(_MAX_PAUSE, known.pause * 2) if known else _FIRST_PAUSE
        self._trouble[identity] = _Trouble(pause, time.monotonic() + pause)
        unexpected = error if error is not None and not isinstance(error, NephilaError | OSError) else None
        logger.error("job %s failed here, next try in %.1f s: %s", identity, pause, reason, exc_info=unexpected)

    async def _is_overdue(self, submission: Submission) -> bool:
        limit = (submission.job.get("limits") or {}).get("max_time")
        if limit is None or time.time() < submission.changed + limit:
            return False
        await self._registry.move(submission.id, "paused", among=("running",), note="max_time is over")
        return True

    def _share_out(self) -> None:
        wanted = {identity: shift.wanted for identity, (shift, _) in self._shifts.items()}
        for identity, share in shares(self._options.concurrency, wanted).items():
            self._shifts[identity][0].resize(share)

    # -- the coordinator's news ------------------------------------------------------------------------------------

    def _lost(self, name: str) -> None:
        for shift, _ in self._shifts.values():
            if shift.life.name == name:
                shift.abandon()
        self._wake.set()

    def _members_changed(self) -> None:
        self._look_after_the_dead.set()

    async def _recover_forever(self) -> None:
        """Beside the turns, so that nothing of them holds it up."""
        while self._recovery is not None and self._presence is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_RECOVERY_SECONDS):
                    await self._look_after_the_dead.wait()
            self._look_after_the_dead.clear()
            try:
                if self._presence.is_master:
                    await self._recovery.run(self._running.values())
            except (NephilaError, KazooException, OSError) as error:
                logger.warning("what the dead held could not be given back, trying again: %s", error)
                await asyncio.sleep(_TURN)
                self._look_after_the_dead.set()


def _call(loop: asyncio.AbstractEventLoop, function: Callable[..., None], *args: str) -> None:
    with suppress(RuntimeError):  # the loop is closed: nobody is interested any more
        loop.call_soon_threadsafe(function, *args)
