"""One worker: claims pages, has them fetched and read, and delivers what is in them, till the frontier is drained.

On one machine it lives in a process of its own (`worker_process`), in a cluster in a station.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.crawler import AsyncCrawlerRunner

from nephila.crawling.blame import Deaths, Note
from nephila.crawling.early import EarlyPages
from nephila.crawling.inspection import Inspection
from nephila.crawling.orders import DRAIN, EXIT_DONE, EXIT_FATAL, EXIT_UNFINISHED, FATAL
from nephila.crawling.segments import Segments
from nephila.crawling.state import State, Stores
from nephila.crawling.steering import Steering
from nephila.errors import ConfigError, NephilaError
from nephila.fetch.client import Client
from nephila.fetch.discovery import Discovery
from nephila.fetch.identity import client_options, user_agent
from nephila.fetch.leases import LeaseKeeper
from nephila.fetch.parts import FetchParts, RobotsParts
from nephila.fetch.politeness import JobPoliteness
from nephila.fetch.robots import RobotsCache
from nephila.fetch.robotstxt import RobotsFetcher
from nephila.fetch.settings import in_flight, may_render, scrapy_settings, share_of
from nephila.fetch.spider import NephilaSpider
from nephila.forum import Guide
from nephila.frontier.base import Lease
from nephila.job import Job
from nephila.memory import Memory
from nephila.pipeline import Pipeline
from nephila.reading import Reader
from nephila.sinks import Sink
from nephila.telemetry import Counters, Metric, publishing
from nephila.telemetry.prometheus import serve_metrics
from nephila.telemetry.tracing import start_tracing
from nephila.urls import origin

if TYPE_CHECKING:  # few crawls draw pages or log in
    from nephila.fetch.login import Member
    from nephila.rendering import Renderer

logger = logging.getLogger(__name__)

_LEARN_SECONDS = 1.0
_DRAIN_GRACE = 20.0
_ROBOTS_PAUSE = 2.0
"""Before a robots.txt that could not be had is asked for again; doubles. With four attempts, a dead site takes 14 s."""


class Worker:
    """The parts of a worker and their life; Scrapy runs in the middle of it."""

    def __init__(
        self,
        job: Job,
        stores: Stores,
        name: str,
        label: str,
        *,
        fence: Callable[[], bool] = lambda: True,
        early: EarlyPages | None = None,
        note: Note | None = None,
        peers: int = 1,
    ) -> None:
        """`peers`: workers that share the crawl with equal right, this one included."""
        self.job, self.name = job, name
        self._peers = peers
        alone = peers == 1 and job.frontier is None and isinstance(stores, State)
        self._stores = stores
        self.draining = False
        self.counters = Counters(label)
        self.memory = stores.open_memory()
        self.frontier = stores.open_frontier(job)
        self.client = Client(client_options(job))
        self.keeper = LeaseKeeper(
            self.frontier, name, concurrency=in_flight(job), lease_seconds=job.limits.lease, fence=fence
        )
        self.discovery = Discovery(job, self._trapped)
        self.sinks: list[Sink] = stores.open_sinks(job, name)
        self.keeper.on_outage.append(self.discovery.forget)
        self.duplicates = stores.open_duplicates(job)
        aside = stores.open_aside(job, name)
        inspection = Inspection(job, self.duplicates, self.counters)
        self.segments = Segments(self.keeper, self.sinks, self.counters, inspection, aside)
        self.aside = [aside] if aside is not None else []
        self.reader = Reader(job, self.memory)
        self.early = early
        note = note or Note()
        self.deaths = Deaths(self.memory, watched=note.kept)
        self.member = _member(job, self.client, self.memory)
        self.guide = Guide(self.memory, mode=job.forum, member=job.login is not None)
        self.steering = None
        if job.reads_forums:
            self.steering = Steering(self.guide, self.memory, self.discovery, self.keeper, alone=alone)
        self.pipeline = Pipeline(
            job,
            self.keeper,
            self.discovery,
            self.segments,
            self.counters,
            self.memory,
            self.reader,
            self.early,
            self.steering,
            self.member,
            note,
            self.deaths,
        )
        fetcher = RobotsFetcher(self.client, job)
        self.renderer = self._make_renderer() if may_render(job) else None
        self.parts = FetchParts(
            job=job,
            client=self.client,
            keeper=self.keeper,
            politeness=JobPoliteness(job=job),
            robots=RobotsParts(RobotsCache(self.memory, fetcher, first_pause=_ROBOTS_PAUSE), fetcher, user_agent(job))
            if job.politeness.robots
            else None,
            on_answer=self.pipeline.answered,
            on_failure=self.pipeline.failures.failed,
            on_sitemaps=self._sitemaps,
            condemns=self.deaths.condemns,
            draw=self.renderer.draw if self.renderer is not None else None,
            judge=self.pipeline.worth.judge,
            reads_first=self.steering.reads_first if self.steering is not None else None,
            on_unwanted=self.pipeline.worth.unwanted,
        )

        self._runner = AsyncCrawlerRunner(scrapy_settings(self.parts))

    def _make_renderer(self) -> Renderer:
        from nephila.rendering import Renderer

        return Renderer(self.job, self.client, self.memory, lambda: self.counters.add(Metric.RENDERED))

    def _trapped(self, reason: str, _url: str) -> None:
        self.counters.add(Metric.TRAPS, label=reason)

    def _sitemaps(self, lease: Lease, named: list[str]) -> None:
        """Where a site lists its pages: what its robots.txt names, else the usual place, for the sites of the seeds."""
        if not self.job.scope.sitemaps or not self.discovery.scope.allows(lease.url):
            return
        entries = [self.discovery.source(url, "sitemap", 0) for url in named]
        if not named and lease.depth == 0:
            entries = [self.discovery.source(f"{origin(lease.url)}/sitemap.xml", "sitemap", 0, guessed=True)]
        self.keeper.found([entry for entry in entries if entry is not None], lease)

    def drain(self, grace: float = _DRAIN_GRACE) -> None:
        """No more claims; what is under way may end within the grace time."""
        self.draining = True
        self.counters.state = "draining"
        self.keeper.drain()
        asyncio.get_running_loop().call_later(grace, self._stop)

    def abandon(self) -> None:
        """This worker counts as dead to the others: it asks no host any more, hangs up, and comes to its end."""
        self.draining = True
        self.counters.state = "draining"
        self.keeper.abandon()
        self._hanging_up = asyncio.create_task(self._hang_up())
        self._stop()

    async def _hang_up(self) -> None:
        await self.client.close()
        if self.renderer is not None:
            await self.renderer.close()

    def _stop(self) -> None:
        self._stopping = asyncio.create_task(self._runner.stop())

    async def run(self) -> int:
        """Works till the end; returns the exit status."""
        try:
            return await self._run()
        except ConfigError as error:  # nobody can log in with what the job says
            memory = self._stores.open_memory()
            await memory.put(FATAL, self.name, str(error).encode())
            await memory.close()
            return EXIT_FATAL

    async def _run(self) -> int:
        self.counters.state = "running"
        background = [asyncio.create_task(self.segments.flush_forever()), asyncio.create_task(self._learn_forever())]
        async with publishing(self.memory, self.counters):
            try:
                await self.deaths.learn()
                if self.member is not None:
                    await self.member.enter()
                await self._runner.crawl(NephilaSpider, parts=self.parts)
            finally:
                await self._finish(background)
        # Scrapy ends a spider whose start fails (the frontier's disk is full, say) as it ends one that is done.
        ended_well = self.draining or await self.frontier.drained()
        await self.frontier.close()
        await self.memory.close()
        if self.early is not None:
            await self.early.close()
        if self.segments.broken is not None:
            return EXIT_FATAL
        return EXIT_DONE if ended_well else EXIT_UNFINISHED

    async def _learn_forever(self) -> None:
        while True:
            await asyncio.sleep(_LEARN_SECONDS)
            self.counters.set(Metric.IN_FLIGHT, self.keeper.under_way)
            try:
                await self._leave_room()
                await self.pipeline.learn()
                await self.deaths.learn()
                await self.guide.share()
                await self.pipeline.go_on()
            except (NephilaError, OSError) as error:
                logger.warning("what other workers have learned could not be read, trying again: %s", error)

    async def _leave_room(self) -> None:
        """Few hosts have room for few requests: the first worker to come must not take it all."""
        if self._peers > 1:
            hosts = (await self.frontier.stats()).hosts
            share, ahead = share_of(self.job, hosts, self._peers)
            self.keeper.resize(share, ahead=ahead)

    async def _finish(self, background: Sequence[asyncio.Task[None]] = ()) -> None:
        """Whatever of it fails, or breaks it off: the leases go back, then all is closed, the last named first."""
        async with AsyncExitStack() as end:
            end.push_async_callback(self.client.close)
            if self.renderer is not None:
                end.push_async_callback(self.renderer.close)
            for sink in self.sinks:
                end.push_async_callback(asyncio.to_thread, sink.close)
            end.callback(self._count_as_done)
            end.push_async_callback(self.keeper.give_back)
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await self._finish_reading()

    async def _finish_reading(self) -> None:
        try:
            await self.guide.share()
        except (NephilaError, OSError) as error:
            logger.warning("what was learned of forums could not be told to the others: %s", error)
        await self.pipeline.go_on(ending=True)
        await self.reader.close()
        await self.pipeline.refine()
        await self.segments.finish()
        if self.segments.broken is not None:
            await self.memory.put(FATAL, self.name, str(self.segments.broken).encode())

    def _count_as_done(self) -> None:
        self.counters.state = "done"
        self.counters.set(Metric.IN_FLIGHT, 0)


def _listen(loop: asyncio.AbstractEventLoop, drain: Callable[[], None]) -> None:
    """Follows standard input in a thread of its own, so that a busy loop cannot miss the supervisor's end."""
    for line in sys.stdin.buffer:
        if line.strip() == DRAIN:
            loop.call_soon_threadsafe(drain)
    os._exit(1)  # the supervisor is gone: what is not acked is fetched again by the next one


