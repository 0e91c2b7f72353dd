"""What `nephila status` tells of a state directory: gathered as plain data, shown as a few lines."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
import typer

from nephila.crawling.state import State
from nephila.errors import StateError
from nephila.job import Job
from nephila.telemetry import Metric, Progress, collect


async def look(directory: Path, hosts: int) -> dict[str, Any]:
    state = State(directory)
    if not state.exists:
        raise StateError(f"{directory} holds no crawl: name the directory that was given to --state")
    frontier, memory = state.open_frontier(Job()), state.open_memory()
    try:
        stats = await frontier.stats()
        progress = Progress()
        progress.update(await collect(memory), stats)
        workers = {name: orjson.loads(value) for name, value in await memory.items("workers")}
        return {
            "state": str(directory),
            "running": state.in_use(),
            "drained": await frontier.drained(),
            "frontier": asdict(stats),
            "workers": [
                {"name": name, "pid": facts.get("pid"), "seconds": round(time.time() - facts.get("since", time.time()))}
                for name, facts in workers.items()
            ],
            "hosts": [asdict(host) for host in await frontier.host_stats(hosts)],
            "pages": progress.total(Metric.PAGES),
            "records": progress.total(Metric.RECORDS),
            "bytes": progress.total(Metric.BYTES),
            "errors": [asdict(error) for error in progress.errors()],
            "outputs": [{"uri": uri, "records": records, "bytes": size} for uri, records, size in state.outputs()],
        }
    finally:
        await frontier.close()
        await memory.close()


def show(picture: dict[str, Any]) -> None:
    frontier = picture["frontier"]
    word = "running" if picture["running"] else "complete" if picture["drained"] else "stopped, can be resumed"
    typer.echo(f"{picture['state']}: {word}")
    typer.echo(
        f"  {picture['pages']:,} pages, {picture['records']:,} records; {frontier['queued']:,} queued,"
        f" {frontier['leased']:,} under way, {frontier['dead']:,} given up, {frontier['hosts']:,} hosts"
    )
    for worker in picture["workers"]:
        typer.echo(f"  worker {worker['name']}  pid {worker['pid']}  {worker['seconds']} s")
    for output in picture["outputs"]:
        typer.echo(f"  output {output['uri']}  {output['records']:,} records, {output['bytes']:,} bytes")
    for host in picture["hosts"]:
        wait = max(0.0, host["ready_at"] - time.time())
        typer.echo(
            f"  host {host['host']}  {host['queued']:,} queued, {host['active']} in flight, next in {wait:.1f} s"
        )
    for error in picture["errors"]:
        typer.echo(f"  error {error['cause']}: {error['count']:,}  ({error['example']})")
