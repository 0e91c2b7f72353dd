"""The limit: aiohttp, one lexbor parse, a set, a file. No politeness, robots, retries, memory on disk or extraction."""

from __future__ import annotations

import asyncio
from urllib.parse import urljoin

import aiohttp
import orjson
import uvloop
from selectolax.lexbor import LexborHTMLParser

from benchmarks.crawl.peers.options import Options, parse

_INVISIBLE = ["script", "style", "noscript", "template"]


def read(url: str, body: bytes, inside: tuple[str, ...]) -> tuple[bytes, set[str]]:
    """One JSON line and the links that begin with one of `inside`."""
    tree = LexborHTMLParser(body)
    # Deduped before they are resolved: joining costs more than all else that is done with a link.
    hrefs = {(anchor.attributes["href"] or "").partition("#")[0] for anchor in tree.css("a[href]")}
    found = {target for href in hrefs if (target := urljoin(url, href)).startswith(inside)}
    title = tree.css_first("title")
    tree.strip_tags(_INVISIBLE)
    text = tree.body.text(separator="\n", strip=True) if tree.body else ""
    line = orjson.dumps({"url": url, "title": title.text() if title else None, "text": text})
    return line + b"\n", found


async def crawl(options: Options) -> None:
    inside = tuple(options.seeds)
    seen = set(options.seeds)
    queue: asyncio.Queue[str] = asyncio.Queue()
    for seed in options.seeds:
        queue.put_nowait(seed)
    connector = aiohttp.TCPConnector(limit=options.concurrency, limit_per_host=options.per_host)
    with options.out.open("wb") as out:
        async with aiohttp.ClientSession(connector=connector) as session:

            async def work() -> None:
                while True:
                    url = await queue.get()
                    async with session.get(url) as response:
                        body = await response.read()
                    line, found = read(url, body, inside)
                    out.write(line)
                    fresh = found - seen
                    seen.update(fresh)
                    for link in fresh:
                        queue.put_nowait(link)
                    queue.task_done()

            workers = [asyncio.create_task(work()) for _ in range(options.concurrency)]
            drained = asyncio.create_task(queue.join())
            # A worker only ever ends by an exception; without this the queue would be waited for in vain.
            done, _ = await asyncio.wait([drained, *workers], return_when=asyncio.FIRST_COMPLETED)
            for task in workers:
                task.cancel()
            for task in done:
                task.result()


if __name__ == "__main__":
    uvloop.run(crawl(parse()))
