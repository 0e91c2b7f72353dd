"""`nephila status`: a running or finished crawl, from its state directory; or the jobs of a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable


def status(
    job: Annotated[str | None, typer.Argument(metavar="JOB", help="One job of the cluster.")] = None,
    state: Annotated[Path | None, typer.Option("--state", metavar="DIR", help="The crawl's state directory.")] = None,
    frontier: Annotated[
        str | None,
        typer.Option("--frontier", metavar="redis://HOST:PORT", envvar="NEPHILA_FRONTIER", help="The cluster's Redis."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    hosts: Annotated[int, typer.Option("--hosts", metavar="N", help="Show the N hosts with the longest queues.")] = 5,
) -> None:
    """Show how far a crawl is: queue, workers, hosts, errors. Works while it runs and afterwards.

    With --state, of a crawl on this machine; with --frontier, of all jobs of a cluster, or of JOB.
    """
    import asyncio

    from nephila.errors import ConfigError

    if state is not None:
        from nephila.cli.looking import look, show

        picture: Any = asyncio.run(look(state, hosts))
        shown: Callable[[Any], None] = show
    elif frontier is not None:
        from nephila.cli.jobs_shown import look_at, show_jobs

        picture, shown = asyncio.run(look_at(frontier, job, hosts)), show_jobs
    else:
        raise ConfigError("name the crawl: --state DIR, or --frontier redis://... for the jobs of a cluster")
    if json:
        import orjson

        typer.echo(orjson.dumps(picture, option=orjson.OPT_INDENT_2).decode())
    else:
        shown(picture)
