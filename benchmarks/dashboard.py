"""How fast the dashboard answers on a large crawl: 100,000 records on the shelf, 1,000 hosts in the frontier.

    python benchmarks/dashboard.py [--records N] [--hosts N]

Prints the median and the slowest of 20 requests for each part of the interface, in milliseconds, and the CPU time that
the costliest of them took (which a busy machine does not change as much); then the time from the commit of a record to
the moment when somebody who has the page open is told of it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import orjson

from nephila.crawling.state import State
from nephila.frontier import Entry
from nephila.job import Job
from nephila.page import Page
from nephila.record import Record
from nephila.sinks import Delivery
from nephila.sinks.shelf import ShelfSink
from nephila.urls import fingerprint

Row = tuple[float, float, float | None]
_WORDS = [
    f"{a}{b}{c}" for a in ("har", "mo", "li", "sto", "re") for b in ("bou", "gar", "ven") for c in ("r", "den", "st")
]


def _record(number: int) -> Record:
    return Record(
        url=f"https://site{number % 1000}.example/{number}",
        title=" ".join(random.choices(_WORDS, k=6)),
        text=" ".join(random.choices(_WORDS, k=300)),
        kind="article",
    )


def build(directory: Path, records: int, hosts: int) -> None:
    directory.mkdir(parents=True)
    state = State(directory)

    async def fill() -> None:
        frontier, memory = state.open_frontier(Job()), state.open_memory()
        urls = [
            (f"https://site{host}.example/{page}", f"site{host}.example") for host in range(hosts) for page in range(20)
        ]
        for start in range(0, len(urls), 1000):
            await frontier.add([Entry(url, fingerprint(url), host) for url, host in urls[start : start + 1000]])
        await frontier.close()
        await memory.close()

    asyncio.run(fill())
    shelf = ShelfSink(directory / "records.shelf")
    shelf.open()
    body = (
        b"<html><body><article>"
        + b"<p>A paragraph of the page, with some words in it.</p>" * 200
        + b"</article></body></html>"
    )
    for start in range(0, records, 1000):
        shelf.commit(
            [
                Delivery(
                    number,
                    [_record(number)],
                    Page(f"https://a.example/{number}", f"https://a.example/{number}", 200, body, 0.0),
                )
                for number in range(start, min(records, start + 1000))
            ]
        )
    shelf.close()


def cpu_ms(process: int) -> float:
    """CPU time of all its threads, to the nanosecond; what a thread took that has ended in between is left out."""
    taken = 0
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            taken += int((thread / "schedstat").read_text().split()[0])
    return taken / 1e6


def measure(url: str, process: int, rounds: int = 20) -> tuple[list[float], float]:
    taken, costliest = [], 0.0
    for _ in range(rounds):
        began, before = time.perf_counter(), cpu_ms(process)
        with urllib.request.urlopen(url) as answer:
            answer.read()
        taken.append((time.perf_counter() - began) * 1000)
        costliest = max(costliest, cpu_ms(process) - before)
    return taken, costliest


def told(base: str, path: Path, rounds: int = 20) -> list[float]:
    """Milliseconds from the commit of a record to its event."""
    shelf = ShelfSink(path)
    shelf.open()
    taken = []
    with urllib.request.urlopen(f"{base}/big/events", timeout=60) as stream:
        while b"figures" not in stream.readline():
            pass
        time.sleep(1.5)
        for number in range(rounds):
            shelf.commit([Delivery(10**9 + number, [Record(url=f"https://new.example/{number}")])])
            began = time.perf_counter()
            while f"https://new.example/{number}".encode() not in stream.readline():
                pass
            taken.append((time.perf_counter() - began) * 1000)
            time.sleep(random.uniform(0, 0.7))
    shelf.close()
    return taken


def _note(name: str, taken: list[float], costliest: float | None = None) -> Row:
    middle, slowest = round(statistics.median(taken), 1), round(max(taken), 1)
    cost = None if costliest is None else round(costliest, 1)
    print(f"| {name} | {middle} | {slowest} | {'' if cost is None else cost} |", flush=True)
    return middle, slowest, cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--hosts", type=int, default=1_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "crawls"
        build(root / "big", options.records, options.hosts)
        process = subprocess.Popen(
            [sys.executable, "-m", "nephila", "dashboard", "--root", str(root), "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            base = process.stdout.readline().strip() + "api/v1/crawls"
            time.sleep(8)
            print(f"{options.records:,} records, {options.hosts:,} hosts\n")
            print("| request | median ms | slowest ms | CPU ms at most |\n|---|--:|--:|--:|")
            rows: dict[str, Row] = {}
            for name, path in (
                ("all crawls", ""),
                ("one crawl", "/big"),
                ("newest records", "/big/records"),
                ("oldest records", "/big/records?before=51"),
                ("search, a word of nearly all", "/big/records?search=harbour"),
                ("the same, its last page", "/big/records?search=harbour&before=500"),
                ("search, a common beginning", "/big/records?search=harb"),
                ("search, two words", "/big/records?search=morevenst%20stogarden"),
                ("search, nothing there", "/big/records?search=zebra"),
                ("a record", f"/big/records/{options.records // 2}"),
                ("a page, marked", f"/big/records/{options.records}/page"),
                ("hosts, 200", "/big/hosts?limit=200"),
                ("hosts, all", "/big/hosts?limit=1000"),
                ("given up", "/big/dead"),
            ):
                rows[name] = _note(name, *measure(base + path, process.pid))
            rows["a new record is shown"] = _note("a new record is shown", told(base, root / "big" / "records.shelf"))
            if options.records == 100_000:
                data = orjson.dumps(rows, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
                (Path(__file__).parent / "results" / "dashboard.json").write_bytes(data)
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
