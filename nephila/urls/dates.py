"""The date that a URL tells: `/2026/11/15/`, `/2026-11-15-title`, `/20261115/`, `/2026/nov/15/`, `/2026/11/`.

A guess for newest-first ordering, never a fact about the page. Knows no other room.
"""

from __future__ import annotations

import re
import time
from calendar import timegm
from datetime import date

_NAMES = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split("|"), 1)}
_YEAR = r"(?<![0-9])((?:19|20)[0-9]{2})"
_DAY = re.compile(_YEAR + r"[/_.-]([0-9]{1,2})[/_.-]([0-9]{1,2})(?![0-9])").search
_NAMED = re.compile(
    _YEAR + r"[/_-](" + _NAMES + r")[a-z]{0,6}[/_-]([0-9]{1,2})(?![0-9])",
    re.IGNORECASE,
).search
_COMPACT = re.compile(r"(?<![0-9A-Za-z])((?:19|20)[0-9]{2})(0[1-9]|1[0-2])([0-3][0-9])(?![0-9A-Za-z])").search
_MONTH = re.compile(r"/((?:19|20)[0-9]{2})[/-](0?[1-9]|1[0-2])(?=/|$)").search
_EARLIEST = date(1990, 1, 1)


def url_date(url: str, *, now: float | None = None) -> float | None:
    """Seconds since the epoch (UTC, midnight) of the date in a canonical URL's path; a month counts as its first day.

    None where there is none, and for dates before the Web or more than a day ahead of `now`.
    """
    path = url.partition("?")[0]
    start = path.find("/", 8)
    found = _read(path[start:]) if start >= 0 else None
    if found is None or found < _EARLIEST:
        return None
    seconds = float(timegm(found.timetuple()))
    return seconds if seconds <= (time.time() if now is None else now) + 86400 else None


def _read(path: str) -> date | None:
    if "20" not in path and "19" not in path:
        return None
    if match := _DAY(path):
        return _date(match[1], int(match[2]), match[3])
    if match := _NAMED(path):
        return _date(match[1], _MONTHS[match[2].lower()], match[3])
    if match := _COMPACT(path):
        return _date(match[1], int(match[2]), match[3])
    if match := _MONTH(path):
        return _date(match[1], int(match[2]), "1")
    return None


def _date(year: str, month: int, day: str) -> date | None:
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None
