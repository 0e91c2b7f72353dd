"""`nephila status`: a running or finished crawl, from its state directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def status(
    state: Annotated[Path, typer.Option("--state", metavar="DIR", help="The crawl's state directory.")],
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    hosts: Annotated[int, typer.Option("--hosts", metavar="N", help="Show the N hosts with the longest queues.")] = 5,
) -> None:
    """Show how far a crawl is: queue, workers, hosts, errors. Works while it runs and afterwards."""
    import asyncio

    from nephila.cli.looking import look, show

    picture = asyncio.run(look(state, hosts))
    if json:
        import orjson

        typer.echo(orjson.dumps(picture, option=orjson.OPT_INDENT_2).decode())
    else:
        show(picture)
