"""`nephila cluster`: the services of a cluster, started, scaled and stopped from one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nephila.cluster.controller.conductor import Conductor

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Start, scale, stop and look at the services of a cluster."
)

_File = Annotated[
    Path,
    typer.Option("-f", "--file", metavar="FILE", envvar="NEPHILA_CLUSTER", help="Hosts and services of the cluster."),
]
_Services = Annotated[
    list[str] | None, typer.Argument(metavar="SERVICE", help="Only these; default: all.", show_default=False)
]
_DEFAULT = Path("cluster.toml")


def _conductor(file: Path) -> Conductor:
    from nephila.cluster.controller.conductor import Conductor
    from nephila.cluster.controller.plan import load_plan

    return Conductor(load_plan(file), say=lambda line: typer.echo(line, err=True))


@app.command()
def up(services: _Services = None, file: _File = _DEFAULT) -> None:
    """Start what is missing, each service after those that it needs, and wait until it is healthy."""
    with _conductor(file) as conductor:
        conductor.up(services or [])


@app.command()
def scale(
    service: Annotated[str, typer.Argument(metavar="SERVICE")],
    count: Annotated[int, typer.Argument(metavar="N", min=0)],
    file: _File = _DEFAULT,
) -> None:
    """Run N instances of a service; those too many are drained."""
    with _conductor(file) as conductor:
        conductor.scale(service, count)


@app.command()
def stop(services: _Services = None, file: _File = _DEFAULT) -> None:
    """Drain and stop, those that need others first."""
    with _conductor(file) as conductor:
        conductor.stop(services or [])


@app.command()
def rm(services: _Services = None, file: _File = _DEFAULT) -> None:
    """Stop, and remove what was left of it: containers, logs."""
    with _conductor(file) as conductor:
        conductor.remove(services or [])


@app.command()
def status(
    file: _File = _DEFAULT,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show what runs where."""
    with _conductor(file) as conductor:
        rows = conductor.status()
    if json:
        import orjson

        typer.echo(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode())
        return
    for row in rows:
        typer.echo(f"{row['service']}: {row['running']} running, {row['healthy']} healthy, {row['wanted']} wanted")
        for each in row["instances"]:  # type: ignore[attr-defined]
            word = "running" if each["running"] else "ended"
            typer.echo(f"  {row['service']}.{each['index']}  {each['host']}  {each['identity']}  {word}")


@app.command()
def logs(
    services: _Services = None,
    file: _File = _DEFAULT,
    lines: Annotated[int, typer.Option("-n", "--lines", metavar="N", min=1, help="Of each instance.")] = 50,
) -> None:
    """Print the last lines that each instance wrote."""
    with _conductor(file) as conductor:
        for source, line in conductor.logs(services or [], lines):
            typer.echo(f"{source} | {line}")
