"""SQLite, PostgreSQL and MariaDB: real servers, read back by SQL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
import sqlalchemy as sa

from nephila.errors import SinkError
from nephila.record import FIELD_NAMES, Record
from nephila.sinks import Delivery, Sink, create_sink, open_sink
from nephila.sinks.sql.schema import column_name
from tests.servers.databases import mariadb, postgresql

from .conformance import DatabaseConformance, delivery
from .test_formats import FULL

_NESTED = {"tags", "captions", "related", "comments", "fields", "posts", "post", "links"}


def engine_of(uri: str) -> sa.Engine:
    return sa.create_engine(uri.replace("postgresql:", "postgresql+psycopg:").replace("mysql:", "mysql+pymysql:"))


def read_table(uri: str, table: str = "pages") -> list[Record]:
    engine = engine_of(uri)
    with engine.connect() as connection:
        rows = connection.execute(sa.select(sa.Table(table, sa.MetaData(), autoload_with=connection))).mappings().all()
    engine.dispose()
    return [Record.from_dict({name: _value(name, row[column_name(name)]) for name in FIELD_NAMES}) for row in rows]


def _value(name: str, value: Any) -> Any:
    if name == "fetched_at" and value is not None:
        return value.isoformat(timespec="seconds").removesuffix("+00:00") + "+00:00"
    if name == "rendered":
        return bool(value)
    if name in _NESTED and isinstance(value, str):
        return json.loads(value)
    return value


class SqlConformance(DatabaseConformance):
    """Each place is a table of its own."""

    server: ClassVar[str] = ""

    def uri(self, place: Path) -> str:
        name = "".join(c if c.isalnum() else "_" for c in place.name)[-40:]
        return f"{self.server}?table=t{name}"

    def make(self, place: Path) -> Sink:
        return create_sink(self.uri(place), place / "ledger.sqlite")

    def read(self, place: Path) -> list[Record]:
        uri, _, query = self.uri(place).partition("?")
        return read_table(uri, query.removeprefix("table=") or "pages")

    def test_keeps_every_field(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        sink.commit([Delivery(1, [FULL])])
        sink.close()
        assert self.read(tmp_path) == [FULL]

    def test_a_later_visit_replaces_the_row_of_its_url(self, tmp_path: Path) -> None:
        sink = self.opened(tmp_path)
        sink.commit([Delivery(1, [Record(url="http://a.example/", title="old")])])
        sink.commit([Delivery(2, [Record(url="http://a.example/", title="new"), Record(url="http://a.example/")])])
        sink.close()
        assert sorted(record.title or "" for record in self.read(tmp_path)) == ["", "new"]

    def test_a_table_of_an_older_version_gets_the_columns_that_it_lacks(self, tmp_path: Path) -> None:
        self.opened(tmp_path).close()
        uri, _, query = self.uri(tmp_path).partition("?")
        table = query.removeprefix("table=") or "pages"
        engine = engine_of(uri)
        with engine.begin() as connection:
            connection.execute(sa.text(f"ALTER TABLE {table} DROP COLUMN title"))
        sink = self.opened(tmp_path)
        sink.commit([Delivery(1, [FULL])])
        sink.close()
        assert self.read(tmp_path) == [FULL]
        engine.dispose()

    def test_a_foreign_table_is_refused(self, tmp_path: Path) -> None:
        uri, _, query = self.uri(tmp_path).partition("?")
        engine = engine_of(uri)
        with engine.begin() as connection:
            connection.execute(sa.text(f"CREATE TABLE {query.removeprefix('table=') or 'pages'} (url INTEGER)"))
        engine.dispose()
        with pytest.raises(SinkError, match="not made by Nephila"):
            self.opened(tmp_path)

    def test_text_without_a_place_in_the_database_does_not_hold_it_up(self, tmp_path: Path) -> None:
        odd = Record(url="http://a.example/\0", title="a\0b", fields={"x": "\0"}, tags=["\0"])
        sink = self.opened(tmp_path)
        assert sink.commit([Delivery(1, [odd]), delivery(2)]) == 2
        sink.close()
        assert len(self.read(tmp_path)) == 2

    def test_learned_fields_are_typed_columns_of_a_view_that_grows_with_them(self, tmp_path: Path) -> None:
        uri, _, query = self.uri(tmp_path).partition("?")
        view = (query.removeprefix("table=") or "pages") + "_fields"
        sink = self.opened(tmp_path)
        sink.commit([Delivery(1, [Record(url="http://a.example/1", kind="product", fields={"name": "Kettle"})])])
        kettle = {"price": {"amount": 12.5, "currency": "EUR"}, "weight": {"value": 2, "unit": "kg"}, "stock": 3}
        more = {"datePublished": "2024-05-06", "items": [{"name": "no field"}], "colours": ["red", "blue"]}
        sink.commit([Delivery(2, [Record(url="http://a.example/2", kind="product", fields=kettle | more)])])
        sink.commit([Delivery(3, [Record(url="http://a.example/3", fields={"price": "on request", "stock": "none"})])])
        sink.close()
        engine = engine_of(uri)
        with engine.connect() as connection:
            rows = connection.execute(sa.text(f"SELECT * FROM {view} ORDER BY page")).mappings().all()
            cheap = connection.execute(sa.text(f"SELECT page FROM {view} WHERE price < 13 AND weight > 1")).scalars()
            assert list(cheap) == ["http://a.example/2"]
        engine.dispose()
        assert "items" not in rows[0]
        assert [(row["name"], row["price"], row["price_currency"]) for row in rows] == [
            ("Kettle", None, None),
            (None, 12.5, "EUR"),
            (None, None, None),
        ]
        assert (rows[1]["weight"], rows[1]["weight_unit"], str(rows[1]["datePublished"])) == (2, "kg", "2024-05-06")
        assert [str(row["stock"]) for row in rows] == ["None", "3", "none"]


class TestSqlite(SqlConformance):
    keeps_order = True

    def uri(self, place: Path) -> str:
        return f"sqlite:///{place}/pages.sqlite"

    def test_a_file_name_is_enough(self, tmp_path: Path) -> None:
        sink = open_sink(str(tmp_path / "a" / "pages.db"), tmp_path / "ledger.sqlite")
        assert sink.commit([delivery(1)]) == 1
        sink.close()
        assert read_table(f"sqlite:///{tmp_path}/a/pages.db") == list(delivery(1).records)


class TestPostgresql(SqlConformance):
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def _server(cls) -> Iterator[None]:
        with postgresql() as uri:
            cls.server = uri
            yield


class TestMariadb(SqlConformance):
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def _server(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        with mariadb(tmp_path_factory.mktemp("mariadb")) as uri:
            cls.server = uri
            yield


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("postgresql://nephila:hush@127.0.0.1:1/db", "cannot use"),
        ("mysql://root:hush@127.0.0.1:1/db", "cannot use"),
        ("postgresql://nephila:hush@127.0.0.1:1", "names no database"),
        ("postgresql://nephila:hush@127.0.0.1/db?table=a-b", "name of a table"),
    ],
)
def test_what_cannot_be_written_is_refused_at_once_without_telling_the_password(
    tmp_path: Path, uri: str, message: str
) -> None:
    with pytest.raises(SinkError, match=message) as refused:
        open_sink(uri, tmp_path / "ledger.sqlite")
    assert "hush" not in str(refused.value)
