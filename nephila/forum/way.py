"""Where a crawl of a forum goes next, and a page as its guide sees it. Shapes only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nephila.forum.model import Key
from nephila.forum.reading import Reading
from nephila.urls import origin

META = "forum"
"""Key in an entry's meta: why it is followed, and what is known of it."""
EARLY = "e"
"""In what is known of an entry: it was fetched under another identity; followed only when its row has changed."""
BOARD, THREAD, CANDIDATE, UPWARDS, AGAIN, OTHER, EXPLORE = 70, 60, 55, 30, 20, 0, -60
"""Priorities."""


@dataclass(slots=True)
class Way:
    """A link worth following."""

    url: str
    priority: int
    identity: str | None = None
    """What makes it the same as other URLs; None: the URL itself."""
    modified: float | None = None
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Guided:
    """A page as the guide sees it."""

    reading: Reading
    key: Key | None
    ways: list[Way]
    steered: bool
    """Only `ways` are to be followed; otherwise they come before the page's other links."""
    board: list[str] = field(default_factory=list)
    title: str | None = None
    thread_url: str | None = None
    """Of the thread's first page."""
    fresh: int = 0
    """Threads that no page had named before."""
    run: int | None = None
    """Of a later crawl, which: its boards are looked at again once in it."""
    number: int = 1
    """Which page it is of its thread or list, as far as can be told."""
    first: int = 1
    """Place in the thread of the first post on the page."""
    view: bool = False
    """It shows a part of a thread that has addresses of its own."""


def identity_of(url: str, key: Key) -> str:
    """One for all the addresses of a page."""
    return f"{origin(url)}/~forum/{key.text()}"
