"""Dates as machines write them -> ISO 8601. Dates in the words of a language are no concern of this file."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

_ISO = re.compile(
    r"\s*(?P<year>\d{4})(?P<separator>[-/.]?)(?P<month>\d{1,2})(?P=separator)(?P<day>\d{1,2})"
    r"(?:[T\s]+(?P<hour>\d{1,2}):?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?)?",
    re.IGNORECASE,
)
_MONTH = re.compile(r"\s*(\d{4})-(\d{2})\s*$")
_EPOCH = re.compile(r"\s*(\d{10})(?:\d{3})?\s*$")
_LONGEST = 64
_FIRST_YEAR, _LAST_YEAR = 1980, 2100


def to_iso(value: object) -> str | None:
    """`2024-05-06`, or `2024-05-06T07:08:09+02:00` with what is known of the time; None when it is no such date."""
    text = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    if not text or len(text) > _LONGEST:
        return None
    try:
        if epoch := _EPOCH.match(text):
            return _checked(datetime.fromtimestamp(int(epoch.group(1)), UTC)).isoformat()
        if match := _ISO.match(text):
            return _from_match(match)
        if month := _MONTH.match(text):
            return _checked(datetime(int(month.group(1)), int(month.group(2)), 1)).strftime("%Y-%m")  # noqa: DTZ001
        return _checked(parsedate_to_datetime(text)).isoformat()
    except (ValueError, TypeError, OverflowError, IndexError, OSError):
        return None


def _checked(moment: datetime) -> datetime:
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise ValueError("not a year of the web")
    return moment


def _from_match(match: re.Match[str]) -> str:
    part = match.groupdict()
    if not part["separator"] and len(part["month"]) + len(part["day"]) != 4:
        raise ValueError("too few digits")
    day = _checked(datetime(int(part["year"]), int(part["month"]), int(part["day"])))  # noqa: DTZ001  # as it is written
    if part["hour"] is None:
        return day.date().isoformat()
    moment = day.replace(hour=int(part["hour"]), minute=int(part["minute"]), second=int(part["second"] or 0))
    return moment.replace(tzinfo=_zone(part["zone"])).isoformat()


def _zone(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text[0] not in "+-":
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)
