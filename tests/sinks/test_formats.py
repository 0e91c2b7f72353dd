"""CSV, Parquet and WARC as other programs read them."""

from __future__ import annotations

import csv
import gzip
import io
import random
from pathlib import Path

import brotli
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from nephila.archive import read_archive
from nephila.errors import SinkError
from nephila.page import Page
from nephila.record import FIELD_NAMES, Record
from nephila.sinks import Delivery, open_sink, parquet_footer
from nephila.sinks.parquet import SCHEMA, Parquet, ParquetSink, to_record

from .conformance import SinkConformance, delivery
from .reading import read_back

FULL = Record(
    url="http://site.example/a",
    final_url="http://site.example/b",
    fetched_at="2031-05-06T07:08:09+00:00",
    status=200,
    kind="product",
    title='a "quoted", title',
    text="one\ntwo, three\r\nvier ü 🕷",
    tags=["x", "y"],
    captions=["A web at dawn"],
    comments=[{"author": "Ann", "text": "hm", "likes": 3}],
    related=[{"title": "Orb weavers", "url": "http://site.example/orb"}],
    fields={"price": {"amount": 3.5, "currency": "EUR"}, "colours": ["red"]},
    posts=[{"text": "first"}],
    links=["http://other.example/"],
    rendered=True,
    confidence=0.75,
)


class FileConformance(SinkConformance):
    name: str

    def make(self, place: Path):  # type: ignore[no-untyped-def]
        from nephila.sinks import create_sink

        return create_sink(str(place / self.name), place / "state" / "ledger.sqlite")

    def read(self, place: Path) -> list[Record]:
        return read_back(place / self.name, place / "state" / "ledger.sqlite")

    def tear(self, place: Path, garbage: bytes) -> None:
        with (place / self.name).open("ab") as file:
            file.write(garbage)

    def test_keeps_every_field(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        sink.commit([Delivery(1, [FULL])])
        sink.close()
        assert self.read(tmp_path) == [FULL]


class TestCsv(FileConformance):
    name = "pages.csv"

    def test_other_readers_see_one_header_and_a_row_a_record(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        sink.commit([Delivery(1, [FULL])])
        sink.commit([delivery(2, 3)])
        sink.close()
        rows = list(csv.reader((tmp_path / self.name).open(newline="")))
        assert rows[0] == list(FIELD_NAMES)
        assert len(rows) == 5
        (row,) = duckdb.execute(f"select title, text from '{tmp_path / self.name}' where kind = 'product'").fetchall()
        assert row == (FULL.title, FULL.text)


class TestCsvGzip(FileConformance):
    name = "pages.csv.gz"


class TestParquet(FileConformance):
    name = "pages.parquet"


class TestWarc(FileConformance):
    name = "pages.warc.gz"


# -- Parquet ----------------------------------------------------------------------------------------------------------


def test_parquet_is_one_valid_file_from_the_first_moment_with_row_groups_of_a_good_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ParquetSink, "gather_bytes", 30_000)
    out, rng = tmp_path / "a.parquet", random.Random(7)
    sink = open_sink(str(out), tmp_path / "ledger.sqlite")
    assert pq.read_table(out).num_rows == 0
    for n in range(40):
        records = [Record(url=f"http://x.example/{n}/{i}", text=rng.randbytes(60).hex(), depth=n) for i in range(20)]
        sink.commit([Delivery(n, records)])
        assert pq.read_table(out).num_rows <= 20 * (n + 1)
    sink.close()
    groups = pq.read_metadata(out)
    assert groups.num_rows == 800
    assert 2 < groups.num_row_groups < 15
    assert pq.read_table(out)["url"].to_pylist() == [f"http://x.example/{n}/{i}" for n in range(40) for i in range(20)]
    query = f"select count(*), count(distinct url), sum(depth) from '{out}'"
    assert duckdb.execute(query).fetchall() == [(800, 800, 20 * sum(range(40)))]
    # Resumed, it goes on behind what is there.
    sink = open_sink(str(out), tmp_path / "ledger.sqlite")
    sink.commit([Delivery(99, [FULL]), Delivery(3, [FULL])])
    sink.close()
    assert pq.read_table(out).num_rows == 801
    assert to_record(pq.read_table(out).to_pylist()[-1]) == FULL


def test_parquet_columns_are_typed_and_nested_for_duckdb(tmp_path: Path) -> None:
    out = tmp_path / "a.parquet"
    sink = open_sink(str(out), tmp_path / "ledger.sqlite")
    sink.commit([Delivery(1, [FULL])])
    sink.close()
    (row,) = duckdb.execute(
        "select year(fetched_at), tags[2], comments[1].author, comments[1].more->>'likes',"
        f" fields->'price'->>'currency', rendered, confidence from '{out}'"
    ).fetchall()
    assert row == (2031, "y", "Ann", "3", "EUR", True, 0.75)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**40), st.integers(0, 30))
