"""`nephila pause`, `resume`, `cancel`: the state of a job in a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nephila.cli.places import Frontier, place

if TYPE_CHECKING:
    from nephila.cluster.registry import JobState

_Name = Annotated[str, typer.Argument(metavar="JOB", help="As `nephila submit` named it.")]


def pause(job: _Name, frontier: Frontier) -> None:
    """Let the workers finish what they have of a job, and begin nothing new."""
    _move(frontier, job, "paused")


def resume(job: _Name, frontier: Frontier) -> None:
    """Let a paused job go on where it was."""
    _move(frontier, job, "running")


def cancel(job: _Name, frontier: Frontier) -> None:
    """End a job for good; what it has finished stays in the spools and can be exported."""
    _move(frontier, job, "cancelled")


def _move(frontier: str, job: str, state: JobState) -> None:
    import asyncio

    from nephila.cluster.commanding import move

    found = asyncio.run(move(place(frontier), job, state))
    typer.echo(f"{found.id}: {found.state}")
