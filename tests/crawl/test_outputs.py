"""Several outputs at once, packed ones, standard output; and outputs that fail: nothing is acked, nothing is lost."""

from __future__ import annotations

import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from nephila.sinks.reader import read_records
from tests.crawl.crawling import PROGRAM, Place, nephila
from tests.sites import Served


def test_all_outputs_hold_the_same(sites: Served, place: Place) -> None:
    more = [place.root / name for name in ("pages.jsonl.gz", "pages.jsonl.zst", "more/pages.ndjson")]
    options = [part for path in more for part in ("-o", path)]
    done = place.crawl(sites["news"], "--max-pages", 25, "--workers", 2, *options)
    assert done.status == 0, done.err
    expected = sorted(place.urls)
    assert len(expected) == 25
    for path in more:
        assert sorted(record.url for record in read_records(path)) == expected
    assert [output["records"] for output in place.summary["outputs"]] == [25] * 4


def test_standard_output_holds_records_alone(sites: Served, place: Place) -> None:
    done = nephila(
        "crawl", sites["news"], "--allow-private", "--max-pages", 10, "--workers", 2, "-o", "-", "--state", place.state
    )
    assert done.status == 0, done.err
    lines = [orjson.loads(line) for line in done.out.splitlines()]
    assert len({line["url"] for line in lines}) == 10
    assert "Finished" in done.err or "Stopped" in done.err


def test_a_reader_that_goes_away_is_no_crash(sites: Served, place: Place) -> None:
    command = [*PROGRAM, "crawl", sites["news"], "--allow-private", "-o", "-", "--state", str(place.state)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read().decode()
        status = process.wait()
    assert status in (0, 2)
    assert "Traceback" not in err


def test_a_full_disk_is_one_line_and_the_crawl_resumes(numbers: Served, place: Place) -> None:
    limit = 60_000  # a stand-in for the disk's end: a file that may grow no further
    process = subprocess.Popen(
        [*PROGRAM, *place.command(numbers["numbers"], "--workers", 2)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)),
    )
    err = process.communicate(timeout=120)[1]
    assert process.returncode == 2, err
    assert "Traceback" not in err
    assert err.strip().splitlines()[-1].startswith("nephila: ")
    kept = set(place.urls) if place.output.exists() else set()
    assert place.crawl(numbers["numbers"], "--workers", 2).status == 0
    assert len(place.urls) == len(set(place.urls)) == 241
    assert kept < set(place.urls)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 100 kB; only who may mount can have one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=100k", "none", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting a small file system is not permitted here")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_nothing_is_acked_that_a_full_disk_did_not_take(sites: Served, place: Place, small_disk: Path) -> None:
    output = small_disk / "pages.jsonl"
    command = ("crawl", sites["news"], "--allow-private", "--state", place.state, "-o", output, "--workers", 2)
    done = nephila(*command, "--max-pages", 100)
    assert done.status == 2, done.err
    assert f"cannot write {output}: no space left on device" in done.last_line
    assert "run again to resume" in done.last_line
    assert done.err.count("nephila: ") == 1
    kept = [record.url for record in read_records(output, place.state / "ledger.sqlite")]
    subprocess.run(["mount", "-o", "remount,size=10m", small_disk], check=True)
    again = nephila(*command, "--max-pages", 100)
    assert again.status == 0, again.err
    urls = [record.url for record in read_records(output)]
    assert urls[: len(kept)] == kept
    assert len(urls) == len(set(urls)) == 100


def test_an_output_that_is_removed_is_one_line(numbers: Served, place: Place) -> None:
    output = place.root / "out" / "pages.jsonl"
    process = subprocess.Popen(
        [
            *PROGRAM, "crawl", numbers["numbers"], "--allow-private", "--delay", "0.05",
            "--state", str(place.state), "-o", str(output),
        ],
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    while not output.exists() or not output.stat().st_size:
        assert process.poll() is None
        time.sleep(0.02)
    saved = place.root / "saved"
    shutil.move(output.parent, saved)
    err = process.communicate(timeout=120)[1]
    assert process.returncode == 2, err
    last = err.strip().splitlines()[-1]
    assert str(output) in last
    assert "Traceback" not in err
    shutil.move(saved, output.parent)
    again = nephila("crawl", numbers["numbers"], "--allow-private", "--state", place.state, "-o", output)
    assert again.status == 0, again.err
    urls = [record.url for record in read_records(output)]
    assert len(urls) == len(set(urls)) == 241
