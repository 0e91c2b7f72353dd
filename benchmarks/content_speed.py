"""CPU time of a page: Nephila and its peers by turns on the same pages, each in a process of its own.

    .venv-peers/bin/python -m benchmarks.content_speed --data DIR [--pages N] [--rounds N] [--at-once N] [--peers x,y]

Every page goes to each program once a round, in an order that rotates, a few pages at once, as a crawl's worker reads
one page after another; only one program works at a time. (With `--at-once 1` each page wakes a process whose caches
another program had meanwhile, which costs those most that need little time.) What counts is the CPU time of the thread
for the call alone, the best of the rounds, so that what other processes do to the caches weighs less. Linear algebra
uses one thread. The table has the medians and means over the pages, their ratios to Nephila's, and the median over the
pages of each page's own ratio.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import os
import random
import statistics
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from nephila import extract
from nephila.content.gold.datasets import Sample, read_set, set_names
from nephila.content.gold.peers import PEERS, installed
from nephila.document import parse

OURS, PARSE = "nephila", "nephila, parse and layout"


class Page(NamedTuple):
    html: bytes
    url: str | None
    language: str | None


Program = Callable[[Page], object]


def program(name: str) -> Program:
    if name == OURS:
        return lambda page: extract(page.html, page.url)
    if name == PARSE:
        return lambda page: parse(page.html, page.url).layout
    peer = PEERS[name]()
    return lambda page: peer(page.html.decode(), page.language)


def work(name: str, pages: Connection) -> None:
    """The process of one program: pages come in, the milliseconds that each took go out; None ends it."""
    logging.disable(logging.CRITICAL)
    run = program(name)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        while (some := pages.recv()) is not None:
            pages.send([spent_on(page, run) for page in some])


def spent_on(page: Page, run: Program) -> float:
    start = time.thread_time()
    with contextlib.suppress(Exception):
        run(page)
    return (time.thread_time() - start) * 1000


def sample_pages(data: Path, count: int) -> list[Page]:
    """As many pages of each set."""
    names = set_names(data)
    chosen: list[Sample] = []
    for name in names:
        samples = list(read_set(data, name))
        chosen += random.Random(0).sample(samples, min(len(samples), count // len(names)))
    return [Page(sample.html.encode("utf-8", "replace"), sample.url, sample.lang) for sample in chosen]


def measure(names: list[str], pages: list[Page], rounds: int, at_once: int) -> dict[str, list[float]]:
    """Of each program, the best time of each page."""
    context = get_context("spawn")
    ways: dict[str, Connection] = {}
    workers = []
    for name in names:
        ways[name], theirs = context.Pipe()
        workers.append(context.Process(target=work, args=(name, theirs), daemon=True))
        workers[-1].start()
    best = {name: [float("inf")] * len(pages) for name in names}
    for turn in range(rounds + 1):  # the first fills caches, and does not count
        for start in range(0, len(pages), at_once):
            shift = (start // at_once + turn) % len(names)
            for name in names[shift:] + names[:shift]:
                ways[name].send(pages[start : start + at_once])
                for place, spent in enumerate(ways[name].recv(), start):
                    if turn:
                        best[name][place] = min(best[name][place], spent)
    for name, worker in zip(names, workers, strict=True):
        ways[name].send(None)
        worker.join()
    return best


def main() -> None:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the workers inherit it
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=160)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--peers", default="trafilatura,resiliparse")
    args = parser.parse_args()
    peers = args.peers.split(",")
    for name in set(peers).difference(installed()):
        print(f"{name} is not installed; left out")
        peers.remove(name)
    pages = sample_pages(args.data, args.pages)
    best = measure([OURS, PARSE, *peers], pages, args.rounds, args.at_once)
    print(f"{len(pages)} pages, {statistics.median(len(page.html) for page in pages) / 1000:.0f} KB in the median")
    print("| program | median ms | mean ms | medians / Nephila's | means / Nephila's | median of the pages' ratios |")
    print("|---|--:|--:|--:|--:|--:|")
    ours = best[OURS]
    for name, times in best.items():
        median, mean = statistics.median(times), statistics.fmean(times)
        ratios = [each / own for each, own in zip(times, ours, strict=True)]
        figures = (median, mean, median / statistics.median(ours), mean / statistics.fmean(ours))
        print(f"| {name} | " + " | ".join(f"{each:.2f}" for each in (*figures, statistics.median(ratios))) + " |")


if __name__ == "__main__":
    main()
