"""What a good crawler reports of each hostile path, and the register in which the paths are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.sites.hostile.wire import Answer

CAUSES = {
    "timeout": "no answer, or no further bytes, within the crawler's patience",
    "reset": "the connection was cut",
    "truncated": "the body ended before its declared end",
    "protocol": "the answer is not HTTP, or is malformed HTTP",
    "too-large": "the body or the headers pass the crawler's limit, packed or unpacked",
    "bad-encoding": "the declared content coding does not decode",
    "redirect-loop": "a redirect led back to where it came from",
    "too-many-redirects": "the chain is longer than the crawler's limit",
    "bad-location": "a redirect without a usable Location",
    "bad-scheme": "a redirect to something that is not http or https",
    "private-address": "a redirect to an address that is not public",
    "robots": "robots.txt forbids it",
    "nofollow": "only linked by links that ask not to be followed",
    "not-a-page": "fetched, or known by its type, and left out as it is no text",
}


@dataclass(frozen=True)
class Expected:
    """What should be reported of one path."""

    outcome: str
    """ok: a record; status: no record, the status is reported; failed: reported with a cause; skipped: never fetched
    (or fetched and left out) with a cause; trap: a record at most, and no more than `at_most` fetches below it."""
    status: int | None = None
    cause: str | None = None
    at_most: int | None = None
    contains: str | None = None
    """Words that the record's text must hold: the charset was understood, nothing was lost."""
    either: bool = False
    """Failing cleanly with `cause` is as good as succeeding."""
    retried: bool = False
    """The first answers fail; a second or third attempt, after the time asked for, is answered."""
    prefix: bool = False
    """The entry stands for every path that begins with it."""
    listed: bool = True
    """Whether the index page links to it."""


def ok(**more: object) -> Expected:
    return Expected("ok", 200, **more)  # type: ignore[arg-type]


def answered(status: int, **more: object) -> Expected:
    return Expected("status", status, **more)  # type: ignore[arg-type]


def failed(cause: str, **more: object) -> Expected:
    return Expected("failed", cause=cause, **more)  # type: ignore[arg-type]


def skipped(cause: str, **more: object) -> Expected:
    return Expected("skipped", cause=cause, **more)  # type: ignore[arg-type]


def trap(at_most: int, **more: object) -> Expected:
    return Expected("trap", 200, at_most=at_most, prefix=True, **more)  # type: ignore[arg-type]


EXPECTED: dict[str, Expected] = {}
HANDLERS: dict[str, Answer] = {}


def page(path: str, expected: Expected) -> Callable[[Answer], Answer]:
    """Registers an answer for `path` (and all below it, where `expected` says so)."""
    if expected.cause is not None and expected.cause not in CAUSES:
        raise ValueError(f"unknown cause {expected.cause!r}")

    def register(answer: Answer) -> Answer:
        EXPECTED[path], HANDLERS[path] = expected, answer
        return answer

    return register


def handler_of(path: str) -> Answer | None:
    """The answer for `path`: its own, or that of the longest registered beginning."""
    if path in HANDLERS:
        return HANDLERS[path]
    fitting = [known for known, expected in EXPECTED.items() if expected.prefix and path.startswith(known)]
    return HANDLERS[max(fitting, key=len)] if fitting else None
