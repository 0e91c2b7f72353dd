"""Rendered pages a second, CPU and memory: each contestant in turn, round after round, on the JavaScript sample site.

    python -m benchmarks.render [--pages 200] [--rounds 3] [--concurrency 4] [--peers PYTHON] [--only NAME...]

Every contestant uses the same Chromium. The peers are told a selector to wait for (the strongest that they can be:
without one they wait for half a second of silence, see `--blind`); Nephila finds out by itself. A rate is counted from
a contestant's first page to its last; `nephila crawl` does its extraction and its output meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.render.tree import Used, run
from nephila.demo.kit import serve
from nephila.demo.lighthouses.content import leaves
from nephila.fetch.browser.chromium import find_chromium

HERE = Path(__file__).parent
CONTESTANTS = {
    "nephila pool": ("nephila_pool.py", False),
    "nephila crawl": ("nephila_crawl.py", False),
    "bare loop": ("bare_loop.py", True),
    "scrapy-playwright": ("scrapy_playwright_spider.py", True),
}


def main() -> None:
    options = _options()
    names = options.only or list(CONTESTANTS)
    results: dict[str, list[tuple[dict[str, float], Used]]] = {name: [] for name in names}
    with serve("lighthouses") as served, tempfile.TemporaryDirectory() as place:
        task = _task(served["lighthouses"], options, Path(place))
        for number in range(options.rounds):
            for name in names:
                program, is_peer = CONTESTANTS[name]
                # They run elsewhere; and a virtual environment's python is a link, not to be followed.
                python = str(Path(options.peers).absolute()) if is_peer else sys.executable
                env = {**os.environ, "PYTHONPATH": f"{HERE}:{HERE.parents[1]}"}
                used = run([python, str(HERE / program), str(task)], env, Path(place), 1200)
                if used.status:
                    raise SystemExit(f"{name} failed with status {used.status}")
                figures = json.loads(used.out.splitlines()[-1])
                results[name].append((figures, used))
                print(f"round {number + 1} {name}: {figures['rate']:.2f} pages/s", file=sys.stderr, flush=True)
    _print(results, options)


def _task(root: str, options: argparse.Namespace, place: Path) -> Path:
    drawn = [leaf for leaf in leaves().values() if leaf.kind == "script"]
    chosen = [drawn[number % len(drawn)] for number in range(options.pages)]
    path = place / "task.json"
    content = {
        "urls": [f"{root.rstrip('/')}{leaf.path}?copy={number}" for number, leaf in enumerate(chosen)],
        "marks": [leaf.paragraphs[0] for leaf in chosen],
        "concurrency": options.concurrency,
        "executable": options.browser or find_chromium(),
        "wait": "" if options.blind else "article h1",
    }
    path.write_text(json.dumps(content))
    return path


def _print(results: dict[str, list[tuple[dict[str, float], Used]]], options: argparse.Namespace) -> None:
    print(f"{options.pages} pages, {options.concurrency} at once, {options.rounds} rounds; medians")
    print(f"{'':20}{'pages/s':>9}{'CPU ms/page':>13}{'memory MB':>11}{'texts found':>13}")
    for name, rounds in results.items():
        rate = statistics.median(figures["rate"] for figures, _ in rounds)
        cpu = statistics.median(used.cpu / figures["pages"] * 1000 for figures, used in rounds)
        memory = max(used.peak for _, used in rounds) / 2**20
        found = min(figures["found"] for figures, _ in rounds)
        print(f"{name:20}{rate:9.2f}{cpu:13.0f}{memory:11.0f}{found:9.0f}/{options.pages}")
    for ours in ("nephila pool", "nephila crawl"):
        for peer in ("bare loop", "scrapy-playwright"):
            if ours in results and peer in results:
                pairs = list(zip(results[ours], results[peer], strict=True))
                speed = statistics.median(a[0]["rate"] / b[0]["rate"] for a, b in pairs)
                cpu = statistics.median(b[1].cpu / a[1].cpu for a, b in pairs)
                print(f"{ours} / {peer}: {speed:.2f} x the pages/s, {cpu:.2f} x the pages a CPU second")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--peers", default=sys.executable, help="the Python that has scrapy-playwright")
    parser.add_argument("--browser", help="another Chromium than the one that Nephila finds")
    parser.add_argument("--blind", action="store_true", help="the peers are not told what to wait for either")
    parser.add_argument("--only", nargs="*", choices=list(CONTESTANTS))
    return parser.parse_args()


if __name__ == "__main__":
    main()
