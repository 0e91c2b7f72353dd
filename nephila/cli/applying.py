"""Rules of a file, applied to pages at hand: the part of `extract --rules` that knows the wrappers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from nephila.document import parse
from nephila.record import Record
from nephila.urls import registered_domain
from nephila.wrappers.book import RuleBook


@cache
def _book(path: Path) -> RuleBook:
    return RuleBook.load(path)


def add_fields(record: Record, body: bytes, url: str | None, rules: Path) -> None:
    """Writes what the rules find into the record."""
    host = urlsplit(url).hostname if url else None
    template, reading = _book(rules).read(parse(body, url), registered_domain(host) if host else None)
    record.fields = reading.values or None
    if template is not None and template.kind:
        record.kind = template.kind.lower()
