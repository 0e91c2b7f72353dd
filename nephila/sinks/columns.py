"""Fields as columns of a table: a price is an amount and a currency, a quantity a value and a unit, the rest one each.

What a field is, its values tell: a column appears with the first value, and is text where values of a field differ.
Knows values of fields alone, neither formats nor databases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

PRICE, QUANTITY, NUMBER, BOOLEAN, DATE, TEXT, LIST, OTHER = (
    "price",
    "quantity",
    "number",
    "boolean",
    "date",
    "text",
    "list",
    "other",
)
_PARTS = {PRICE: (("amount", NUMBER), ("currency", TEXT)), QUANTITY: (("value", NUMBER), ("unit", TEXT))}
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_NAME = re.compile(r"[^\W\d]\w{0,40}")
_OF_LISTINGS = frozenset({"items", "next"})
MOST_COLUMNS = 400
PAGE, KIND = "page", "kind"
"""The columns before those of the fields: the page's address, and the type that its fields make up."""


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    field: str
    part: str | None
    """Of a field that has parts, which one."""
    kind: str
    """`number`, `boolean`, `date`, `text`, `list` (of texts) or `other` (JSON)."""

    def of(self, fields: Mapping[str, Any]) -> Any:
        """The value of a record; None where it has none, or one of another kind."""
        value = fields.get(self.field)
        if self.part is not None:
            value = value.get(self.part) if isinstance(value, dict) else None
        if value is None or self.kind == OTHER:
            return value
        if self.kind == LIST:
            return [str(each) for each in (value if isinstance(value, list) else [value])]
        if self.kind == TEXT:
            return value if isinstance(value, str) else str(value)
        if self.kind == DATE:
            return _day(value)
        fits = isinstance(value, bool) if self.kind == BOOLEAN else _is_number(value)
        return value if fits else None


def own_fields(fields: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a page says of itself: not what it lists, and only names that can be a column's."""
    return {
        name: value
        for name, value in (fields or {}).items()
        if value is not None and name not in _OF_LISTINGS and _NAME.fullmatch(name)
    }


def shape_of(value: Any) -> str:
    if isinstance(value, dict):
        return (
            PRICE
            if value.keys() == {"amount", "currency"}
            else QUANTITY
            if value.keys() == {"value", "unit"}
            else OTHER
        )
    if isinstance(value, list):
        return LIST if all(isinstance(each, str) for each in value) else OTHER
    if isinstance(value, bool):
        return BOOLEAN
    if _is_number(value):
        return NUMBER
    return DATE if isinstance(value, str) and _day(value) is not None else TEXT


def columns_of(shapes: Iterable[tuple[str, str]]) -> list[Column]:
    """The columns of fields with these shapes; names that differ in case alone are one, as databases see them."""
    seen: dict[str, set[str]] = {}
    for field, shape in shapes:
        seen.setdefault(field, set()).add(shape)
    columns: list[Column] = []
    taken = {PAGE, KIND}
    for field, found in seen.items():
        shape = _common(found)
        parts = _PARTS.get(shape, ((None, shape),))
        names = [field if not place else f"{field}_{part}" for place, (part, _) in enumerate(parts)]
        if taken.isdisjoint(map(str.lower, names)) and len(columns) + len(parts) <= MOST_COLUMNS:
            taken.update(map(str.lower, names))
            columns += [Column(name, field, part, kind) for name, (part, kind) in zip(names, parts, strict=True)]
    return columns


def _common(shapes: set[str]) -> str:
    """The shape of a column whose values have these: parts count more than a text that could not be taken apart."""
    if len(shapes) == 1:
        return next(iter(shapes))
    for shape in (OTHER, LIST, PRICE, QUANTITY):
        if shape in shapes:
            return shape
    return TEXT


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _day(value: Any) -> date | None:
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None
