"""Checkpoints that a job asks for by name: lengths, languages, dates, patterns, confidence, duplicates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nephila.quality.base import Evidence
from nephila.quality.checks import value_of
from nephila.record import Record


@dataclass(frozen=True, slots=True)
class Length:
    """Characters of a text, or items of a list; what is missing has the length 0."""

    fields: tuple[str, ...]
    least: float = 0
    most: float = float("inf")
    name: str = "length"

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:  # noqa: ARG002
        for field in self.fields:
            value = value_of(record, field)
            length = 0 if value is None else len(value) if isinstance(value, str | list | dict) else len(str(value))
            if not self.least <= length <= self.most:
                bound = f"at least {self.least:g}" if length < self.least else f"at most {self.most:g}"
                yield f"{field} has a length of {length:,}, {bound} wanted"


@dataclass(frozen=True, slots=True)
class Language:
    """`en` lets `en-GB` pass as well."""

    languages: tuple[str, ...]
    unknown_passes: bool = False
    name: str = "language"

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:  # noqa: ARG002
        said = (record.language or "").lower().replace("_", "-")
        if not said:
            if not self.unknown_passes:
                yield "language is unknown"
        elif not any(said == each or said.startswith(f"{each}-") for each in map(str.lower, self.languages)):
            yield f"language is {said}, not {' or '.join(self.languages)}"


@dataclass(frozen=True, slots=True)
class DateRange:
    """ISO 8601 dates compare as text as far as both are exact."""

    fields: tuple[str, ...]
    after: str | None = None
    before: str | None = None
    unknown_passes: bool = False
    name: str = "date"

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:  # noqa: ARG002
        for field in self.fields:
            value = value_of(record, field)
            if not isinstance(value, str):
                if not self.unknown_passes:
                    yield f"{field} is missing"
                continue
            if self.after is not None and value[: len(self.after)] < self.after[: len(value)]:
                yield f"{field} is {value}, before {self.after}"
            if self.before is not None and value[: len(self.before)] > self.before[: len(value)]:
                yield f"{field} is {value}, after {self.before}"


@dataclass(frozen=True, slots=True)
class Pattern:
    fields: tuple[str, ...]
    pattern: re.Pattern[str]
    absent: bool = False
    """It must not be found."""
    name: str = "pattern"

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:  # noqa: ARG002
        for field in self.fields:
            value = value_of(record, field)
            found = value is not None and self.pattern.search(str(value)) is not None
            if found == self.absent:
                yield f"{field} {'matches' if found else 'does not match'} {self.pattern.pattern}"


@dataclass(frozen=True, slots=True)
class Confidence:
    least: float
    name: str = "confidence"

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:  # noqa: ARG002
        if record.confidence is not None and record.confidence < self.least:
            yield f"confidence is {record.confidence:.2f}, at least {self.least:g} wanted"


@dataclass(frozen=True, slots=True)
class Duplicate:
    """What an earlier page said already."""

    name: str = "duplicate"

    def check(self, record: Record, evidence: Evidence) -> Iterator[str]:  # noqa: ARG002
        if record.duplicate_of is not None:
            yield f"the same text, or nearly, as {record.duplicate_of}"
