"""Why a fetch brought no page: one named cause each, so that a summary can count them. Knows no other room."""

from __future__ import annotations

from enum import StrEnum


class Cause(StrEnum):
    """Stable names, shown in summaries, dead letters and metrics."""

    TIMEOUT = "timeout"
    STALLED = "stalled"
    REFUSED = "connection refused"
    UNREACHABLE = "unreachable"
    DNS = "name not found"
    TLS = "certificate or TLS error"
    RESET = "connection lost"
    TRUNCATED = "body cut short"
    PROTOCOL = "broken HTTP"
    TOO_LARGE = "body too large"
    BOMB = "decompression bomb"
    ENCODING = "broken content encoding"
    ADDRESS = "private address refused"
    PROXY = "proxy error"
    BAD_URL = "bad URL"
    ROBOTS = "disallowed by robots.txt"
    ROBOTS_UNREACHABLE = "robots.txt unreachable"
    REDIRECTS = "too many redirects"
    REDIRECT_TARGET = "redirect to a bad target"
    REDIRECT_LOOP = "redirects to itself"
    SERVER_BUSY = "server asked to wait"
    LEASE_LOST = "lease lost"
    PARSE = "page could not be read"
    RENDER = "page could not be drawn"
    BROWSER = "browser lost"
    CRASH = "its workers died"
    INTERNAL = "internal error"


_FINAL = frozenset(
    {
        Cause.TOO_LARGE,
        Cause.BOMB,
        Cause.ADDRESS,
        Cause.BAD_URL,
        Cause.ROBOTS,
        Cause.REDIRECTS,
        Cause.REDIRECT_TARGET,
        Cause.PARSE,
        Cause.CRASH,
    }
)


class FetchError(Exception):
    """A fetch that failed; `cause` is counted, the message says more."""

    def __init__(self, cause: Cause, message: str = "", *, retry_at: float | None = None, final: bool = False) -> None:
        """`retry_at`: not worth trying before then, nor anything else of the same host; `final`: never worth it."""
        super().__init__(message or str(cause))
        self.cause = cause
        self.retry_at = retry_at
        self.final = final or cause in _FINAL

    @property
    def may_pass(self) -> bool:
        """Whether another attempt could succeed."""
        return not self.final
