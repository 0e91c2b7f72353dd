"""Nephila's crawl of the same pages: frontier, extraction and output included."""

from __future__ import annotations

import tempfile
from datetime import datetime
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
        crawl(job)
        records = [orjson.loads(line) for line in output.read_bytes().splitlines()]
        for record in records:
            task.drew(record["url"], record["text"] or "")
        task.done = sorted(datetime.fromisoformat(record["fetched_at"]).timestamp() for record in records)


if __name__ == "__main__":
    task = Task.read()
    main(task)
    task.report()
