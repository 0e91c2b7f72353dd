"""What `nephila status --frontier` tells of a cluster's jobs: gathered as plain data, shown as a few lines."""

from __future__ import annotations

from typing import Any

import typer

from nephila.cli.places import place
from nephila.cluster.commanding import details, overview


async def look_at(frontier: str, job: str | None, hosts: int) -> list[dict[str, Any]]:
    where = place(frontier)
    return await overview(where) if job is None else [await details(where, job, hosts)]


def show_jobs(pictures: list[dict[str, Any]]) -> None:
    if not pictures:
        typer.echo("no jobs: hand one in with nephila submit")
    for picture in pictures:
        frontier = picture["frontier"]
        note = f" ({picture['note']})" if picture["note"] else ""
        typer.echo(f"{picture['job']}: {picture['state']}{note}")
        typer.echo(
            f"  {picture['pages']:,} pages, {picture['records']:,} records; {frontier['queued']:,} queued,"
            f" {frontier['leased']:,} under way, {frontier['dead']:,} given up, {frontier['hosts']:,} hosts,"
            f" {len(picture['workers'])} workers"
        )
        if "hosts" in picture:
            _show_details(picture)


def _show_details(picture: dict[str, Any]) -> None:
    for worker in picture["workers"]:
        typer.echo(f"  worker {worker['name']}  on {worker['host']}, pid {worker['pid']}")
    for task in picture["tasks"]:
        where = "done" if task["done"] else f"{task['queued']:,} queued, with {task['worker'] or 'nobody'}"
        typer.echo(f"  task {task['url']}  {task['pages']:,} pages, {where}")
    for host in picture["hosts"]:
        typer.echo(f"  host {host['host']}  {host['queued']:,} queued, {host['active']} in flight")
    for error in picture["errors"]:
        typer.echo(f"  error {error['cause']}: {error['count']:,}  ({error['example']})")
