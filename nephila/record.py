"""The Record: the one JSON-able shape that every sink writes. Documented in docs/record.md; knows no other room."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import orjson

SCHEMA_VERSION = 1
"""Grows when a field changes its meaning or goes away; a new field alone does not raise it."""


@dataclass(slots=True)
class Record:
    """What Nephila knows of one page (or post). Absent is None, never a guess."""

    url: str
    final_url: str | None = None
    fetched_at: str | None = None
    """ISO 8601 in UTC."""
    status: int | None = None
    kind: str | None = None
    """article, listing, board, thread, post, product, documentation, service, file, ..., other."""
    title: str | None = None
    text: str | None = None
    markdown: str | None = None
    author: str | None = None
    published: str | None = None
    modified: str | None = None
    language: str | None = None
    site: str | None = None
    """The registered domain, such as `example.co.uk`."""
    site_name: str | None = None
    description: str | None = None
    image: str | None = None
    canonical_url: str | None = None
    tags: list[str] | None = None
    captions: list[str] | None = None
    """Of the pictures in the text."""
    comments: list[dict[str, Any]] | None = None
    related: list[dict[str, Any]] | None = None
    """Pages that this one calls related, `title` and `url` of each."""
    fields: dict[str, Any] | None = None
    """What a learned rule extracted."""
    posts: list[dict[str, Any]] | None = None
    """Comments under an article, answers to a question, where the page is one record."""
    post: dict[str, Any] | None = None
    """Of a post of a forum: its id, place, thread, boards, quotes, version."""
    links: list[str] | None = None
    content_type: str | None = None
    content_length: int | None = None
    depth: int | None = None
    rendered: bool = False
    extractor: str | None = None
    confidence: float | None = None
    duplicate_of: str | None = None
    """URL of an earlier page with the same text, or nearly so."""
    schema: int = field(default=SCHEMA_VERSION)

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in FIELD_NAMES}

    def to_json(self) -> bytes:
        """One line of JSON, without the line's end."""
        return orjson.dumps(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Record:
        """Reads a record written by this or an older version; fields that are unknown here are left out."""
        return cls(**{name: data[name] for name in FIELD_NAMES if name in data})


FIELD_NAMES: tuple[str, ...] = tuple(f.name for f in fields(Record))
