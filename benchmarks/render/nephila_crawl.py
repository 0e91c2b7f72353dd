"""Nephila's crawl of the same pages: frontier, extraction and output included; a page counts when its record is out."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from task import Task

from nephila import Job, stream


async def main(task: Task) -> None:
    with tempfile.TemporaryDirectory() as place:
        job = Job.from_dict(
            {
                "seeds": task.urls,
                "state": str(Path(place) / "state"),
                "render": "always",
                "http": {"allow_private": True},
                "browser": {"executable": task.executable, "concurrency": task.concurrency},
                "politeness": {"parallel": 64, "robots": False},
                "limits": {"depth": 0, "family_budget": 1_000_000},
                "scope": {"sitemaps": False, "feeds": False},
            }
        )
        async for record in stream(job):
            task.drew(record.url, record.text or "")


if __name__ == "__main__":
    task = Task.read()
    asyncio.run(main(task))
    task.report()
