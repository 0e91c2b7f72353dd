"""The outputs, their servers, and how each is read back: by the libraries that its readers would use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson


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
    from nephila.sinks.shelf import MOST_RECORDS
    from nephila.sinks.shelved import Shelf

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
        Contestant("postgresql", lambda server, _: server, table_urls, lambda _: postgresql(), "SQL"),
        Contestant("mariadb", lambda server, _: server, table_urls, mariadb, "SQL"),
        Contestant("mongodb (reference)", lambda server, _: server, mongo_urls, mongodb, "pymongo"),
        Contestant("search (reference)", lambda server, _: f"{server}/pages", search_urls, search, "_search"),
        Contestant("s3 (moto)", lambda _, place: f"s3://nephila/{place.name}.jsonl.gz", remote_urls, _s3, "fsspec"),
        Contestant("sftp", lambda server, _: f"{server}/pages.jsonl.gz", remote_urls, _sftp, "fsspec"),
        Contestant("webhdfs (reference)", lambda server, _: f"{server}pages.jsonl.gz", remote_urls, webhdfs, "fsspec"),
        Contestant("shelf", lambda _, place: str(place / "pages.shelf"), shelf_urls, reader="the dashboard"),
    ]
