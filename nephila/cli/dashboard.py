"""`nephila dashboard`: the web page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nephila.cli.places import Metrics, OfACluster, Spool


def dashboard(
    root: Annotated[
        Path, typer.Option("--root", metavar="DIR", help="Where the crawls are kept, a directory each.")
    ] = Path(".nephila"),
    frontier: OfACluster = None,
    spool: Spool = Path("spool"),
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; beyond loopback a token is needed.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0: any free one.")] = 8642,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            metavar="TEXT",
            envvar="NEPHILA_TOKEN",
            help="What strangers have to give. Default beyond loopback: a new one, printed at the start.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="HOST", help="A host name under which it is reached, besides the address."),
    ] = None,
    metrics: Metrics = None,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="Crawls may go to private addresses.")] = False,
) -> None:
    """Open a web page that starts crawls, shows them live, and looks into what they brought.

    Crawls run in processes of their own: they go on when the dashboard is closed, and are there when it opens again.
    """
    from nephila.cli.serving_dashboard import serve

    serve(root, frontier, spool, host, port, token, name or [], metrics, allow_private=allow_private)
