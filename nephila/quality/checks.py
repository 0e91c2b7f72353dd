"""Checkpoints on the fields of a record: required, of their type, found as often as before, agreed on by rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from nephila.quality.base import Evidence
from nephila.record import FIELD_NAMES, Record


def value_of(record: Record, name: str) -> Any:
    """A learned field, or else the record's own of that name; None when it is empty."""
    value = (record.fields or {}).get(name)
    if value is None and name in FIELD_NAMES:
        value = getattr(record, name)
    return None if value in ("", [], {}) else value


@dataclass(frozen=True, slots=True)
class Required:
    """Fields without which a record is of no use."""

    fields: tuple[str, ...]
    name: str = "required"

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:  # noqa: ARG002
        for name in self.fields:
            if value_of(record, name) is None:
                yield f"{name} is missing"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_date(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    if value.isdigit() and len(value) == 4:
        return True
    try:
        datetime.fromisoformat(value if len(value) != 7 else f"{value}-01")
    except ValueError:
        return False
    return True


_TYPES: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": _is_number,
    "price": lambda value: isinstance(value, dict) and _is_number(value.get("amount")),
    "quantity": lambda value: isinstance(value, dict) and _is_number(value.get("value")),
    "date": _is_date,
    "url": lambda value: isinstance(value, str) and value.startswith(("http://", "https://", "/")),
    "image": lambda value: isinstance(value, str) and value.startswith(("http://", "https://", "/", "data:")),
    "list": lambda value: isinstance(value, list),
}
TYPE_NAMES = tuple(_TYPES)


@dataclass(frozen=True, slots=True)
class Typed:
    """Values are what their fields promise: text, number, price, quantity, date, url, image, list."""

    types: Mapping[str, str]
    name: str = "type"

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:  # noqa: ARG002
        for field_name, kind in self.types.items():
            value = value_of(record, field_name)
            if value is None or kind not in _TYPES:
                continue
            values = value if isinstance(value, list) and kind != "list" else [value]
            if not all(_TYPES[kind](each) for each in values):
                yield f"{field_name} is no {kind}: {str(value)[:80]!r}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """The rules of a field point at the same value; where they fall apart, the template has changed."""

    at_least: float = 0.5
    name: str = "agreement"

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:
        for field_name, share in evidence.agreement.items():
            if share < self.at_least and value_of(record, field_name) is not None:
                yield f"only {share:.0%} of the rules of {field_name} agree"


@dataclass(slots=True)
class FireRate:
    """A field that a group's records nearly always had is suddenly absent from several of them in a row.

    One record without it says little (things are sold out); so the last `window` records of the group are looked at
    together, and the fault is raised while their rate is below `share` of the rate before.
    """

    window: int = 8
    share: float = 0.5
    at_least: int = 16
    """Records of history before anything is said."""
    name: str = "fire rate"
    _seen: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    """Group and field -> [records before the window, of these with the field, then the window's 0s and 1s]."""
    _fields: dict[str, set[str]] = field(default_factory=dict)

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:
        if evidence.group is None:
            return
        names = self._fields.setdefault(evidence.group, set())
        names.update(record.fields or {})
        for field_name in sorted(names):
            fired = value_of(record, field_name) is not None
            history = self._seen.setdefault((evidence.group, field_name), [0.0, 0.0])
            history.append(float(fired))
            if len(history) > self.window + 2:
                history[0] += 1
                history[1] += history.pop(2)
            if fired or history[0] < self.at_least or len(history) < self.window + 2:
                continue
            before, now = history[1] / history[0], sum(history[2:]) / self.window
            if now < before * self.share:
                yield f"{field_name} was on {before:.0%} of the pages, now on {now:.0%}"
