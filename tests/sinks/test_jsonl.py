from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nephila.errors import SinkError
from nephila.record import Record
from nephila.sinks import Ledger, open_sink, output_totals
from nephila.sinks.jsonl import JsonlSink
from nephila.sinks.reader import read_records

from .conformance import SinkConformance, delivery, urls


class FileConformance(SinkConformance):
    name: str

    def make(self, place: Path) -> JsonlSink:
        compression = {"gz": "gzip", "zst": "zstd"}.get(self.name.rpartition(".")[2])
        return JsonlSink(place / self.name, Ledger(place / "state" / "ledger.sqlite"), compression)  # type: ignore[arg-type]

    def read(self, place: Path) -> list[Record]:
        return list(read_records(place / self.name))

    def tear(self, place: Path, garbage: bytes) -> None:
        with (place / self.name).open("ab") as file:
            file.write(garbage)


class TestPlain(FileConformance):
    name = "pages.jsonl"


class TestGzip(FileConformance):
    name = "pages.jsonl.gz"

    def test_standard_tool_reads_all_segments(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        sink.commit([delivery(1)])
        sink.commit([delivery(2)])
        sink.close()
        out = subprocess.run(["gzip", "-dc", tmp_path / self.name], capture_output=True, check=True).stdout
        assert out == b"".join(delivery(key).records[0].to_json() + b"\n" for key in (1, 2))


class TestZstd(FileConformance):
    name = "pages.jsonl.zst"


def test_torn_tail_is_cut_at_open(tmp_path: Path) -> None:
    out, ledger = tmp_path / "a.jsonl", tmp_path / "ledger.sqlite"
    sink = open_sink(str(out), ledger)
    sink.commit([delivery(1)])
    whole = out.read_bytes()
    sink.close()
    out.write_bytes(whole + b'{"url": "http://torn')
    open_sink(str(out), ledger).close()
    assert out.read_bytes() == whole


def test_file_of_someone_else_is_refused_and_kept(tmp_path: Path) -> None:
    out = tmp_path / "precious.jsonl"
    out.write_bytes(b"precious\n")
    with pytest.raises(SinkError, match=r"precious\.jsonl exists .* --overwrite"):
        open_sink(str(out), tmp_path / "ledger.sqlite")
    assert out.read_bytes() == b"precious\n"


def test_overwrite_replaces_a_foreign_file_but_never_what_this_crawl_wrote(tmp_path: Path) -> None:
    out, ledger = tmp_path / "a.jsonl", tmp_path / "ledger.sqlite"
    out.write_bytes(b"old\n")
    for key in (1, 2):
        sink = open_sink(str(out), ledger, overwrite=True)
        sink.commit([delivery(key)])
        sink.close()
    assert [r.url for r in read_records(out)] == urls(delivery(1), delivery(2))


@pytest.mark.parametrize("harm", ["cut", "gone", "replaced"])
def test_file_that_was_changed_is_refused_and_kept_until_overwrite(tmp_path: Path, harm: str) -> None:
    out, ledger = tmp_path / "a.jsonl", tmp_path / "ledger.sqlite"
    sink = open_sink(str(out), ledger)
    sink.commit([delivery(1), delivery(2)])
    if harm == "cut":
        os.truncate(out, 5)
    elif harm == "gone":
        out.unlink()
    else:
        out.write_bytes(b"x" * 100_000)
    before = out.read_bytes() if out.exists() else None
    with pytest.raises(SinkError, match="--overwrite"):
        sink.commit([delivery(3)])
    sink.close()
    with pytest.raises(SinkError, match="--overwrite"):
        open_sink(str(out), ledger)
    assert (out.read_bytes() if out.exists() else None) == before
    sink = open_sink(str(out), ledger, overwrite=True)
    assert sink.commit([delivery(1)]) == 1
    sink.close()
    assert [r.url for r in read_records(out)] == urls(delivery(1))


def test_two_crawls_cannot_take_one_new_file(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"
    first = open_sink(str(out), tmp_path / "one" / "ledger.sqlite")
    with pytest.raises(SinkError, match="another crawl is writing"):
        open_sink(str(out), tmp_path / "two" / "ledger.sqlite")
    assert first.commit([delivery(1)]) == 1
    first.close()


def test_missing_directory_is_created(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "er" / "a.jsonl"
    open_sink(str(out), tmp_path / "ledger.sqlite").close()
    assert out.read_bytes() == b""


def test_places_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "dir.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name, why in [
        ("file/a.jsonl", "not a directory|file exists"),
        ("dir.jsonl", "it is a directory"),
        ("pipe.jsonl", "no regular file"),
    ]:
        with pytest.raises(SinkError, match=f"(?i){why}"):
            open_sink(str(tmp_path / name), tmp_path / "ledger.sqlite")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_directory_without_permission_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(SinkError, match="permission denied"):
        open_sink(str(tmp_path / "a.jsonl"), tmp_path.parent / "ledger.sqlite")
    tmp_path.chmod(0o700)


def test_full_disk_writes_nothing_and_the_next_commit_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, ledger = tmp_path / "a.jsonl", tmp_path / "ledger.sqlite"
    sink = open_sink(str(out), ledger)
    sink.commit([delivery(1)])
    whole, pwrite = out.read_bytes(), os.pwrite

    def half_then_full(fd: int, data: memoryview, offset: int) -> int:
        if len(data) > 10:
            return pwrite(fd, data[: len(data) // 2], offset)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", half_then_full)
    with pytest.raises(SinkError, match="no space left on device; nothing is lost"):
        sink.commit([delivery(2)])
    assert out.read_bytes() == whole
    monkeypatch.undo()
    assert sink.commit([delivery(1), delivery(2)]) == 1
    sink.close()
    assert [r.url for r in read_records(out)] == urls(delivery(1), delivery(2))


def test_names_choose_the_format(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.JSONL", "c.ndjson", "d.jsonl.gz", "e.jsonl.zst"):
        sink = open_sink(str(tmp_path / name), tmp_path / "ledger.sqlite")
        sink.commit([delivery(1)])
        sink.close()
        assert [r.url for r in read_records(tmp_path / name)] == urls(delivery(1))
    sink = open_sink((tmp_path / "with space.jsonl").as_uri(), tmp_path / "ledger.sqlite")
    sink.close()
    assert (tmp_path / "with space.jsonl").exists()


@pytest.mark.parametrize("uri", ["pages.docx", "pages", "gopher://hole/pages.jsonl", ""])
def test_unknown_format_names_what_is_supported(tmp_path: Path, uri: str) -> None:
    with pytest.raises(SinkError, match=r"supported outputs are FILE\.jsonl, FILE\.jsonl\.gz.*standard output"):
        open_sink(uri, tmp_path / "ledger.sqlite")


def test_totals_tell_what_each_output_holds(tmp_path: Path) -> None:
    assert output_totals(tmp_path / "ledger.sqlite") == {}
    sink = open_sink(str(tmp_path / "a.jsonl"), tmp_path / "ledger.sqlite")
    sink.commit([delivery(1, 3), delivery(2, 0)])
    sink.close()
    ((name, total),) = output_totals(tmp_path / "ledger.sqlite").items()
    assert name == str(tmp_path / "a.jsonl")
    assert (total.records, total.deliveries) == (3, 2)
    assert total.size == (tmp_path / "a.jsonl").stat().st_size


STDOUT_WRITER = """
import sys
from nephila.record import Record
from nephila.sinks import Delivery, open_sink
sink = open_sink("-", sys.argv[1])
for key in range(20):
    sink.commit([Delivery(key, [Record(url=f"http://{sys.argv[2]}.example/{key}", text="x" * 100_000)])])
    sink.commit([Delivery(key, [Record(url="http://again.example/")])])
"""


def test_lines_of_two_writers_on_standard_output_do_not_mix(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with out.open("ab") as file:
        writers = [
            subprocess.Popen([sys.executable, "-c", STDOUT_WRITER, tmp_path / "ledger.sqlite", name], stdout=file)
            for name in ("one", "two")
        ]
        assert [writer.wait() for writer in writers] == [0, 0]
    assert len({r.url for r in read_records(out)}) == len(list(read_records(out))) == 40


def test_closed_standard_output_is_a_clear_error(tmp_path: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", STDOUT_WRITER, tmp_path / "ledger.sqlite", "x"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert writer.stdout is not None
    writer.stdout.close()
    assert writer.stderr is not None
    assert b"standard output was closed by its reader" in writer.stderr.read()
    writer.stderr.close()
    assert writer.wait() != 0
