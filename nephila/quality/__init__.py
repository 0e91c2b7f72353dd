"""Checkpoints that a record passes, or is set aside with the reasons.

    Record, Evidence ──▶ Checkpoint, ... ──▶ no faults: to the outputs; faults: set aside, each with its name

A checkpoint looks at one record and says what is wrong with it; it changes nothing. `Evidence` is what the record does
not carry: the template group that the page belongs to and how well the rules of each field agreed. The room knows
records, not pages, rules or outputs.
"""

from nephila.quality.base import Checkpoint, Evidence, Fault, inspect
from nephila.quality.building import build_checkpoints
from nephila.quality.checks import Agreement, FireRate, Required, Typed

__all__ = [
    "Agreement",
    "Checkpoint",
    "Evidence",
    "Fault",
    "FireRate",
    "Required",
    "Typed",
    "build_checkpoints",
    "inspect",
]
