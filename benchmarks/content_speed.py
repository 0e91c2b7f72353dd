"""CPU time of a page: Nephila and its peers by turns on the same pages, in one process.

    .venv-peers/bin/python -m benchmarks.content_speed --data DIR [--pages N] [--rounds N] [--peers x,y]

Every page goes to each program once a round, in an order that rotates; what counts is the CPU time of the thread, the
best of the rounds, so that what other processes do to the caches weighs less. Linear algebra uses one thread. The table
has the medians and means over the pages, and the median over the pages of each page's own ratio to Nephila.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import logging
import os
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from nephila import extract
from nephila.content.datasets import Sample, read_set, set_names
from nephila.content.peers import PEERS
from nephila.document import parse

Program = Callable[[Sample, bytes], object]


def programs(peers: list[str]) -> dict[str, Program]:
    found: dict[str, Program] = {
        "nephila": lambda sample, html: extract(html, sample.url),
        "nephila, parse and layout": lambda sample, html: parse(html, sample.url).layout,
    }
    for name in peers:
        try:
            peer = PEERS[name]()
        except ImportError as error:
            print(f"{name} is not installed ({error}); left out")
            continue
        found[name] = lambda sample, html, peer=peer: peer(html.decode(), sample.lang)
    return found


def sample_pages(data: Path, count: int) -> list[tuple[Sample, bytes]]:
    """As many pages of each set."""
    names = set_names(data)
    chosen: list[Sample] = []
    for name in names:
        samples = list(read_set(data, name))
        chosen += random.Random(0).sample(samples, min(len(samples), count // len(names)))
    return [(sample, sample.html.encode("utf-8", "replace")) for sample in chosen]


def measure(program: Program, sample: Sample, html: bytes) -> float:
    start = time.thread_time()
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(Exception),
    ):
        program(sample, html)
    return (time.thread_time() - start) * 1000


def main() -> None:
    logging.disable(logging.CRITICAL)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=160)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--peers", default="trafilatura,resiliparse")
    args = parser.parse_args()
    contestants = programs(args.peers.split(","))
    pages = sample_pages(args.data, args.pages)
    best: dict[str, list[float]] = {name: [float("inf")] * len(pages) for name in contestants}
    names = list(contestants)
    for turn in range(args.rounds + 1):  # the first fills caches, and does not count
        for place, (sample, html) in enumerate(pages):
            shift = (place + turn) % len(names)
            for name in names[shift:] + names[:shift]:
                spent = measure(contestants[name], sample, html)
                if turn:
                    best[name][place] = min(best[name][place], spent)
        gc.collect()
    print(f"{len(pages)} pages, {statistics.median(len(html) for _, html in pages) / 1000:.0f} KB in the median")
    print("| program | median ms | mean ms | of Nephila's |\n|---|--:|--:|--:|")
    for name, times in best.items():
        ratios = [mine / ours for mine, ours in zip(times, best["nephila"], strict=True)]
        figures = (statistics.median(times), statistics.fmean(times), statistics.median(ratios))
        print(f"| {name} | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |")


if __name__ == "__main__":
    main()
