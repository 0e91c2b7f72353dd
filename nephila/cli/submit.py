"""`nephila submit`: a job for the cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nephila.cli.places import Frontier, place


def submit(
    job: Annotated[Path, typer.Argument(metavar="JOB.TOML", help="The job file.")],
    frontier: Frontier,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Instead of the name in the job file.")
    ] = None,
) -> None:
    """Hand a job to the cluster's workers; they start at once.

    Submit it again under the same name to change it: new limits, delays and scope hold from then on, while it runs; a
    job that is done or paused goes on.

    \b
    nephila submit news.toml --frontier redis://queue.lan
    """
    import asyncio

    from nephila.cluster.commanding import submit as hand_in
    from nephila.job import Job

    found = asyncio.run(hand_in(place(frontier), Job.from_toml(job), name))
    verb = "submitted" if found.revision == 1 else f"changed (revision {found.revision})"
    typer.echo(f"{found.id}: {verb}")
