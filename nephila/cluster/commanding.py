"""What the commands do with a cluster's jobs: submit, look, pause, resume, cancel. Plain data in, plain data out."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from typing import Any

import orjson

from nephila.cluster.place import Place
from nephila.cluster.registry import JobState, Registry, Submission, job_id
from nephila.cluster.shift import WORKERS
from nephila.cluster.tasks import SPACE as TASKS
from nephila.crawling.supervisor import check_seeds
from nephila.errors import ConfigError, InputError
from nephila.fetch.discovery import seed_entries
from nephila.frontier import Stats
from nephila.job import Job
from nephila.telemetry import Metric, Progress, collect

_FROM: dict[JobState, tuple[JobState, ...]] = {
    "paused": ("running",),
    "running": ("paused", "done"),
    "cancelled": ("running", "paused"),
}
"""From which states a command leads to one."""
_FRESH = 15.0
"""Seconds since its last counters after which a worker is not shown as working."""


@asynccontextmanager
async def registry(place: Place) -> AsyncIterator[Registry]:
    memory = place.registry_memory()
    try:
        yield Registry(memory)
    finally:
        await memory.close()


async def submit(place: Place, job: Job, name: str | None = None) -> Submission:
    """Queues the seeds, then lets the job run: no worker meets it before there is work."""
    if not job.seeds:
        raise ConfigError("nothing to crawl: give `seeds` in the job file")
    check_seeds(job)
    identity = job_id(job, name)
    if job.assignment == "shared":  # the seeds of a dedicated job are its tasks
        frontier = place.job(identity).open_frontier(job)
        try:
            await frontier.add(seed_entries(job.seeds))
        finally:
            await frontier.close()
    async with registry(place) as jobs:
        return await jobs.submit(job, name)


async def move(place: Place, identity: str, state: JobState) -> Submission:
    """Pauses, resumes or cancels; InputError where the job is in a state that does not allow it."""
    async with registry(place) as jobs:
        found = await jobs.move(identity, state, among=_FROM[state])
    if found.state != state:
        raise InputError(f"job {identity} is {found.state}: it cannot be {state}")
    return found


async def overview(place: Place) -> list[dict[str, Any]]:
    """Every job, the newest last."""
    async with registry(place) as jobs:
        submissions = sorted(await jobs.all(), key=lambda each: each.submitted)
    return [await _picture(place, each) for each in submissions]


async def details(place: Place, identity: str, hosts: int) -> dict[str, Any]:
    async with registry(place) as jobs:
        submission = await jobs.get(identity)
    picture = await _picture(place, submission)
    frontier = place.job(identity).open_frontier(submission.read())
    try:
        picture["hosts"] = [asdict(host) for host in await frontier.host_stats(hosts)]
    finally:
        await frontier.close()
    return picture


async def _picture(place: Place, submission: Submission) -> dict[str, Any]:
    stores, job = place.job(submission.id), submission.read()
    frontier, memory = stores.open_frontier(job), stores.open_memory()
    try:
        tasks = [orjson.loads(raw) for _, raw in await memory.items(TASKS)]
        stats = _sum(tasks, await frontier.stats())
        progress = Progress()
        snapshots = await collect(memory)
        progress.update(snapshots, stats)
        registered = {name: orjson.loads(raw) for name, raw in await memory.items(WORKERS)}
        seen = {each.worker: each.at for each in snapshots}
        return {
            "job": submission.id,
            "state": submission.state,
            "note": submission.note,
            "revision": submission.revision,
            "assignment": job.assignment,
            "submitted": submission.submitted,
            "changed": submission.changed,
            "frontier": asdict(stats),
            "tasks": tasks,
            "pages": progress.total(Metric.PAGES),
            "records": progress.total(Metric.RECORDS),
            "bytes": progress.total(Metric.BYTES),
            "errors": [asdict(error) for error in progress.errors()],
            "workers": [
                {"name": name, "host": facts.get("host"), "pid": facts.get("pid"), "since": facts.get("since")}
                for name, facts in registered.items()
                if time.time() - seen.get(name, facts.get("since", 0)) < _FRESH
            ],
        }
    finally:
        await frontier.close()
        await memory.close()


def _sum(tasks: list[dict[str, Any]], stats: Stats) -> Stats:
    """A dedicated job's URLs are in the frontiers of its tasks, which tell of them every ten seconds."""
    pages, queued = (sum(int(task[name]) for task in tasks) for name in ("pages", "queued"))
    return replace(stats, done=stats.done + pages, queued=stats.queued + queued)
