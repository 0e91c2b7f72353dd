"""`nephila top`: a running crawl in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nephila.cli.places import OfACluster
from nephila.errors import ConfigError


def top(
    job: Annotated[
        str | None, typer.Argument(metavar="JOB", help="A job of a cluster, with --frontier.", show_default=False)
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option("--state", metavar="DIR", help="The state directory of a crawl of this machine."),
    ] = None,
    frontier: OfACluster = None,
    every: Annotated[float, typer.Option("--every", metavar="SECONDS", min=0.2, help="Between two looks.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Print the figures once, and end.")] = False,
) -> None:
    """Watch a crawl live, from another terminal: speed, queue, workers, errors. Ends with the crawl, or with Ctrl-C.

    \b
    nephila top --state .nephila/example.org-1a2b3c4d
    nephila top news --frontier redis://queue.lan
    """
    import asyncio

    from nephila.cli.watching import watch_job, watch_state

    if state is not None and job is None:
        asyncio.run(watch_state(state, every, once=once))
    elif job is not None and frontier is not None and state is None:
        asyncio.run(watch_job(frontier, job, every, once=once))
    else:
        raise ConfigError("name what to watch: --state DIR, or a JOB of a cluster and its --frontier")
