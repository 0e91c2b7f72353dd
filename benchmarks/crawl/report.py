"""From costs to results: the check of completeness, the table, the JSON, the picture. Starts nothing."""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.crawl.contestants import CONTESTANTS, Race
from benchmarks.crawl.measure import Cost

YARDSTICK = "bare"
"""Ratios are to this contestant."""


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    turn: int
    pages: int
    """Distinct pages brought, of those that were asked for."""
    requests: int
    """As nginx counted them."""
    wall: float
    """Seconds from the start of the process to its end."""
    crawl: float
    """Seconds from the first request to the end of the process."""
    pages_per_second: float
    """Over `crawl`."""
    cpu_ms_per_page: float
    peak_rss_mb: float
    problem: str | None
    """Why the figures are not to be trusted, or None: every page came, each once, and the exit status was 0."""


def judge(
    name: str,
    turn: int,
    cost: Cost,
    *,
    first_request: float | None,
    requests: int,
    pages: Counter[str],
    expected: set[str],
) -> Result:
    good = len(expected & pages.keys())
    wall = cost.ended - cost.started
    crawl = cost.ended - (first_request or cost.started)
    return Result(
        name=name,
        turn=turn,
        pages=good,
        requests=requests,
        wall=wall,
        crawl=crawl,
        pages_per_second=good / crawl,
        cpu_ms_per_page=1000 * cost.cpu_seconds / max(1, good),
        peak_rss_mb=cost.peak_rss / 1e6,
        problem="; ".join(_problems(cost, pages, expected)) or None,
    )


def _problems(cost: Cost, pages: Counter[str], expected: set[str]) -> list[str]:
    missing, foreign = expected - pages.keys(), pages.keys() - expected
    doubled = pages.total() - len(pages)
    return [
        *(["ended at the time limit"] if cost.timed_out else []),
        *([f"exit status {cost.exit_status}"] if cost.exit_status else []),
        *([f"{len(missing)} pages missing, such as {min(missing)}"] if missing else []),
        *([f"{doubled} pages more than once"] if doubled else []),
        *([f"{len(foreign)} pages that were not asked for, such as {min(foreign)}"] if foreign else []),
    ]


def line(result: Result) -> str:
    return (
        f"round {result.turn + 1}  {result.name:<19}{result.pages:>6} pages  {result.pages_per_second:7.1f} pages/s"
        f"  {result.cpu_ms_per_page:7.2f} CPU ms/page  {result.peak_rss_mb:6.0f} MB  {result.wall:6.1f} s"
        + (f"  ! {result.problem}" if result.problem else "")
    )


@dataclass(frozen=True, slots=True)
class Median:
    name: str
    runs: int
    pages: int
    pages_per_second: float
    slowest: float
    fastest: float
    cpu_ms_per_page: float
    peak_rss_mb: float
    wall: float
    problem: str | None


def medians(results: list[Result]) -> list[Median]:
    """One a contestant, fastest first. A run with a problem counts only where no other is left."""
    found = []
    for name in dict.fromkeys(result.name for result in results):
        runs = [result for result in results if result.name == name]
        kept = [run for run in runs if run.problem is None] or runs
        rates = [run.pages_per_second for run in kept]
        found.append(
            Median(
                name,
                len(kept),
                min(run.pages for run in kept),
                statistics.median(rates),
                min(rates),
                max(rates),
                statistics.median(run.cpu_ms_per_page for run in kept),
                statistics.median(run.peak_rss_mb for run in kept),
                statistics.median(run.wall for run in kept),
                next((run.problem for run in runs if run.problem), None),
            )
        )
    return sorted(found, key=lambda median: -median.pages_per_second)


def table(rows: list[Median]) -> str:
    yardstick = next((row for row in rows if row.name == YARDSTICK), None)
    head = (
        "| crawler | pages | pages/s (least to most) | CPU ms a page | peak MB | total s | speed / bare | CPU / bare |"
    )
    lines = [head, "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        speed = f"{row.pages_per_second / yardstick.pages_per_second:.2f}" if yardstick else ""
        cpu = f"{row.cpu_ms_per_page / yardstick.cpu_ms_per_page:.2f}" if yardstick else ""
        name = row.name + (" (!)" if row.problem else "")
        rate = f"{row.pages_per_second:.0f} ({row.slowest:.0f} to {row.fastest:.0f})"
        lines.append(
            f"| {name} | {row.pages} | {rate} | {row.cpu_ms_per_page:.1f} | {row.peak_rss_mb:.0f} | {row.wall:.1f} "
            f"| {speed} | {cpu} |"
        )
    return "\n".join(lines)


def publish(results: list[Result], race: Race, folder: Path) -> None:
    """Prints the table; writes crawl.json and, where matplotlib is installed, crawl.png."""
    rows = medians(results)
    print("\n" + table(rows))
    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": {"cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()},
        "plan": asdict(race.plan),
        "concurrency": race.concurrency,
        "per_host": race.per_host,
        "robots": race.robots,
        "contestants": {row.name: CONTESTANTS[row.name].what for row in rows},
        "medians": [asdict(row) for row in rows],
        "runs": [asdict(result) for result in results],
    }
    (folder / "crawl.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    # Figures of a crawl that is not whole say nothing: they stay in the JSON, marked, and out of the picture.
    whole = [row for row in rows if row.pages == len(race.plan.urls())]
    try:
        if whole:
            draw(whole, folder / "crawl.png")
    except ImportError:
        print("no picture: matplotlib is not installed")


def draw(rows: list[Median], file: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(12, 0.6 + 0.45 * len(rows)), sharey=True, layout="constrained")
    names = [row.name for row in rows][::-1]
    columns = (
        ("pages a second", [row.pages_per_second for row in rows], "{:.0f}"),
        ("CPU ms a page", [row.cpu_ms_per_page for row in rows], "{:.1f}"),
        ("peak memory, MB", [row.peak_rss_mb for row in rows], "{:.0f}"),
    )
    colours = ["#c8961e" if name.startswith("nephila") else "#8a9099" for name in names]
    for axis, (title, values, form) in zip(axes, columns, strict=True):
        bars = axis.barh(names, values[::-1], color=colours)
        axis.bar_label(bars, [form.format(value) for value in values[::-1]], padding=3, fontsize=9)
        axis.set_title(title, fontsize=10)
        axis.margins(x=0.18)
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=130)
    plt.close(figure)
