"""The writer: made-up records through an output, in a process that is killed, or left alone and timed."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from pathlib import Path

from nephila.page import Page
from nephila.record import Record
from nephila.sinks import Delivery, open_sink, wants_pages

ROOT = Path(__file__).parent.parent.parent
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
