"""MongoDB, Elasticsearch/OpenSearch and remote files, each against its server or its protocol's reference."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import orjson
import pyarrow.parquet as pq
import pymongo
import pytest
import urllib3

from nephila.errors import SinkError
from nephila.record import Record
from nephila.sinks import Delivery, Sink, create_sink, open_sink
from nephila.sinks.gathering import GatheringSink
from nephila.sinks.ledger import Ledger
from nephila.sinks.parquet import Parquet, to_record
from tests.servers import search as reference
from tests.servers.mongo import mongodb
from tests.servers.places import s3, sftp, webhdfs
from tests.servers.search import search

from .conformance import DatabaseConformance, ServerConformance, delivery
from .test_formats import FULL


def name_of(place: Path) -> str:
    return "t" + "".join(c if c.isalnum() else "-" for c in place.name.lower())[-40:]


class StoreConformance(ServerConformance):
    server: ClassVar[str] = ""

    def uri(self, place: Path) -> str:
        raise NotImplementedError

    def make(self, place: Path) -> Sink:
        return create_sink(self.uri(place), place / "ledger.sqlite")

    def test_keeps_every_field(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        sink.commit([Delivery(1, [FULL])])
        sink.close()
        assert self.read(tmp_path) == [FULL]


class TestMongo(StoreConformance, DatabaseConformance):
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def _server(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        with mongodb(tmp_path_factory.mktemp("mongodb")) as uri:
            cls.server = uri
            yield

    def uri(self, place: Path) -> str:
        return f"{self.server}?collection={name_of(place)}"

    def read(self, place: Path) -> list[Record]:
        opened: pymongo.MongoClient[dict[str, Any]] = pymongo.MongoClient(self.server)
        with opened as client:
            return [Record.from_dict(each) for each in client["nephila"][name_of(place)].find()]


class TestSearch(StoreConformance, DatabaseConformance):
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def _server(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        with search(tmp_path_factory.mktemp("search")) as uri:
            cls.server = uri
            yield

    def uri(self, place: Path) -> str:
        return f"{self.server}/{name_of(place)}"

    def read(self, place: Path) -> list[Record]:
        address = self.uri(place).replace("elasticsearch+", "") + "/_search?size=10000"
        hits = orjson.loads(urllib3.request("GET", address).data)["hits"]["hits"]
        return [Record.from_dict(hit["_source"]) for hit in hits]


class Remote:
    """Places for files; what the ledger still holds counts as well."""

    server: ClassVar[str] = ""
    environment: ClassVar[dict[str, str]] = {}

    @pytest.fixture(autouse=True)
    def _environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name, value in self.environment.items():
            monkeypatch.setenv(name, value)
        fsspec.config.set_conf_env(fsspec.config.conf)

    def uri(self, place: Path) -> str:
        return f"{self.server}/{name_of(place)}.parquet"

    def read(self, place: Path) -> list[Record]:
        files, directory = fsspec.core.url_to_fs(self.uri(place), skip_instance_cache=True)
        names = sorted(name for name in files.find(directory) if name.endswith(".parquet"))
        tables = [pq.read_table(io.BytesIO(files.cat_file(name))) for name in names]
        ledger = Ledger(place / "ledger.sqlite")
        tables.append(pq.read_table(io.BytesIO(Parquet().whole(ledger.held(self.uri(place))))))
        ledger.close()
        return [to_record(row) for table in tables for row in table.to_pylist()]

    def test_files_of_a_good_size_under_names_of_this_crawl(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(GatheringSink, "gather_bytes", 60_000)
        sink = open_sink(self.uri(tmp_path), tmp_path / "ledger.sqlite")
        for n in range(6):
            sink.commit([Delivery(n, [Record(url=f"http://x.example/{n}", text=os.urandom(12_000).hex())])])
        sink.close()
        sink = open_sink(self.uri(tmp_path), tmp_path / "ledger.sqlite")
        assert sink.commit([Delivery(5, [FULL]), Delivery(6, [FULL])]) == 1
        sink.close()
        files, directory = fsspec.core.url_to_fs(self.uri(tmp_path), skip_instance_cache=True)
        names = [name.rpartition("/")[2] for name in files.ls(directory, detail=False)]
        assert [name[-15:] for name in sorted(names)] == [f"-00000{n}.parquet"[-15:] for n in range(1, len(names) + 1)]
        assert len(names) in (3, 4)
        records = self.read(tmp_path)
        assert [record.url for record in records[:6]] == [f"http://x.example/{n}" for n in range(6)]
        assert records[6:] == [FULL]


class TestMemory(Remote, StoreConformance):
    """fsspec's own place, within this process: quick enough for every history."""

    keeps_order = True
    server = "memory://nephila"


class TestS3(Remote):
    server = "s3://nephila"

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def _server(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        with s3(tmp_path_factory.mktemp("s3")) as environment:
            cls.environment = environment
            yield

    def test_a_bucket_that_is_not_there_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(SinkError, match="s3://absent"):
            open_sink("s3://absent/pages.jsonl", tmp_path / "ledger.sqlite")


class TestSftp(Remote):
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def _server(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        with sftp(tmp_path_factory.mktemp("sftp") / "it") as (uri, environment):
            cls.server, cls.environment = uri, environment
            yield


class TestWebHdfs(Remote):
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def _server(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        with webhdfs(tmp_path_factory.mktemp("webhdfs") / "it") as uri:
            cls.server = uri.rstrip("/")
            yield


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("mongodb://me:hush@127.0.0.1:1", "names no database"),
        ("elasticsearch+http://me:hush@127.0.0.1:1/pages", "cannot reach"),
        ("elasticsearch+http://me:hush@127.0.0.1:1/Pages", "index of small letters"),
        ("s3://bucket/pages", "cannot tell the format"),
        ("gopher://place/pages.jsonl", "supported outputs"),
        ("sftp://127.0.0.1:1/tmp/pages.jsonl", "cannot write"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_first_fetch(tmp_path: Path, uri: str, message: str) -> None:
    with pytest.raises(SinkError, match=message) as refused:
        open_sink(uri, tmp_path / "ledger.sqlite")
    assert "hush" not in str(refused.value)


def test_a_store_that_is_away_for_a_while_holds_the_commit_up_and_loses_nothing(tmp_path: Path) -> None:
    with search(tmp_path / "one") as uri:
        sink = open_sink(f"{uri}/pages", tmp_path / "ledger.sqlite")
        sink.commit([delivery(1)])
    done = threading.Event()

    def commit() -> None:
        sink.commit([delivery(2)])
        done.set()

    threading.Thread(target=commit, daemon=True).start()
    assert not done.wait(1.0)
    reference._indices.update({"pages": {}, "pages-deliveries": {}})
    server = ThreadingHTTPServer(("127.0.0.1", int(uri.rpartition(":")[2])), reference._Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        assert done.wait(60.0)
        assert len(reference._indices["pages"]) == 1
    finally:
        server.shutdown()
        server.server_close()
        sink.close()
