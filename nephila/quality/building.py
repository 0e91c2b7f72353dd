"""Checkpoints out of the rules of a job: plain names and values, checked before the first fetch."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nephila.errors import ConfigError
from nephila.quality.base import Checkpoint
from nephila.quality.checks import TYPE_NAMES, Agreement, FireRate, Required, Typed
from nephila.quality.fields import Confidence, DateRange, Duplicate, Language, Length, Pattern

Rule = Mapping[str, Any]


def build_checkpoints(rules: Sequence[Rule]) -> list[Checkpoint]:
    """One for each rule; ConfigError names what to change."""
    return [_build(number, rule) for number, rule in enumerate(rules, 1)]


def _build(number: int, rule: Rule) -> Checkpoint:
    check = str(rule["check"])
    place = f"checks, number {number} ({check})"
    for key in _NEEDED[check]:
        if not rule.get(key):
            raise ConfigError(f"{place}: needs {key}")
    fields = tuple(rule.get("fields") or ())
    name = rule.get("name") or " ".join([check, *fields])
    try:
        return _MAKERS[check](rule, fields, name)
    except (re.error, ValueError) as error:
        raise ConfigError(f"{place}: {error}") from None


def _length(rule: Rule, fields: tuple[str, ...], name: str) -> Checkpoint:
    least, most = rule.get("min"), rule.get("max")
    if least is None and most is None:
        raise ValueError("needs min or max")
    return Length(fields, least or 0, float("inf") if most is None else most, name)


def _date(rule: Rule, fields: tuple[str, ...], name: str) -> Checkpoint:
    if not rule.get("after") and not rule.get("before"):
        raise ValueError("needs after or before")
    return DateRange(fields or ("published",), rule.get("after"), rule.get("before"), bool(rule.get("absent")), name)


def _type(rule: Rule, fields: tuple[str, ...], name: str) -> Checkpoint:
    if rule["type"] not in TYPE_NAMES:
        raise ValueError(f"there is no type {rule['type']!r}: {', '.join(TYPE_NAMES)}")
    return Typed({field: str(rule["type"]) for field in fields}, name)


def _share(rule: Rule) -> float:
    share = 0.5 if rule.get("min") is None else float(rule["min"])
    if not 0 < share <= 1:
        raise ValueError("min is a share, above 0 and at most 1")
    return share


_MAKERS: dict[str, Callable[[Rule, tuple[str, ...], str], Checkpoint]] = {
    "required": lambda rule, fields, name: Required(fields, name),  # noqa: ARG005
    "length": _length,
    "language": lambda rule, fields, name: Language(tuple(rule["languages"]), bool(rule.get("absent")), name),  # noqa: ARG005
    "date": _date,
    "pattern": lambda rule, fields, name: Pattern(fields, re.compile(rule["pattern"]), bool(rule.get("absent")), name),
    "type": _type,
    "confidence": lambda rule, fields, name: Confidence(float(rule["min"]), name),  # noqa: ARG005
    "duplicate": lambda rule, fields, name: Duplicate(name),  # noqa: ARG005
    "agreement": lambda rule, fields, name: Agreement(_share(rule), name),  # noqa: ARG005
    "fire rate": lambda rule, fields, name: FireRate(share=_share(rule), name=name),  # noqa: ARG005
}
_NEEDED: dict[str, tuple[str, ...]] = {
    "required": ("fields",),
    "length": ("fields",),
    "language": ("languages",),
    "date": (),
    "pattern": ("fields", "pattern"),
    "type": ("fields", "type"),
    "confidence": ("min",),
    "duplicate": (),
    "agreement": (),
    "fire rate": (),
}
