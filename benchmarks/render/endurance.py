"""Many pages in one run: memory of this process, of Playwright's driver and of Chromium, as they go by.

    python -m benchmarks.render.endurance [--pages 2000] [--recycle-after 400]

Fails when both the usual and the least memory of the second half of the run are more than a tenth (and 20 MB) above
those of the first. Both, because garbage piles up for a while (the heap of Node swings between 75 and 150 MB) and a
fresh browser is small.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys

import uvloop

from benchmarks.render.tree import processes
from nephila.demo.kit import serve
from nephila.demo.lighthouses.content import leaves
from nephila.fetch.browser import BrowserOptions, BrowserPool

KINDS = ("python", "driver", "chromium")


def memory() -> dict[str, int]:
    """Bytes that each kind of process holds for itself, of this process and all below it."""
    found = dict.fromkeys(KINDS, 0)
    for pid, name, size in processes(os.getpid()):
        kind = "python" if pid == os.getpid() else "driver" if name.startswith("node") else "chromium"
        found[kind] += size
    return found


async def draw_all(root: str, options: argparse.Namespace) -> list[dict[str, int]]:
    paths = [leaf.path for leaf in leaves().values() if leaf.needs_browser]
    samples: list[dict[str, int]] = []
    done = 0
    browser = BrowserOptions(allow_private=True, concurrency=4, recycle_after=options.recycle_after)
    async with BrowserPool(browser) as pool:

        async def work(numbers: asyncio.Queue[int]) -> None:
            nonlocal done
            while not numbers.empty():
                await pool.render(f"{root.rstrip('/')}{paths[numbers.get_nowait() % len(paths)]}")
                done += 1
                if done % (options.pages // 40) == 0:
                    samples.append(memory())
                    sizes = ", ".join(f"{kind} {samples[-1][kind] / 2**20:.0f}" for kind in KINDS)
                    print(f"{done} pages, {pool.launches} browsers: {sizes} MB", flush=True)

        queue: asyncio.Queue[int] = asyncio.Queue()
        for number in range(options.pages):
            queue.put_nowait(number)
        await asyncio.gather(*(work(queue) for _ in range(4)))
    return samples


def _above(late: float, early: float) -> bool:
    return late > max(early * 1.1, early + 20 * 2**20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--recycle-after", type=int, default=400)
    options = parser.parse_args()
    with serve("lighthouses") as served:
        samples = uvloop.run(draw_all(served["lighthouses"], options))
    # The first tenth is warming up.
    middle = len(samples) // 2
    halves = samples[len(samples) // 10 : middle], samples[middle:]
    grown = False
    for kind in KINDS:
        (low, usual), (late_low, late_usual) = (
            (min(sizes), statistics.median(sizes)) for sizes in ([sample[kind] for sample in half] for half in halves)
        )
        print(
            f"{kind}: first half {usual / 2**20:.0f} MB (least {low / 2**20:.0f}), "
            f"second half {late_usual / 2**20:.0f} MB (least {late_low / 2**20:.0f})"
        )
        grown = grown or (_above(late_low, low) and _above(late_usual, usual))
    sys.exit("memory has grown" if grown else 0)


if __name__ == "__main__":
    main()
