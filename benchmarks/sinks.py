"""Every output: 20,000 records with the writer killed (SIGKILL) at 10 random moments, and how many it takes a second.

    python -m benchmarks.sinks                      # every output, then the table and the plot
    python -m benchmarks.sinks --only parquet,warc --records 2000

The writer commits segments of 100 deliveries and notes what was acked; killed, it starts again and offers first what it
has not seen acked, and some that it has. In the end each record must be there once, read by the libraries that its
readers would use. Rates are of one writer that is left alone, segments of 500, the servers on the same machine.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from nephila.page import Page
from nephila.record import Record
from nephila.sinks import Delivery, open_sink, wants_pages

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
KILLS = 10
SEGMENT = 100
WORDS = ["".join(random.Random(n).choices("abcdefghijklmnopqrstuvwxyz", k=2 + n % 9)) for n in range(4000)]


def delivery(key: int, *, with_page: bool) -> Delivery:
    rng = random.Random(key)
    text = "\n".join(" ".join(rng.choices(WORDS, k=60)) for _ in range(8))
    url = f"http://site{key % 50}.example/{key}"
    record = Record(
        url=url,
        final_url=url,
        fetched_at="2031-05-06T07:08:09+00:00",
        status=200,
        kind="article",
        title=" ".join(rng.choices(WORDS, k=8)),
        text=text,
        markdown=text,
        author="A. Writer",
        published="2031-05-05",
        language="en",
        site=f"site{key % 50}.example",
        tags=rng.choices(WORDS, k=4),
        content_type="text/html",
        content_length=len(text),
        depth=3,
        extractor="model",
        confidence=0.9,
    )
    page = None
    if with_page:
        body = f"<html><body><p>{text}</p></body></html>".encode()
        headers = {"content-type": "text/html; charset=utf-8", "server": "sample"}
        page = Page(url, url, 200, body, 1900000000.0, headers, request_headers={"Host": url.split("/")[2]})
    return Delivery(key, [record], page)


# -- the writer, in a process of its own ------------------------------------------------------------------------------


def write(uri: str, place: Path, records: int) -> None:
    journal = place / "journal"
    acked = {int(key) for key in journal.read_text().split()} if journal.exists() else set()
    sink = open_sink(uri, place / "ledger.sqlite")
    paged = wants_pages(sink)
    left = [key for key in range(records) if key not in acked]
    again = random.sample(sorted(acked), min(20, len(acked)))
    with journal.open("a") as notes:
        for start in range(0, len(left), SEGMENT):
            keys = left[start : start + SEGMENT]
            sink.commit([delivery(key, with_page=paged) for key in (*again, *keys)])
            again = []
            notes.write(" ".join(map(str, keys)) + "\n")
            notes.flush()
    sink.close()


def acked_in(place: Path) -> int:
    journal = place / "journal"
    return len(journal.read_text().split()) if journal.exists() else 0


def killed_at_random(uri: str, place: Path, records: int, env: dict[str, str], seed: int) -> int:
    """Runs the writer to its end through ten deaths; returns how many there were."""
    rng = random.Random(seed)
    moments = sorted(rng.uniform(0, records * 0.95) for _ in range(KILLS))
    command = [
        sys.executable,
        "-m",
        "benchmarks.sinks",
        "--write",
        uri,
        "--place",
        str(place),
        "--records",
        str(records),
    ]
    kills = 0
    while True:
        writer = subprocess.Popen(command, env=env, cwd=ROOT)
        while writer.poll() is None:
            if kills < KILLS and acked_in(place) >= moments[kills]:
                time.sleep(rng.uniform(0, 0.05))
                writer.kill()
                kills += 1
                break
            time.sleep(0.005)
        if writer.wait() == 0:
            return kills
        if writer.returncode != -9:
            raise SystemExit(f"{uri}: the writer failed with status {writer.returncode}")


def rate(uri: str, place: Path, records: int) -> tuple[float, float]:
    """Records a second by the clock, and CPU microseconds a record of the writer."""
    sink = open_sink(uri, place / "ledger.sqlite")
    paged = wants_pages(sink)
    segments = [
        [delivery(key, with_page=paged) for key in range(start, min(start + 500, records))]
        for start in range(0, records, 500)
    ]
    clock, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    for segment in segments:
        sink.commit(segment)
    sink.close()
    seconds, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return records / seconds, 1e6 * cpu / records


# -- the outputs and their readers ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Contestant:
    name: str
    uri: Callable[[str, Path], str]
    """(server, place) -> the output."""
    read: Callable[[str, Path], list[str]]
    """(output, place) -> the URLs that it holds."""
    server: Callable[[Path], Any] = lambda _: nullcontext("")
    reader: str = ""


def file(name: str, suffix: str, reader: str) -> Contestant:
    def read(uri: str, place: Path) -> list[str]:
        from tests.sinks.reading import read_back

        return [record.url for record in read_back(Path(uri), place / "ledger.sqlite")]

    return Contestant(name, lambda _, place: str(place / f"pages{suffix}"), read, reader=reader)


def parquet_urls(uri: str, _: Path) -> list[str]:
    import duckdb
    import pyarrow.parquet as pq

    urls: list[str] = pq.read_table(uri, columns=["url"])["url"].to_pylist()
    assert duckdb.sql(f"select count(*), count(distinct url) from '{uri}'").fetchall() == [(len(urls), len(set(urls)))]
    return urls


def table_urls(uri: str, _: Path) -> list[str]:
    import sqlalchemy as sa

    from nephila.sinks.sql.sink import _address

    engine = sa.create_engine(_address(uri)[0])
    with engine.connect() as connection:
        urls = list(connection.scalars(sa.text("SELECT url FROM pages")))
    engine.dispose()
    return urls


def mongo_urls(uri: str, _: Path) -> list[str]:
    import pymongo

    with pymongo.MongoClient(uri) as client:
        return [each["url"] for each in client["nephila"]["pages"].find({}, {"url": 1})]


def search_urls(uri: str, _: Path) -> list[str]:
    import urllib3

    answer = urllib3.request("GET", uri.replace("elasticsearch+", "") + "/_search?size=100000")
    return [hit["_source"]["url"] for hit in orjson.loads(answer.data)["hits"]["hits"]]


def shelf_urls(uri: str, _: Path) -> list[str]:
    from nephila.sinks.shelf import MOST_RECORDS, Shelf

    return [each.url for each in Shelf(Path(uri)).records(limit=MOST_RECORDS)]


def remote_urls(uri: str, _: Path) -> list[str]:
    import gzip

    import fsspec

    files, directory = fsspec.core.url_to_fs(uri, skip_instance_cache=True)
    data = b"".join(gzip.decompress(files.cat_file(name)) for name in sorted(files.find(directory)))
    return [orjson.loads(line)["url"] for line in data.splitlines()]


@contextmanager
def _s3(place: Path) -> Iterator[str]:
    import fsspec

    from tests.servers.places import s3

    with s3(place) as environment:
        os.environ.update(environment)
        fsspec.config.set_conf_env(fsspec.config.conf)  # read at import only: each server has a port of its own
        yield ""


@contextmanager
def _sftp(place: Path) -> Iterator[str]:
    import fsspec

    from tests.servers.places import sftp

    with sftp(place) as (uri, environment):
        os.environ.update(environment)
        fsspec.config.set_conf_env(fsspec.config.conf)
        yield uri


def contestants() -> list[Contestant]:
    from tests.servers.databases import mariadb, postgresql
    from tests.servers.mongo import mongodb
    from tests.servers.places import webhdfs
    from tests.servers.search import search

    return [
        file("jsonl", ".jsonl", "orjson"),
        file("jsonl.gz", ".jsonl.gz", "gzip"),
        file("jsonl.zst", ".jsonl.zst", "zstandard"),
        file("csv", ".csv", "csv"),
        Contestant("parquet", lambda _, place: str(place / "pages.parquet"), parquet_urls, reader="pyarrow, DuckDB"),
        file("warc.gz", ".warc.gz", "warcio"),
        Contestant("sqlite", lambda _, place: f"sqlite:///{place}/pages.sqlite", table_urls, reader="SQL"),
        Contestant("postgresql", lambda server, _: server, table_urls, lambda place: postgresql(place / "pg"), "SQL"),
        Contestant("mariadb", lambda server, _: server, table_urls, mariadb, "SQL"),
        Contestant("mongodb (reference)", lambda server, _: server, mongo_urls, mongodb, "pymongo"),
        Contestant("search (reference)", lambda server, _: f"{server}/pages", search_urls, search, "_search"),
        Contestant("s3 (moto)", lambda _, place: f"s3://nephila/{place.name}.jsonl.gz", remote_urls, _s3, "fsspec"),
        Contestant("sftp", lambda server, _: f"{server}/pages.jsonl.gz", remote_urls, _sftp, "fsspec"),
        Contestant("webhdfs (reference)", lambda server, _: f"{server}pages.jsonl.gz", remote_urls, webhdfs, "fsspec"),
        Contestant("shelf", lambda _, place: str(place / "pages.shelf"), shelf_urls, reader="the dashboard"),
    ]


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
