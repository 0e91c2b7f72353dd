"""Writers that are killed with SIGKILL, anywhere: no record lost, none twice, the file always valid."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nephila.sinks import Ledger, open_sink, output_totals
from nephila.sinks.reader import read_records

from .conformance import delivery, urls

WRITERS = 4
KILLS = 12

# Offers keys without end, noting each before and after its commit; a writer that starts again offers first what it has
# not seen acked, and some that it has. Two writers share each line of keys, so that every page is delivered by both.
WRITER = """
import random, sys
from pathlib import Path
from nephila.record import Record
from nephila.sinks import Delivery, open_sink
out, ledger, journal, line, stop = sys.argv[1:]
journal, stop, line = Path(journal), Path(stop), int(line)
def noted(kind):
    lines = journal.read_text().split("\\n")[:-1] if journal.exists() else []
    return [int(key) for one in lines if one.startswith(kind) for key in one[1:].split()]
def note(kind, keys):
    with journal.open("a") as file:
        file.write(kind + " ".join(map(str, keys)) + "\\n")
offered, acked = noted("o"), noted("a")
again = sorted(set(offered) - set(acked)) + random.sample(acked, min(5, len(acked)))
counter = 1 + max((key // 10 for key in offered), default=-1)
sink = open_sink(out, ledger)
def deliver(keys):
    note("o", keys)
    text = random.randbytes(1500).hex()
    sink.commit([Delivery(key, [Record(url=f"http://x.example/{key}", text=text)]) for key in keys])
    note("a", keys)
deliver(again)
print("ready", flush=True)
while not stop.exists():
    size = random.randint(1, 12)
    deliver([10 * n + line for n in range(counter, counter + size)])
    counter += size
"""


def start(place: Path, out: Path, index: int) -> subprocess.Popen[bytes]:
    args: list[str | Path] = [out, place / "ledger.sqlite", place / f"journal{index}", str(index // 2), place / "stop"]
    writer = subprocess.Popen([sys.executable, "-c", WRITER, *args], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    assert writer.stdout.readline() == b"ready\n"
    return writer


def bury(writer: subprocess.Popen[bytes]) -> int:
    status = writer.wait()
    assert writer.stdout is not None
    writer.stdout.close()
    return status


def journalled(place: Path, kind: str) -> set[int]:
    lines = [line for index in range(WRITERS) for line in (place / f"journal{index}").read_text().splitlines()]
    return {int(key) for line in lines if line.startswith(kind) for key in line[1:].split()}


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.jsonl.gz", "pages.jsonl.zst"])
def test_four_writers_killed_at_random_moments_deliver_each_record_once(tmp_path: Path, name: str) -> None:
    out, rng = tmp_path / name, random.Random(name)
    writers = [start(tmp_path, out, index) for index in range(WRITERS)]
    try:
        for _ in range(KILLS):
            time.sleep(rng.uniform(0, 0.05))
            index = rng.randrange(WRITERS)
            writers[index].kill()
            assert bury(writers[index]) == -signal.SIGKILL
            writers[index] = start(tmp_path, out, index)
        (tmp_path / "stop").touch()
        assert [bury(writer) for writer in writers] == [0] * WRITERS
    finally:
        for writer in writers:
            if writer.poll() is None:
                writer.kill()
                bury(writer)

    delivered = Counter(record.url for record in read_records(out))
    assert set(delivered.values()) == {1}
    offered = journalled(tmp_path, "o")
    assert offered == journalled(tmp_path, "a")
    assert set(delivered) == {f"http://x.example/{key}" for key in offered}
    (total,) = output_totals(tmp_path / "ledger.sqlite").values()
    assert (total.size, total.records) == (out.stat().st_size, len(delivered))


def killing(function: Callable[..., Any], *, after: bool) -> Callable[..., Any]:
    def killed(*args: Any) -> Any:
        if after:
            function(*args)
        os.kill(os.getpid(), signal.SIGKILL)

    return killed


def half_a_write(fd: int, data: memoryview, offset: int) -> int:
    os.lseek(fd, offset, os.SEEK_SET)
    os.write(fd, data[: len(data) // 2])
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


POINTS: dict[str, tuple[object, str, Callable[..., Any]]] = {
    "before the write": (os, "pwrite", killing(os.pwrite, after=False)),
    "half-way through the write": (os, "pwrite", half_a_write),
    "after the write": (os, "pwrite", killing(os.pwrite, after=True)),
    "after the sync": (os, "fsync", killing(os.fsync, after=True)),
    "after the new size": (Ledger, "enter", killing(Ledger.enter, after=True)),
    "after the keys": (Ledger, "add", killing(Ledger.add, after=True)),
}


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"])
@pytest.mark.parametrize("point", [*POINTS, "after the commit"])
def test_killed_at_every_step_of_a_commit(
    tmp_path: Path, name: str, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, ledger = tmp_path / name, tmp_path / "ledger.sqlite"
    sink = open_sink(str(out), ledger)
    sink.commit([delivery(1)])
    sink.close()
    pid = os.fork()
    if pid == 0:
        try:
            sink = open_sink(str(out), ledger)
            if point in POINTS:
                monkeypatch.setattr(*POINTS[point])
            sink.commit([delivery(2), delivery(3)])
            os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(3)
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL

    committed = point == "after the commit"
    assert [r.url for r in read_records(out, ledger)] == urls(*map(delivery, (1, 2, 3) if committed else (1,)))
    sink = open_sink(str(out), ledger)
    assert sink.commit([delivery(3), delivery(2), delivery(4)]) == (1 if committed else 3)
    sink.close()
    assert sorted(r.url for r in read_records(out)) == sorted(urls(*map(delivery, (1, 2, 3, 4))))
