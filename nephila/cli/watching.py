"""The work of `nephila top`: reads what the workers publish, and draws it with the crawl's own screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import typer

from nephila.crawling.state import State
from nephila.errors import StateError
from nephila.frontier import Frontier
from nephila.job import Job
from nephila.memory import Memory
from nephila.telemetry import Progress, Screen, collect
from nephila.telemetry.screen import plain_line


@dataclass(frozen=True, slots=True)
class Watched:
    """A crawl that somebody looks at."""

    title: str
    frontier: Frontier
    memory: Memory
    running: Callable[[], Awaitable[bool]]


async def watch_state(directory: Path, every: float, *, once: bool) -> None:
    async with _of_this_machine(directory) as watched:
        await _watch(watched, every, once=once)


async def watch_job(redis: str, name: str, every: float, *, once: bool) -> None:
    async with _of_a_cluster(redis, name) as watched:
        await _watch(watched, every, once=once)


async def _watch(watched: Watched, every: float, *, once: bool) -> None:
    progress = Progress()

    async def look() -> None:
        progress.update(await collect(watched.memory), await watched.frontier.stats())

    await look()
    if once:
        typer.echo(plain_line(progress))
        return
    with Screen(progress, title=watched.title) as screen, suppress(KeyboardInterrupt, asyncio.CancelledError):
        while await watched.running():
            await look()
            screen.refresh()
            await asyncio.sleep(every)
    await look()  # the last pages came since
    typer.echo(plain_line(progress))


@asynccontextmanager
async def _of_this_machine(directory: Path) -> AsyncIterator[Watched]:
    state = State(directory)
    if not state.exists:
        raise StateError(f"{directory} holds no crawl: name the directory that was given to --state")
    frontier, memory = state.open_frontier(Job()), state.open_memory()

    async def running() -> bool:
        return state.in_use()

    try:
        yield Watched(str(directory), frontier, memory, running)
    finally:
        await frontier.close()
        await memory.close()


@asynccontextmanager
async def _of_a_cluster(redis: str, name: str) -> AsyncIterator[Watched]:
    from nephila.cli.places import place
    from nephila.cluster.registry import Registry

    there = place(redis)
    jobs = there.registry_memory()
    try:
        registry = Registry(jobs)
        submission = await registry.get(name)
        stores = there.job(name)
        frontier, memory = stores.open_frontier(submission.read()), stores.open_memory()

        async def running() -> bool:
            return (await registry.get(name)).state == "running"

        try:
            yield Watched(name, frontier, memory, running)
        finally:
            await frontier.close()
            await memory.close()
    finally:
        await jobs.close()
