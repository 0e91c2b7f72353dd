"""What looking at pages costs: the injected script in Chromium, and the learning of a whole site.

    python benchmarks/visual.py

The script's time is the CPU time of the page's own thread (Chromium's `TaskDuration` in thread ticks, the sending of
the result included), which a busy machine does not change; the learning is process CPU time.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from typing import Any

from rich.console import Console
from rich.table import Table

from nephila.content.visual import VisualBlock, VisualPage, blocks_script, learn_site, shipped
from nephila.content.visual.clustering import clusters_of
from nephila.content.visual.labelling import label_by_vote, label_site, site_relevance
from nephila.fetch.browser import BrowserOptions, BrowserPool, Draw
from nephila.fetch.browser.options import Source

BLOCKS, STYLES = 2_000, 40
PAGES, BLOCKS_A_PAGE = 200, 200
ROUNDS = 7
_WORDS = [
    f"{stem}{end}" for stem in ("har", "bo", "fer", "lan", "mar", "ti", "gul") for end in ("bour", "ry", "de", "n")
]


def html(chance: random.Random) -> str:
    """A long page of many styles, as a list of articles with comments has."""
    rules = "".join(
        f".s{at}{{font-size:{11 + at % 9}px;color:rgb({at * 5},20,90);margin:{at % 7}px;padding-left:{at % 5}px}}"
        for at in range(STYLES)
    )
    parts = []
    for at in range(BLOCKS // 10):
        inner = "".join(
            f"<p class=s{chance.randrange(STYLES)}>{text(chance, 20)} <a href=/{at}>{text(chance, 3)}</a></p>"
            for _ in range(8)
        )
        parts.append(
            f"<section class=s{at % 9}><h3>{text(chance, 6)}</h3>{inner}<ul><li>{text(chance, 4)}</ul></section>"
        )
    return f"<!doctype html><style>body{{font:15px/1.4 serif}}{rules}</style><main>{''.join(parts)}</main>"


def text(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words))


async def script_times() -> tuple[int, list[float]]:
    page_html = html(random.Random(1))
    found: list[float] = []

    async def measure(page: Any) -> int:
        protocol = await page.context.new_cdp_session(page)
        await protocol.send("Performance.enable", {"timeDomain": "threadTicks"})

        async def busy() -> float:
            metrics = (await protocol.send("Performance.getMetrics"))["metrics"]
            return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

        for _ in range(ROUNDS):
            before = await busy()
            value = await page.evaluate(blocks_script())
            found.append(1000 * (await busy() - before))
        return len(value["blocks"])

    async with BrowserPool(BrowserOptions(timeout=600)) as pool:
        source = Source(page_html.encode(), headers={"content-type": "text/html"})
        rendered = await pool.render("https://page.invalid/", Draw(inspect=measure), source)
    return rendered.value, found


def site(chance: random.Random) -> list[VisualPage]:
    """200 pages of 200 blocks: menus, teasers, paragraphs, comments, in a few dozen looks."""
    body = {"font-size": "15px", "color": "rgb(0, 0, 0)"}
    pages = []
    for number in range(PAGES):
        blocks = []
        for at in range(BLOCKS_A_PAGE):
            look = at % 25
            style = {"font-size": f"{11 + look % 8}px", "color": f"rgb({look}, 0, 0)"}
            style |= {f"property-{index}": str(look % (index + 2)) for index in range(25)}
            path = ("div", "main", "section", "p") if look > 12 else ("div", "nav", "ul", f"li{look}")
            words = 60 if look == 20 else chance.randrange(3, 25)
            blocks.append(VisualBlock(50, at * 30, 600 - look, 30, style, path, path, text(chance, words), 0))
        about = next(block.text for block in blocks if block.style["color"] == "rgb(20, 0, 0)")
        pages.append(VisualPage(f"https://x.example/{number}", [], [about[:300]], 1280, 9000, body, blocks))
    return pages


def main() -> None:
    blocks, times = asyncio.run(script_times())
    table = Table("step", "size", "CPU")
    table.add_row(
        "injected script", f"{blocks} blocks", f"{statistics.median(times):.0f} ms (first call {times[0]:.0f} ms)"
    )
    pages = site(random.Random(2))
    size = f"{PAGES} pages, {PAGES * BLOCKS_A_PAGE} blocks"
    steps = {
        "clustering": lambda: clusters_of(pages),
        "relevance (LCS)": lambda: site_relevance(pages),
        "algorithm 1, both together": lambda: label_site(pages),
        "features and the vote": lambda: label_by_vote(pages, _heights(pages)),
        "a site's model, all of it": lambda: learn_site(pages),
    }
    for name, step in steps.items():
        started = time.process_time()
        step()
        table.add_row(name, size, f"{time.process_time() - started:.1f} s")
    Console().print(table)


def _heights(pages: list[VisualPage]) -> Any:
    import numpy as np

    return np.concatenate([shipped().scores(page) for page in pages])


if __name__ == "__main__":
    main()