def test_a_moved_footer_differs_in_its_offsets_alone(distance: int, rows: int) -> None:
    pieces = [Parquet().encode([delivery(1, rows)])] if rows else []
    _, footer = parquet_footer.split(Parquet().whole(pieces))
    assert parquet_footer.moved(footer, 0) == footer
    moved = pq.read_metadata(io.BytesIO(b"PAR1" + parquet_footer.framed(parquet_footer.moved(footer, distance))))
    before = pq.read_metadata(io.BytesIO(b"PAR1" + parquet_footer.framed(footer)))
    assert moved.schema.to_arrow_schema().equals(SCHEMA)
    for column in range(moved.num_columns if rows else 0):
        one, two = before.row_group(0).column(column), moved.row_group(0).column(column)
        assert two.data_page_offset == one.data_page_offset + distance
        assert two.total_compressed_size == one.total_compressed_size


def test_parquet_of_other_columns_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, ledger = tmp_path / "a.parquet", tmp_path / "ledger.sqlite"
    open_sink(str(out), ledger).close()
    monkeypatch.setattr("nephila.sinks.parquet.SCHEMA", SCHEMA.append(pa.field("new", pa.string())))
    with pytest.raises(SinkError, match="other columns"):
        open_sink(str(out), ledger)


# -- WARC -------------------------------------------------------------------------------------------------------------


def page(url: str, body: bytes = b"<p>Hello</p>" * 40, status: int = 200, **headers: str) -> Page:
    return Page(
        url=url,
        final_url=url,
        status=status,
        body=body,
        fetched_at=1900000000.25,
        headers={"content-type": "text/html; charset=utf-8", "content-encoding": "gzip", **headers},
        request_headers={"Host": "site.example", "User-Agent": "Nephila", "Authorization": "Basic c2VjcmV0"},
    )


def test_warc_holds_request_response_metadata_and_revisits(tmp_path: Path) -> None:
    out = tmp_path / "a.warc.gz"
    sink = open_sink(str(out), tmp_path / "ledger.sqlite")
    one, two, three = (f"http://site.example/{n}?q=1" for n in (1, 2, 3))
    sink.commit([Delivery(1, [Record(url=one, final_url=one, title="One")], page(one))])
    sink.commit([Delivery(2, [Record(url=two, final_url=two)], page(two)), Delivery(3, [], page(one, b"", 304))])
    sink.commit([Delivery(4, [], page(three, b"", 301, location=one))])
    sink.close()
    seen = []
    with out.open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            body = record.content_stream().read()
            seen.append((record.rec_type, record.rec_headers.get_header("WARC-Target-URI")))
            if record.rec_type == "request":
                assert record.http_headers.protocol == "GET"
                assert record.http_headers.statusline == f"{seen[-1][1].removeprefix('http://site.example')} HTTP/1.1"
                assert "Basic" not in str(record.http_headers)
            if seen[-1] == ("response", one):
                assert body == page(one).body
                assert record.http_headers.get_header("Content-Encoding") is None
                assert record.rec_headers.get_header("WARC-Date") == "2030-03-17T17:46:40.250000Z"
            if seen[-1] == ("revisit", two):
                assert record.rec_headers.get_header("WARC-Refers-To-Target-URI") == one
                assert record.rec_headers.get_header("WARC-Profile").endswith("identical-payload-digest")
            if seen[-1] == ("revisit", one):
                assert record.rec_headers.get_header("WARC-Profile").endswith("server-not-modified")
    assert seen == [
        ("warcinfo", None),
        ("response", one),
        ("request", one),
        ("metadata", f"urn:nephila:{one}"),
        ("revisit", two),
        ("request", two),
        ("metadata", f"urn:nephila:{two}"),
        ("revisit", one),
        ("request", one),
        ("response", three),
        ("request", three),
    ]


def test_pages_of_an_archive_are_read_in(tmp_path: Path) -> None:
    out = tmp_path / "a.warc.gz"
    sink = open_sink(str(out), tmp_path / "ledger.sqlite")
    sink.commit([Delivery(n, [], page(f"http://site.example/{n}", b"<p>%d</p>" % n)) for n in range(3)])
    sink.close()
    pages = list(read_archive(out))
    assert [(p.final_url, p.body, p.status) for p in pages] == [
        (f"http://site.example/{n}", b"<p>%d</p>" % n, 200) for n in range(3)
    ]
    assert pages[0].content_type == "text/html"
    assert pages[0].fetched_at == 1900000000.25
    codings = {"gzip": gzip.compress, "br": brotli.compress, "zstd": zstandard.compress}
    foreign = tmp_path / "foreign.warc"
    with foreign.open("wb") as file:
        writer = WARCWriter(file, gzip=False)
        for name, compress in (*codings.items(), ("gzip", bytes)):  # the last one says so, and is not
            http = StatusAndHeaders("200 OK", [("Content-Encoding", name)], protocol="HTTP/1.1")
            body = io.BytesIO(compress(b"<p>words</p>" * 100))
            writer.write_record(writer.create_warc_record("http://e.com/", "response", body, http_headers=http))
    assert [p.body for p in read_archive(foreign)] == [b"<p>words</p>" * 100] * 4
    assert [len(p.body) for p in read_archive(foreign, max_body=500)] == [500] * 4
    plain = tmp_path / "b.warc"
    plain.write_bytes(gzip.decompress(out.read_bytes()))
    assert [p.body for p in read_archive(plain)] == [p.body for p in pages]
