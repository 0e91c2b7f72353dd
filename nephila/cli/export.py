"""`nephila export`: the outputs of a cluster's job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nephila.cli.places import Spool


def export(
    job: Annotated[str, typer.Argument(metavar="JOB", help="As `nephila submit` named it.")],
    output: Annotated[
        list[str],
        typer.Option("-o", "--output", metavar="FILE|URI", help="Where records go; may be given several times."),
    ],
    spool: Spool = Path("spool"),
    more: Annotated[
        list[Path] | None,
        typer.Option("--and", metavar="DIR", help="Another spool directory, such as a copy from another machine."),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option("--state", metavar="DIR", help="Where to remember what was exported; default: in the spool."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files that are there already.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say nothing.")] = False,
) -> None:
    """Merge what the workers of a job have finished into one file or table, each page once.

    It may be run while the job runs, stopped, and run again: it adds what is new.

    \b
    nephila export news -o news.jsonl --spool /data/spool
    """
    from nephila.cluster.exporting import export as merge

    directories = [directory / job for directory in [spool, *(more or [])]]
    ledger = (state or directories[0]) / "export.sqlite"
    done = merge(directories, output, ledger, overwrite=overwrite)
    if not quiet:
        typer.echo(
            f"{job}: {done.written:,} pages exported ({done.deliveries:,} deliveries in {done.files:,} files)", err=True
        )
