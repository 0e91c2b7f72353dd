"""The typed table of fields: read back by pyarrow and DuckDB; its columns grow with what the crawl learns."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.errors import SinkError
from nephila.record import Record
from nephila.sinks import Delivery, Sink, create_sink, open_sink, output_totals
from nephila.sinks.columns import columns_of, own_fields, shape_of

PRICE = {"amount": 12.5, "currency": "EUR"}


def opened(place: Path, **options: bool) -> Sink:
    return open_sink(str(place / "products.table.parquet"), place / "ledger.sqlite", **options)


def product(number: int, **fields: Any) -> Delivery:
    return Delivery(number, [Record(url=f"http://shop.example/{number}", kind="product", fields=fields or None)])


def read(place: Path) -> pa.Table:
    return pq.read_table(place / "products.table.parquet")


def test_a_field_is_a_typed_column_and_a_price_two(tmp_path: Path) -> None:
    sink = opened(tmp_path)
    sink.commit([product(1, name="Kettle", price=PRICE, stock=3, released="2024-05-06", colours=["red", "blue"])])
    sink.commit([product(2, name="Pot", weight={"value": 2, "unit": "kg"}, new=True, items=[{"name": "a"}])])
    sink.close()
    table = read(tmp_path)
    assert table.schema.field("price").type == pa.float64()
    assert table.schema.field("released").type == pa.date32()
    assert table.column_names == [
        *("page", "kind", "name", "price", "price_currency", "stock", "released", "colours"),
        *("weight", "weight_unit", "new"),
    ]
    first, second = table.to_pylist()
    assert (first["price"], first["price_currency"], first["stock"]) == (12.5, "EUR", 3)
    assert (first["released"], first["colours"], first["weight"]) == (date(2024, 5, 6), ["red", "blue"], None)
    assert (second["weight"], second["weight_unit"], second["new"]) == (2, "kg", True)


def test_the_ledger_knows_the_size_of_the_file(tmp_path: Path) -> None:
    for number in range(2):  # of a crawl that goes on as well
        sink = opened(tmp_path)
        sink.commit([product(number, name="Kettle", price=PRICE)])
        sink.close()
        (total,) = output_totals(tmp_path / "ledger.sqlite").values()
        assert total.records == number + 1
        assert total.size == (tmp_path / "products.table.parquet").stat().st_size > 0


def test_duckdb_counts_in_it(tmp_path: Path) -> None:
    sink = opened(tmp_path)
    sink.commit([product(n, name=f"Pot {n}", price={"amount": n, "currency": "EUR"}) for n in range(1, 11)])
    sink.close()
    query = f"SELECT price_currency, sum(price) FROM '{tmp_path}/products.table.parquet' WHERE price > 5 GROUP BY 1"
    assert duckdb.execute(query).fetchall() == [("EUR", 40.0)]


def test_a_later_visit_replaces_the_row_and_a_known_delivery_is_left_out(tmp_path: Path) -> None:
    sink = opened(tmp_path)
    assert sink.commit([product(1, name="old"), product(2, name="gone")]) == 2
    assert sink.commit([product(1, name="again")]) == 0
    later = [Delivery(3, [Record(url="http://shop.example/1", fields={"name": "new"})])]
    assert sink.commit([*later, Delivery(4, [Record(url="http://shop.example/2")])]) == 2
    sink.close()
    assert read(tmp_path)["name"].to_pylist() == ["new"]


def test_a_new_field_of_a_resumed_crawl_gets_its_column(tmp_path: Path) -> None:
    each: list[dict[str, Any]] = [{"name": "Kettle"}, {"price": PRICE}]
    for number, fields in enumerate(each):
        sink = opened(tmp_path)
        sink.commit([product(number, **fields)])
        sink.close()
    assert read(tmp_path).to_pydict()["price"] == [None, 12.5]


def test_what_was_committed_outlives_a_kill(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys; from tests.sinks.test_table import opened, product; from pathlib import Path;"
        "sink = opened(Path(sys.argv[1])); sink.commit([product(1, name='Kettle')]);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", program, tmp_path], check=False, env=os.environ, timeout=120)
    assert done.returncode < 0
    sink = opened(tmp_path)
    assert sink.commit([product(1, name="Kettle"), product(2, name="Pot")]) == 1
    sink.close()
    assert read(tmp_path)["name"].to_pylist() == ["Kettle", "Pot"]
    assert [path.name for path in tmp_path.glob("*.parquet")] == ["products.table.parquet"]


def test_a_foreign_file_is_not_replaced_unless_told(tmp_path: Path) -> None:
    (tmp_path / "products.table.parquet").write_bytes(b"mine")
    with pytest.raises(SinkError, match="--overwrite"):
        opened(tmp_path)
    opened(tmp_path, overwrite=True).close()
    assert read(tmp_path).num_rows == 0


def test_values_of_several_kinds_share_a_column(tmp_path: Path) -> None:
    sink = opened(tmp_path)
    sink.commit([product(1, size=4, price="ask", when="2024-05-06"), product(2, size="XL", price=PRICE, when="soon")])
    sink.close()
    table = read(tmp_path).to_pydict()
    assert (table["size"], table["price"], table["when"]) == (["4", "XL"], [None, 12.5], ["2024-05-06", "soon"])


SIMPLE = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(max_size=12)
VALUES = st.one_of(
    SIMPLE,
    st.sampled_from(["2024-05-06", "2024-02-31", "12"]),
    st.fixed_dictionaries({"amount": SIMPLE, "currency": SIMPLE}),
    st.fixed_dictionaries({"value": SIMPLE, "unit": SIMPLE}),
    st.lists(SIMPLE, max_size=3),
    st.dictionaries(st.text(max_size=4), SIMPLE, max_size=2),
)


@given(
    st.lists(st.dictionaries(st.sampled_from(["a", "A", "page", "b c", "é", "price"]), VALUES, max_size=5), max_size=6)
)
def test_any_fields_fit_their_columns(records: list[dict[str, Any]]) -> None:
    from nephila.sinks.table import to_table

    rows = [(str(number), f"http://a.example/{number}", None, own_fields(each)) for number, each in enumerate(records)]
    table = to_table(iter(rows))
    assert table.num_rows == sum(bool(row[3]) for row in rows)
    assert len({name.lower() for name in table.column_names}) == len(table.column_names)


def test_names_that_no_column_can_have_are_left_out() -> None:
    assert own_fields({"a b": 1, "x'; DROP": 1, 'q"': 1, "2nd": 1, "ok_1": 1, "größe": 2}) == {"ok_1": 1, "größe": 2}
    assert [column.name for column in columns_of([("Name", shape_of("a")), ("name", shape_of("b"))])] == ["Name"]


def test_its_name_says_what_it_is(tmp_path: Path) -> None:
    from nephila.sinks.table import TableSink

    assert isinstance(create_sink("a.table.parquet", tmp_path / "ledger.sqlite"), TableSink)
    assert not isinstance(create_sink("table.parquet", tmp_path / "ledger.sqlite"), TableSink)
