"""`python -m benchmarks.sinks`: every output through its kills, then its rate; the table and the plot."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import orjson

import benchmarks.sinks
from benchmarks.sinks.outputs import Contestant, contestants
from benchmarks.sinks.writing import ROOT, killed_at_random, rate, write

RESULTS = ROOT / "benchmarks" / "results"


def run(contestant: Contestant, records: int, seed: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="nephila-sinks-") as directory:
        place = Path(directory)
        place.chmod(0o755)
        with contestant.server(place / "server") as server:
            uri = contestant.uri(server, place)
            kills = killed_at_random(uri, place, records, dict(os.environ), seed)
            seen = Counter(contestant.read(uri, place))
        once = sum(count == 1 for count in seen.values())
        wrong = len(seen) - once + abs(records - len(seen))
    with tempfile.TemporaryDirectory(prefix="nephila-sinks-") as directory:
        place = Path(directory)
        place.chmod(0o755)
        with contestant.server(place / "server") as server:
            speed, cpu = rate(contestant.uri(server, place), place, records)
    return {
        "output": contestant.name,
        "read_by": contestant.reader,
        "kills": kills,
        "records_once": once,
        "wrong": wrong,
        "records_per_second": round(speed),
        "cpu_us_per_record": round(cpu, 1),
    }


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    rows = sorted(rows, key=lambda row: row["records_per_second"])
    figure, axes = plt.subplots(figsize=(8, 0.4 * len(rows) + 1.2))
    bars = axes.barh([row["output"] for row in rows], [row["records_per_second"] for row in rows], color="#b8860b")
    axes.bar_label(bars, fmt="{:,.0f}", padding=3)
    axes.set_xlabel("records a second, one writer (7 KB of text a record)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.15)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=benchmarks.sinks.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--write", help=argparse.SUPPRESS)
    parser.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        write(options.write, options.place, options.records)
        return
    only = {name for name in options.only.split(",") if name}
    results = RESULTS / "sinks.json"
    rows = orjson.loads(results.read_bytes()) if only and results.exists() else []
    print(
        "| output | read by | kills | each once | wrong | records/s | CPU us a record |\n|---|---|---|---|---|---|---|"
    )
    for contestant in contestants():
        if only and contestant.name.split()[0] not in only:
            continue
        row = run(contestant, options.records, options.seed)
        rows = [other for other in rows if other["output"] != row["output"]] + [row]
        print(
            "| " + " | ".join(f"{value:,}" if isinstance(value, int) else str(value) for value in row.values()) + " |"
        )
        sys.stdout.flush()
        results.write_bytes(orjson.dumps(rows, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    plot(rows, RESULTS / "sinks.png")
    if any(row["wrong"] for row in rows):
        raise SystemExit("an output has lost or doubled records")


if __name__ == "__main__":
    main()
