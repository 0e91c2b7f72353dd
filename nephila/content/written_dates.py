"""Dates as people write them on pages, in many languages -> ISO 8601. Knows text only.

A date is taken only when day, month and year are all there: "absent is null, never a guess".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

_FIRST_YEAR, _LAST_YEAR = 1990, 2100

# Beginnings of the months' names, as long as needed to tell them apart within all these languages: English, German,
# French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Russian, Ukrainian, Greek, Swedish, Danish, Norwegian,
# Finnish, Turkish, Romanian, Indonesian.
_MONTH_STARTS: dict[int, str] = {
    1: "jan jän janv enero ene gen sty led янв січ ιαν tammi oca ian",
    2: "feb fev fév lut úno únor фев лют φεβ helmi şub",
    3: "mar mär mrt maart março březen březn мар бер μάρ μαρ maalis",
    4: "apr avr abr kwi dub апр кві απρ huhti nis",
    5: "may mai maj mag mei kwě květ мая май трав μάι μαΐ μαϊ mayıs touko",
    6: "jun juin giu cze červen červn июн черв ιούν ιουν kesä haz",
    7: "jul juil lug lip červenec července июл лип ιούλ ιουλ heinä tem",
    8: "aug aoû aou ago sie srp авг сер αύγ αυγ elo ağu",
    9: "sep set wrz zář сен вер σεπ syys eyl",
    10: "oct okt out ott paź říj окт жов οκτ loka eki",
    11: "nov lis листоп ноя νοέ νοε marras kas",
    12: "dec dez dic déc gru pro дек груд δεκ joulu ara",
}
_BY_START = sorted(
    ((start, month) for month, starts in _MONTH_STARTS.items() for start in starts.split()),
    key=lambda pair: -len(pair[0]),
)
_NAME = r"(?P<name>[^\W\d_]{3,12})\.?"
_DAY = r"(?P<day>[0-3]?\d)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_SHAPES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        rf"(?<!\d){_YEAR}\s?[年년]\s?(?P<month>[01]?\d)\s?[月월]\s?{_DAY}\s?[日일]",
        rf"(?<!\d){_YEAR}(?P<mark>[-/.])\s?(?P<month>[01]?\d)(?P=mark)\s?{_DAY}(?!\d)",
        rf"(?<!\d){_DAY}(?:st|nd|rd|th|er|[.ºª°])?\s*(?:de\s+|of\s+)?{_NAME},?\s*(?:de[l]?\s+)?{_YEAR}(?!\d)",
        rf"(?<![^\W\d_]){_NAME}\s*{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}(?!\d)",
        rf"(?<!\d){_YEAR}[.,]?\s+{_NAME}\s+{_DAY}(?!\d)",
    )
)
_NUMERIC = re.compile(rf"(?<![\d./-])(?P<first>[0-3]?\d)(?P<mark>[./-])(?P<second>[0-3]?\d)(?P=mark){_YEAR}(?!\d)")
_ANY_YEAR = re.compile(r"(?:19|20)\d\d")
_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)[/_-]?([01]\d)[/_-]?([0-3]\d)(?!\d)")
_IN_URL_REVERSED = re.compile(r"(?<![\d-])([0-3]\d)-([01]\d)-((?:19|20)\d\d)(?![\d-])")
_SHORT = re.compile(r"(?<![\d.:/-])([0-3]\d)\.([01]\d)\.(\d\d)(?![\d.:])")
"""Day and month in two digits: 2.4.19 is a version as likely as a day."""
_LONGEST = 2000


def find_date(text: str, language: str | None = None, *, short_years: bool = False) -> str | None:
    """The first full date in the text as YYYY-MM-DD, or None. `language` tells 3/4/2024 in America from elsewhere.

    `short_years`: where a date is expected, `31.10.23` is one.
    """
    text = text[:_LONGEST]
    found = list(_dates(text, language)) if _ANY_YEAR.search(text) else []
    if not found and short_years and text.count(".") > 1:
        for match in _SHORT.finditer(text):
            if iso := _iso(_century(int(match[3])), int(match[2]), int(match[1])):
                return iso
    return min(found)[1] if found else None


def date_spans(text: str) -> list[tuple[int, int]]:
    """Where dates are written in the text, the last one first; each place once."""
    spans = []
    for shape in (*_SHAPES, _NUMERIC, _SHORT):
        spans += [match.span() for match in shape.finditer(text[:_LONGEST])]
    spans.sort(reverse=True)
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if not kept or end <= kept[-1][0]:
            kept.append((start, end))
    return kept


def _dates(text: str, language: str | None) -> Iterator[tuple[int, str]]:
    """The first date of each shape, with its place."""
    for shape in _SHAPES:
        for match in shape.finditer(text):
            if iso := _from_names(match.groupdict()):
                yield match.start(), iso
                break
    for match in _NUMERIC.finditer(text):
        if iso := _from_numbers(match, language):
            yield match.start(), iso
            break


def _century(year: int) -> int:
    return 1900 + year if year >= _FIRST_YEAR % 100 else 2000 + year


def date_in_url(url: str) -> str | None:
    """The day that many sites write into the addresses of their articles: /2024/05/06/. An archive's is not it."""
    url = url[max(0, url.rfind("://")) :]
    for match in _IN_URL.finditer(url):
        if iso := _iso(int(match[1]), int(match[2]), int(match[3])):
            return iso
    for match in _IN_URL_REVERSED.finditer(url):
        if iso := _iso(int(match[3]), int(match[2]), int(match[1])):
            return iso
    return None


def _from_names(parts: dict[str, str | None]) -> str | None:
    name = parts.get("name")
    month = month_number(name) if name else int(parts.get("month") or 0)
    return _iso(int(parts["year"] or 0), month, int(parts["day"] or 0))


def _from_numbers(match: re.Match[str], language: str | None) -> str | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    month_first = match["mark"] == "/" and (language or "en").lower() in ("en", "en-us")
    day, month = (second, first) if (month_first and first <= 12) or second > 12 else (first, second)
    return _iso(year, month, day)


def month_number(name: str) -> int:
    """1 to 12, or 0 when it is no month."""
    name = name.lower()
    return next((month for start, month in _BY_START if name.startswith(start)), 0)


def _iso(year: int, month: int, day: int) -> str | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
