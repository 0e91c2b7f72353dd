"""What a few lines with Playwright do: one page after the other, a fresh tab for each."""

from __future__ import annotations

import asyncio

from playwright.async_api import async_playwright
from task import Task


async def main(task: Task) -> None:
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=task.executable)
        context = await browser.new_context()
        for url in task.urls:
            page = await context.new_page()
            await page.goto(url, wait_until="load" if task.wait else "networkidle")
            if task.wait:
                await page.wait_for_selector(task.wait)
            task.drew(url, await page.content())
            await page.close()
        await browser.close()


if __name__ == "__main__":
    task = Task.read()
    asyncio.run(main(task))
    task.report()
