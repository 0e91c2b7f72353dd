"""`nephila dead`: the URLs that a crawl gave up, to read and to try again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="URLs that a crawl gave up: list them, or try them again.")

_State = Annotated[Path, typer.Option("--state", metavar="DIR", help="The crawl's state directory.")]


@app.command("list")
def list_dead(
    state: _State,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1)] = 100,
    json: Annotated[bool, typer.Option("--json", help="One JSON line each.")] = False,
) -> None:
    """List the URLs given up, each with its reason and the number of attempts."""
    import asyncio
    from dataclasses import asdict
    from datetime import UTC, datetime

    import orjson

    from nephila.cli.dead_letters import dead_letters

    letters = asyncio.run(dead_letters(state, limit))
    for letter in letters:
        if json:
            typer.echo(orjson.dumps(asdict(letter)).decode())
        else:
            when = datetime.fromtimestamp(letter.died_at, UTC).strftime("%Y-%m-%d %H:%M:%S")
            typer.echo(f"{when}  {letter.attempts} attempts  {letter.reason}  {letter.url}")
    if not letters:
        typer.echo("no URL was given up", err=True)


@app.command("replay")
def replay_dead(
    state: _State,
    url: Annotated[list[str] | None, typer.Argument(metavar="URL", help="Only these; default: all.")] = None,
) -> None:
    """Queue the URLs again, with fresh attempts; then run the crawl's command once more."""
    import asyncio

    from nephila.cli.dead_letters import replay

    number = asyncio.run(replay(state, url or []))
    typer.echo(f"{number} queued again: run the crawl's command to fetch them")