def _member(job: Job, client: Client, memory: Memory) -> Member | None:
    if job.login is None:
        return None
    from nephila.fetch.browser import BrowserPool
    from nephila.fetch.login import Member
    from nephila.rendering import browser_options

    return Member(job, client, memory, lambda: BrowserPool(browser_options(job)))


def _worker(job: Job, state: State, order: dict[str, Any]) -> Worker:
    # Early pages of a run that was killed are delivered even when this one keeps none.
    early = state.open_early() if job.refine or state.holds_early else None
    return Worker(
        job, state, order["name"], order["label"], early=early, note=Note(state.note(order["name"])), peers=job.workers
    )


async def work(order: dict[str, Any]) -> int:
    """Does as ordered; returns the exit status."""
    state = State(Path(order["state"]))
    try:
        worker = _worker(Job.from_dict(order["job"]), state, order)
        if order.get("metrics"):
            serve_metrics(order["metrics"], lambda: [worker.counters.snapshot()])
    except NephilaError as error:
        memory = state.open_memory()
        await memory.put(FATAL, order["name"], str(error).encode())
        await memory.close()
        return EXIT_FATAL
    loop = asyncio.get_running_loop()
    threading.Thread(target=_listen, args=(loop, worker.drain), daemon=True).start()
    traces = start_tracing(order["label"])
    status = await worker.run()
    if traces is not None:
        await asyncio.to_thread(traces.shutdown)
    return status
