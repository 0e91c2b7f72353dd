"""Options that the commands of a cluster share; each may also come from the environment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nephila.cluster.place import Place

Frontier = Annotated[
    str,
    typer.Option(
        "--frontier",
        metavar="redis://HOST:PORT",
        envvar="NEPHILA_FRONTIER",
        help="The cluster's Redis server.",
        show_default=False,
    ),
]
OfACluster = Annotated[
    str | None,
    typer.Option(
        "--frontier",
        metavar="redis://HOST:PORT",
        envvar="NEPHILA_FRONTIER",
        help="The Redis server of a cluster: its jobs, not the crawls of this machine.",
        show_default=False,
    ),
]
Spool = Annotated[
    Path,
    typer.Option("--spool", metavar="DIR", envvar="NEPHILA_SPOOL", help="Where workers keep what they have finished."),
]
Metrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="HOST:PORT",
        envvar="NEPHILA_METRICS",
        help="Answer Prometheus there; port 0: any free one, which the log names.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]


def place(frontier: str, spool: Path = Path("spool")) -> Place:
    from nephila.cluster.place import Place

    return Place(frontier, spool)
