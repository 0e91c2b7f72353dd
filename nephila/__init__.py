"""Nephila: a web crawler that turns any set of sites into clean text and structured records, without rules.

    import nephila
    nephila.crawl(nephila.Job(seeds=["https://example.org/"], outputs=["pages.jsonl"]))
    nephila.extract("<h1>A page</h1><p>...").text

The public API is what `__all__` names; everything else may change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nephila.api import Summary, crawl, stream
    from nephila.errors import ConfigError, InputError, NephilaError, SinkError, StateError
    from nephila.extraction import extract
    from nephila.frontier import Frontier
    from nephila.job import Job
    from nephila.memory import Memory
    from nephila.record import Record
    from nephila.sinks import Sink

__version__ = "0.1.0"

__all__ = [
    "ConfigError",
    "Frontier",
    "InputError",
    "Job",
    "Memory",
    "NephilaError",
    "Record",
    "Sink",
    "SinkError",
    "StateError",
    "Summary",
    "crawl",
    "extract",
    "stream",
]

_HOMES = {
    "api": ("Summary", "crawl", "stream"),
    "errors": ("ConfigError", "InputError", "NephilaError", "SinkError", "StateError"),
    "extraction": ("extract",),
    "frontier": ("Frontier",),
    "job": ("Job",),
    "memory": ("Memory",),
    "record": ("Record",),
    "sinks": ("Sink",),
}


def __getattr__(name: str) -> Any:
    """Loads what is asked for when it is asked for: `nephila --help` must not pay for Scrapy."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"nephila.{home}"), name)
    raise AttributeError(f"module 'nephila' has no attribute {name!r}")
