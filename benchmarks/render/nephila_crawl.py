"""Nephila's crawl of the same pages: frontier, extraction and output included."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import orjson
from task import Task

from nephila import Job, crawl


def main(task: Task) -> None:
    with tempfile.TemporaryDirectory() as place:
        output = Path(place) / "pages.jsonl"
        job = Job.from_dict(
            {
                "seeds": task.urls,
                "outputs": [str(output)],
                "state": str(Path(place) / "state"),
                "render": "always",
                "http": {"allow_private": True},
                "browser": {"executable": task.executable, "concurrency": task.concurrency},
                "politeness": {"parallel": 64, "robots": False},
                "limits": {"depth": 0, "family_budget": 1_000_000},
                "scope": {"sitemaps": False, "feeds": False},
            }
        )
        started = time.monotonic()
        crawl(job)
        seconds = time.monotonic() - started
        for line in output.read_bytes().splitlines():
            record = orjson.loads(line)
            task.drew(record["url"], record["text"] or "")
        # Of the whole run, start and end included.
        task.done = [started + seconds * at / len(task.done) for at in range(1, len(task.done) + 1)]


if __name__ == "__main__":
    task = Task.read()
    main(task)
    task.report()
