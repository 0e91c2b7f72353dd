"""`nephila top`: a running crawl in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def top(
    state: Annotated[Path, typer.Option("--state", metavar="DIR", help="The crawl's state directory.")],
    every: Annotated[float, typer.Option("--every", metavar="SECONDS", min=0.2, help="Between two looks.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Print the figures once, and end.")] = False,
) -> None:
    """Watch a crawl live, from another terminal: speed, queue, workers, errors. Ends with the crawl, or with Ctrl-C.

    \b
    nephila top --state .nephila/example.org-1a2b3c4d
    """
    import asyncio

    from nephila.cli.watching import watch

    asyncio.run(watch(state, every, once=once))
