"""The demo: sample sites on loopback, a real crawl of them, and a look at what came out."""

from __future__ import annotations

import shutil
import signal
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import typer

from nephila.cli.running import LogOptions, run_crawl
from nephila.demo import SITES, serve
from nephila.errors import ConfigError
from nephila.job import Job
from nephila.record import Record
from nephila.sinks.reader import read_records

FRIENDLY = ("news", "shop", "forum")
_SHOWN = 2
_PRODUCTS = 5


def crawl_samples(names: list[str], output: Path) -> int:
    unknown = [name for name in names if name not in SITES]
    if unknown:
        raise ConfigError(f"no sample site {unknown[0]!r}: there are {', '.join(SITES)}")
    chosen = tuple(names) or FRIENDLY
    if output.exists() and not (output / "state").exists() and any(output.iterdir()):
        raise ConfigError(f"{output} holds other files: choose another directory with -o")
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    pages, table = output / "pages.jsonl", output / "products.table.parquet"
    outputs = [pages, table] if "shop" in chosen and find_spec("pyarrow") else [pages]
    with serve(*chosen) as served:
        seeds = [served[name] for name in chosen]
        typer.echo("Sample sites are up: " + "  ".join(f"{name} {served[name]}" for name in chosen))
        typer.echo(
            f"$ nephila crawl {' '.join(seeds)} --allow-private --workers 2 -o {' -o '.join(map(str, outputs))}\n"
        )
        job = Job.from_dict(
            {
                "seeds": seeds,
                "outputs": [str(each) for each in outputs],
                "state": str(output / "state"),
                "workers": 2,
                "http": {"allow_private": True, "contact": "demo"},
            }
        )
        status = run_crawl(job, logs=LogOptions())
    _show(pages, {served[name].rstrip("/"): name for name in chosen})
    if table in outputs:
        _show_table(table)
    return status


def _show_table(path: Path) -> None:
    """The fields that were learned without a rule given, as a table."""
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    columns = [name for name in ("name", "price", "price_currency", "sku") if name in table.column_names]
    rows = [row for row in table.to_pylist() if row["kind"] == "product" and row.get("name")]
    typer.echo(f"\n{path}: {len(rows)} products, {len(table.column_names)} columns ({', '.join(table.column_names)})")
    for row in rows[:_PRODUCTS]:
        typer.echo("    " + "  ".join(f"{row[name]!s:{36 if name == 'name' else 8}}" for name in columns))


def _show(pages: Path, sites: dict[str, str]) -> None:
    """A few records of each site, as a reader would look at them."""
    shown: Counter[str] = Counter()
    total: Counter[str] = Counter()
    samples: list[tuple[str, Record]] = []
    for record in read_records(pages):
        site = next((name for root, name in sites.items() if (record.final_url or record.url).startswith(root)), "?")
        total[site] += 1
        if shown[site] < _SHOWN and len(record.text or "") > 400:
            shown[site] += 1
            samples.append((site, record))
    typer.echo("")
    for site, record in sorted(samples, key=lambda sample: sample[0]):
        typer.secho(f"[{site}] {record.title}", bold=True)
        facts = [record.author, record.published, record.language, record.url]
        typer.secho("    " + "  ".join(fact for fact in facts if fact), dim=True)
        typer.echo("    " + " ".join((record.text or "").split())[:240] + "...\n")
    counts = ", ".join(f"{number} {site}" for site, number in sorted(total.items()))
    typer.echo(
        f"{pages}: {sum(total.values())} records ({counts}). Look at one:  head -1 {pages} | python3 -m json.tool"
    )


def serve_samples(names: list[str]) -> None:
    with serve(*names) as served:
        for name, url in served.urls.items():
            typer.echo(f"{name:8} {url}")
        typer.echo("Ctrl-C ends it.")
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        while True:
            time.sleep(3600)
