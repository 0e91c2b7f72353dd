"""`nephila demo`: serves the sample sites on loopback, crawls them, shows what came out. No network needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where results go.")] = Path(
        "demo-output"
    ),
    sites: Annotated[list[str] | None, typer.Argument(metavar="SITE", help="news, shop, forum (default: all).")] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Only serve the sites, until Ctrl-C, to look at them.")
    ] = False,
) -> None:
    """Crawl sample sites that are served on this machine: a newspaper in four scripts, a shop, a forum."""
    from nephila.cli.showing import crawl_samples, serve_samples

    if serve:
        serve_samples(sites or [])
    else:
        raise typer.Exit(crawl_samples(sites or [], output))
