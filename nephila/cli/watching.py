"""The work of `nephila top`: reads what the workers publish, and draws it with the crawl's own screen."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import typer

from nephila.errors import StateError
from nephila.job import Job
from nephila.state import State
from nephila.telemetry import Progress, Screen, collect
from nephila.telemetry.screen import plain_line


async def watch(directory: Path, every: float, *, once: bool) -> None:
    state = State(directory)
    if not state.exists:
        raise StateError(f"{directory} holds no crawl: name the directory that was given to --state")
    frontier, memory = state.open_frontier(Job()), state.open_memory()
    progress = Progress()
    try:
        progress.update(await collect(memory), await frontier.stats())
        if once:
            typer.echo(plain_line(progress))
            return
        with Screen(progress, title=str(directory)) as screen, suppress(KeyboardInterrupt, asyncio.CancelledError):
            while state.in_use():
                progress.update(await collect(memory), await frontier.stats())
                screen.refresh()
                await asyncio.sleep(every)
        typer.echo(plain_line(progress))
    finally:
        await frontier.close()
        await memory.close()
