"""Nephila's browser pool; it is not told what to wait for."""

from __future__ import annotations

import asyncio

import uvloop
from task import Task

from nephila.fetch.browser import BrowserOptions, BrowserPool


async def main(task: Task) -> None:
    options = BrowserOptions(allow_private=True, concurrency=task.concurrency, executable=task.executable)
    async with BrowserPool(options) as pool:

        async def draw(url: str) -> None:
            task.drew(url, (await pool.render(url)).html)

        await asyncio.gather(*map(draw, task.urls))


if __name__ == "__main__":
    task = Task.read()
    uvloop.run(main(task))
    task.report()
