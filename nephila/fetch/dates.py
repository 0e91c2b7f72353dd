"""Dates as sitemaps and feeds write them, to seconds since the epoch.

For machine-made dates only: the dates that people write on pages are read by `document`'s metadata.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_EARLIEST_YEAR, _LATEST_YEAR = 1970, 2100

_TIME = r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([AaPp]\.?[Mm]\.?)?"
_ZONE = r"\s*((?:GMT|UTC|UT)?\s*[+\-−]\d{1,2}(?::?\d{2})?|Z|[A-Za-z]{2,5})?"
_ISO = re.compile(rf"(\d{{4}})[-/.](\d{{1,2}})(?:[-/.](\d{{1,2}}))?(?:(?:\s*T\s*|\s+|,\s*){_TIME}{_ZONE})?(?!\d)")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?)?(?!\d)")
_DAY_FIRST = re.compile(
    rf"(\d{{1,2}})(?:st|nd|rd|th|\.)?[\s-]*([A-Za-zÀ-ÿ]{{3,10}})\.?,?[\s-]*(\d{{4}}|\d{{2}}),?(?:\s+{_TIME}{_ZONE})?"
)
_MONTH_FIRST = re.compile(
    rf"([A-Za-z]{{3,9}})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})(?:,?\s+(?:at\s+)?{_TIME}{_ZONE})?"
)
_ASCTIME = re.compile(r"([A-Za-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(?:([A-Za-z]{2,5})\s+)?(\d{4})")
_EPOCH = re.compile(r"(\d{9,10})(?:\.\d+)?|(\d{12,13})")
_WEEKDAY = re.compile(r"\s*[^\W\d]{2,12}\.?\s*,\s*")

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan januar january janvier enero ene gennaio gen",
            "feb februar february fev fév février febrero febbraio",
            "mar mär märz mars march marzo",
            "apr april avr avril abril abr aprile",
            "may mai mayo maggio mag",
            "jun juni june juin junio giugno giu",
            "jul juli july juil juillet julio luglio lug",
            "aug august août aout agosto ago",
            "sep sept september septembre septiembre settembre set",
            "oct okt october oktober octobre octubre ottobre ott",
            "nov november novembre noviembre",
            "dec dez dic déc december dezember décembre diciembre dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
# fmt: off
_ZONES = {
    "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "cest": 2, "eet": 2, "eest": 3,
    "msk": 3, "ist": 5.5, "hkt": 8, "sgt": 8, "awst": 8, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12,
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "hst": -10,
    "nzdt": 13,
}
# fmt: on
_OFFSET = re.compile(r"([+\-−])(\d{1,2}):?(\d{2})?$")


def parse_date(text: str) -> float | None:
    """Seconds since the epoch; None when the text is no date between 1970 and 2100. Without a zone, UTC is meant."""
    text = text[:100].strip()
    if not text:
        return None
    if text[4:5] == "-":
        try:  # twenty times as fast as what follows, and right for nearly every sitemap
            moment = datetime.fromisoformat(text)
        except ValueError:
            pass
        else:
            if _EARLIEST_YEAR < moment.year < _LATEST_YEAR:
                return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
    iso = _ISO.match(text)
    if iso is not None:
        year, month, day, *clock = iso.groups()
        return _moment(int(year), int(month), int(day or 1), *clock)
    if text[0].isdigit():
        numeric = _numeric(text)
        if numeric is not None:
            return numeric
    return _worded(_WEEKDAY.sub("", text, count=1))


def _numeric(text: str) -> float | None:
    epoch = _EPOCH.fullmatch(text)
    if epoch is not None:
        seconds = float(epoch[1]) if epoch[1] else int(epoch[2]) / 1000
        return seconds if _in_range(seconds) else None
    compact = _COMPACT.match(text)
    if compact is None:
        return None
    year, month, day, hour, minute, second, zone = compact.groups()
    return _moment(int(year), int(month), int(day), hour, minute, second, None, zone)


def _worded(text: str) -> float | None:
    found = _DAY_FIRST.search(text)
    if found is not None:
        day, month, year, *clock = found.groups()
        number = _MONTHS.get(month.lower())
        if number is not None:
            return _moment(_full_year(year), number, int(day), *clock)
    found = _ASCTIME.search(text)
    if found is not None:
        month, day, hour, minute, second, zone, year = found.groups()
        return _moment(int(year), _MONTHS.get(month.lower(), 0), int(day), hour, minute, second, None, zone)
    found = _MONTH_FIRST.search(text)
    if found is not None:
        month, day, year, *clock = found.groups()
        return _moment(int(year), _MONTHS.get(month.lower(), 0), int(day), *clock)
    return None


def _full_year(year: str) -> int:
    number = int(year)
    return number if len(year) == 4 else number + (2000 if number < 70 else 1900)


def _moment(
    year: int,
    month: int,
    day: int,
    hour: str | None = None,
    minute: str | None = None,
    second: str | None = None,
    half: str | None = None,
    zone: str | None = None,
) -> float | None:
    hours, minutes, seconds = int(hour or 0), int(minute or 0), int(second or 0)
    if half and 1 <= hours <= 12:
        hours = hours % 12 + (12 if half[0] in "pP" else 0)
    if not _EARLIEST_YEAR <= year <= _LATEST_YEAR or hours > 24 or minutes > 59 or seconds > 60:
        return None
    try:
        start = datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
    # Added up rather than given to `datetime`: 24:00 and leap seconds occur.
    moment = (start + timedelta(hours=hours, minutes=minutes, seconds=seconds)).timestamp() - _offset(zone)
    return moment if _in_range(moment) else None


def _offset(zone: str | None) -> float:
    if not zone:
        return 0.0
    named = _ZONES.get(zone.lower())
    if named is not None:
        return named * 3600.0
    found = _OFFSET.search(zone)
    if found is None:
        return 0.0
    sign, hours, minutes = found.groups()
    return (1 if sign == "+" else -1) * (int(hours) * 3600.0 + int(minutes or 0) * 60.0)


def _in_range(moment: float) -> bool:
    return -86400 <= moment < 4_133_980_800
