"""`nephila worker`: one worker process of a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nephila.cli.places import Frontier, Metrics, Spool, place


def worker(
    frontier: Frontier,
    coordinator: Annotated[
        str | None,
        typer.Option(
            "--coordinator",
            metavar="zookeeper://HOST:PORT,...",
            envvar="NEPHILA_COORDINATOR",
            help="ZooKeeper: the dead are noticed at once. Without it, when their leases expire.",
            show_default=False,
        ),
    ] = None,
    spool: Spool = Path("spool"),
    concurrency: Annotated[
        int, typer.Option("--concurrency", metavar="N", min=1, help="Requests in flight, over all jobs.")
    ] = 32,
    session: Annotated[
        float, typer.Option("--session", metavar="SECONDS", help="How soon after its death the others know of it.")
    ] = 6.0,
    grace: Annotated[
        float, typer.Option("--grace", metavar="SECONDS", min=0, help="For what is under way when told to stop.")
    ] = 20.0,
    alive_file: Annotated[
        Path | None,
        typer.Option(
            "--alive-file",
            metavar="FILE",
            envvar="NEPHILA_ALIVE_FILE",
            help="Touched every 2 seconds, for health checks.",
        ),
    ] = None,
    metrics: Metrics = None,
    log_level: Annotated[str, typer.Option("--log-level", metavar="LEVEL")] = "info",
    log_format: Annotated[str, typer.Option("--log-format", metavar="text|json")] = "text",
    log_file: Annotated[Path | None, typer.Option("--log-file", metavar="FILE")] = None,
) -> None:
    """Serve every job of a cluster until told to stop; start as many as you like, on as many machines.

    SIGTERM (or Ctrl-C) once finishes what is under way within the grace time and gives the rest back; twice stops at
    once. It may be killed at any moment: another worker goes on, and no page is exported twice.

    \b
    nephila worker --frontier redis://queue.lan --coordinator zookeeper://zk1,zk2,zk3 --spool /data/spool
    """
    import uvloop

    from nephila.cli.running import LogOptions
    from nephila.cluster.address import parse_address
    from nephila.cluster.serving import serve
    from nephila.cluster.station import StationOptions
    from nephila.telemetry import configure_logging

    configure_logging(**LogOptions(log_level, log_format, log_file).order())
    options = StationOptions(
        concurrency=concurrency, grace=grace, session=session, alive_file=alive_file, metrics=metrics
    )
    address = parse_address(coordinator) if coordinator else None
    uvloop.run(serve(place(frontier, spool), address, options))
