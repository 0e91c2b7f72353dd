"""What the checkpoints say of records."""

from __future__ import annotations

import pytest

from nephila.quality import Agreement, Checkpoint, Evidence, FireRate, Required, Typed, inspect
from nephila.record import Record


def record(**fields: object) -> Record:
    return Record(url="https://shop.example/p/1", fields=dict(fields))


def test_a_record_that_has_all_passes() -> None:
    checkpoints: list[Checkpoint] = [Required(("name", "price")), Typed({"price": "price"}), Agreement(), FireRate()]
    assert all(isinstance(each, Checkpoint) for each in checkpoints)
    fit = record(name="Kettle", price={"amount": 12.5, "currency": "EUR"})
    assert inspect(fit, checkpoints, Evidence("shop", {"price": 1.0})) == []


def test_what_is_missing_is_named() -> None:
    faults = inspect(record(name="", price=None), [Required(("name", "price", "url"))])
    assert [fault.reason for fault in faults] == ["name is missing", "price is missing"]
    assert {fault.checkpoint for fault in faults} == {"required"}


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("number", 3.5, "3.5"),
        ("price", {"amount": 3, "currency": None}, {"amount": "3"}),
        ("quantity", {"value": 2.0, "unit": "kg"}, "2 kg"),
        ("date", "2024-02-29", "2024-02-30"),
        ("date", "2024-05", "May"),
        ("date", "2010", "201"),
        ("url", "https://example.org/", "example"),
        ("list", ["a"], "a"),
        ("text", ["a", "b"], ["a", 1]),
    ],
)
def test_types(kind: str, good: object, bad: object) -> None:
    check = [Typed({"x": kind})]
    assert inspect(record(x=good), check) == []
    assert len(inspect(record(x=bad), check)) == 1
    assert inspect(record(), check) == []


def test_rules_that_fall_apart_are_a_fault_only_where_there_is_a_value() -> None:
    evidence = Evidence("g", {"name": 0.3, "price": 0.2})
    faults = inspect(record(name="Kettle"), [Agreement(0.5)], evidence)
    assert [fault.reason for fault in faults] == ["only 30% of the rules of name agree"]


def test_a_field_that_stops_firing_is_noticed_and_one_absence_is_not() -> None:
    check = [FireRate(window=4, at_least=8)]
    there, gone = record(name="a", price=1), record(name="a")
    evidence = Evidence("g")
    for _ in range(20):
        assert inspect(there, check, evidence) == []
    assert inspect(gone, check, evidence) == []
    assert inspect(there, check, evidence) == []
    found = [inspect(gone, check, evidence) for _ in range(4)]
    assert found[-1]
    assert "price" in found[-1][0].reason
    assert inspect(gone, check, Evidence("another group")) == []
