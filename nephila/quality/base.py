"""The contract of a checkpoint. Knows records alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

from nephila.record import Record


class Fault(NamedTuple):
    """One reason to set a record aside."""

    checkpoint: str
    """The name of the checkpoint that found it."""
    reason: str
    """For a person: names the field and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a record besides its values."""

    group: str | None = None
    """The template group of its page."""
    agreement: Mapping[str, float] = field(default_factory=dict)
    """Of each field, the share of its rules that found this value, between 0 and 1."""


@runtime_checkable
class Checkpoint(Protocol):
    @property
    def name(self) -> str:
        """Short and stable: counters and set-aside records carry it."""
        ...

    def check(self, record: Record, evidence: Evidence) -> Iterable[str]:
        """The reasons why the record is not fit; none when it passes."""
        ...


_NOTHING_KNOWN = Evidence()


def inspect(record: Record, checkpoints: Iterable[Checkpoint], evidence: Evidence = _NOTHING_KNOWN) -> list[Fault]:
    """The faults that all checkpoints find; an empty list means that the record is fit."""
    return [Fault(each.name, reason) for each in checkpoints for reason in each.check(record, evidence)]
