from __future__ import annotations

import asyncio
import gzip
import os
import threading
from pathlib import Path

import pytest

from nephila.errors import InputError
from nephila.sinks import open_sink
from nephila.sinks.reader import follow, read_records, tail

from .conformance import delivery, urls

NAMES = ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"]


@pytest.mark.parametrize("name", NAMES)
def test_reads_only_what_is_committed(tmp_path: Path, name: str) -> None:
    out, ledger = tmp_path / name, tmp_path / "ledger.sqlite"
    assert list(read_records(out, ledger)) == []
    assert not ledger.exists()
    sink = open_sink(str(out), ledger)
    assert list(read_records(out, ledger)) == []
    sink.commit([delivery(1), delivery(2)])
    with out.open("ab") as file:
        file.write(b"\x1f\x8b half a segm")
    assert [r.url for r in read_records(out, ledger)] == urls(delivery(1), delivery(2))
    sink.close()


@pytest.mark.parametrize("name", NAMES)
def test_follows_a_growing_file_to_its_end(tmp_path: Path, name: str) -> None:
    """A writer commits 30 segments, leaving torn bytes behind each, while both readers follow from the start."""
    out, ledger, over = tmp_path / name, tmp_path / "state" / "ledger.sqlite", threading.Event()

    def write() -> None:
        sink = open_sink(str(out), ledger)
        for key in range(0, 600, 20):
            sink.commit([delivery(n) for n in range(key, key + 20)])
            with out.open("ab") as file:
                file.write(b"torn")
        sink.close()
        over.set()

    async def tailed() -> list[str]:
        return [record.url async for record in tail(out, ledger, finished=over.is_set, poll=0.01)]

    followed: list[str] = []
    reader = threading.Thread(
        target=lambda: followed.extend(r.url for r in follow(out, ledger, finished=over.is_set, poll=0.01))
    )
    writer = threading.Thread(target=write)
    reader.start()
    writer.start()
    seen = asyncio.run(tailed())
    writer.join()
    reader.join()
    assert seen == followed == urls(*map(delivery, range(600)))


def test_start_leaves_out_what_was_there_before(tmp_path: Path) -> None:
    out, ledger = tmp_path / "a.jsonl", tmp_path / "ledger.sqlite"
    sink = open_sink(str(out), ledger)
    sink.commit([delivery(1)])
    start = out.stat().st_size
    sink.commit([delivery(2)])
    sink.close()
    assert [r.url for r in follow(out, ledger, finished=lambda: True, start=start)] == urls(delivery(2))


def test_tail_can_be_cancelled(tmp_path: Path) -> None:
    async def cancelled() -> None:
        async def run() -> None:
            async for _ in tail(tmp_path / "a.jsonl", tmp_path / "ledger.sqlite", finished=lambda: False, poll=0.001):
                pass

        task = asyncio.create_task(run())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())


def test_broken_files_are_named_with_the_line(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    plain.write_bytes(delivery(1).records[0].to_json() + b'\n\n{"url": "htt')
    with pytest.raises(InputError, match=r"a\.jsonl, line 3, is not a record"):
        list(read_records(plain))
    packed.write_bytes(gzip.compress(os.urandom(5000))[:2000])
    with pytest.raises(InputError, match=r"a\.jsonl\.gz"):
        list(read_records(packed))
    with pytest.raises(InputError, match="cannot read"):
        list(read_records(tmp_path / "none.jsonl"))


def test_records_come_before_the_end(tmp_path: Path) -> None:
    """`finished` never says yes here: only reading on the way can end this."""
    out, ledger = tmp_path / "a.jsonl", tmp_path / "ledger.sqlite"
    sink = open_sink(str(out), ledger)
    sink.commit([delivery(1), delivery(2)])
    records = follow(out, ledger, finished=lambda: False, poll=0.01)
    assert [next(records).url, next(records).url] == urls(delivery(1), delivery(2))
    sink.commit([delivery(3)])
    assert next(records).url == urls(delivery(3))[0]
    records.close()  # type: ignore[attr-defined]
    sink.close()
