"""Dates as people write them on pages, in many languages -> ISO 8601. Knows text only.

A date is taken only when day, month and year are all there: "absent is null, never a guess".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import compress

_FIRST_YEAR, _LAST_YEAR = 1990, 2100

# Beginnings of the months' names, as long as needed to tell them apart within all these languages: English, German,
# French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Russian, Ukrainian, Greek, Swedish, Danish, Norwegian,
# Finnish, Turkish, Romanian, Indonesian, Hungarian, Hebrew, Arabic (as in Cairo, Beirut, Tunis).
_MONTH_STARTS: dict[int, str] = {
    1: "jan jän janv enero ene gen sty led янв січ ιαν tammi oca ian ינו ינאיר ينا جانف",
    2: "feb fev fév lut úno únor фев лют φεβ helmi şub פבר فبر فيف شباط",
    3: "mar mär már mrt maart março březen březn мар бер μάρ μαρ maalis מרץ מרס مار آذار",
    4: "apr ápr avr abr kwi dub апр кві απρ huhti nis אפר أبر ابر إبر أفر نيس",
    5: "may mai maj máj mag mei kwě květ мая май трав μάι μαΐ μαϊ mayıs touko מאי ماي أيار ايار",
    6: "jun jún juin giu cze červen červn июн черв ιούν ιουν kesä haz יונ يون جوان حزي",
    7: "jul júl juil lug lip červenec července июл лип ιούλ ιουλ heinä tem יול يول جويل تمو",
    8: "aug aoû aou ago sie srp авг сер αύγ αυγ elo ağu אוג أغس اغس أوت غشت",
    9: "sep szept set wrz zář сен вер σεπ syys eyl ספט سبت شتنب أيلول ايلول",
    10: "oct okt out ott paź říj окт жов οκτ loka eki אוק أكت اكت",
    11: "nov lis листоп ноя νοέ νοε marras kas נוב نوف",
    12: "dec dez dic déc gru pro дек груд δεκ joulu ara דצמ ديس دجنب",
}
_BY_START = {start: month for month, starts in reversed(_MONTH_STARTS.items()) for start in starts.split()}
_LENGTHS = sorted(set(map(len, _BY_START)), reverse=True)
NAME = r"(?P<name>[^\W\d_]{3,12})\.?"
DAY = r"(?P<day>[0-3]?\d)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
ORDINAL = r"(?:st|nd|rd|th|er|[.ºª°])?"
OF = r"(?:de\s+|of\s+|d['’]|ב)?"
"""Between a day and its month."""


def date_shapes(
    year: str = _YEAR, gap: str = r"\s*", after_name: str = r",?\s*", after_day: str = r",?\s+"
) -> tuple[re.Pattern[str], ...]:
    """How a day, a month's name or number and a year are written together; the others: what may part them."""
    return tuple(
        re.compile(shape, re.IGNORECASE)
        for shape in (
            rf"(?<!\d){_YEAR}\s?[年년]\s?(?P<month>[01]?\d)\s?[月월]\s?{DAY}\s?[日일]?",
            rf"(?<!\d){_YEAR}(?P<mark>[-/.])\s?(?P<month>[01]?\d)(?P=mark)\s?{DAY}(?!\d)",
            rf"(?<!\d){DAY}{ORDINAL}{gap}{OF}{NAME}{after_name}(?:de[l]?\s+)?{year}(?!\d)",
            rf"(?<![^\W\d_]){NAME}{gap}{DAY}(?:st|nd|rd|th)?{after_day}{year}(?!\d)",
            rf"(?<!\d){_YEAR}[.,]?\s+{NAME}\s+{DAY}(?!\d)",
        )
    )


_SHAPES = date_shapes()
"""The first one is East Asia's."""
_NUMERIC = re.compile(rf"(?<![\d./-])(?P<first>[0-3]?\d)(?P<mark>[./-])(?P<second>[0-3]?\d)(?P=mark){_YEAR}(?!\d)")
_ANY_YEAR = re.compile(r"(?:19|20)\d\d")
_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)[/_-]?([01]\d)[/_-]?([0-3]\d)(?!\d)")
_FOLDERS_IN_URL = re.compile(r"/((?:19|20)\d\d)/(\d|[a-z]{3,9})/([0-3]?\d)(?!\d)", re.IGNORECASE)
"""/2024/5/6/ and /2024/may/06/."""
_IN_URL_REVERSED = re.compile(r"(?<![\d-])([0-3]\d)-([01]\d)-((?:19|20)\d\d)(?![\d-])")
_SHORT = re.compile(r"(?<![\d.:/-])([0-3]\d)\.([01]\d)\.(\d\d)(?![\d.:])")
"""Day and month in two digits: 2.4.19 is a version as likely as a day."""
_LONGEST = 2000


def find_date(text: str, language: str | None = None, *, short_years: bool = False) -> str | None:
    """The first full date in the text as YYYY-MM-DD, or None. `language` tells 3/4/2024 in America from elsewhere.

    `short_years`: where a date is expected, `31.10.23` is one.
    """
    text = text[:_LONGEST]
    found = list(_dates(text, language)) if has_year(text) else []
    if not found and short_years and text.count(".") > 1:
        for match in _SHORT.finditer(text):
            if iso := _iso(_century(int(match[3])), int(match[2]), int(match[1])):
                return iso
    return min(found)[1] if found else None


def has_year(text: str) -> bool:
    """Whether there are four digits that may be a year of the web. Most texts have neither century."""
    return ("20" in text or "19" in text) and _ANY_YEAR.search(text) is not None


def date_spans(text: str) -> list[tuple[int, int]]:
    """Where dates are written in the text, the last one first; each place once."""
    text = text[:_LONGEST]
    spans = [match.span() for match in _SHORT.finditer(text)]
    # All others have a year in four digits.
    for shape in compress((*_SHAPES, _NUMERIC), _possible_shapes(text)) if has_year(text) else ():
        spans += [match.span() for match in shape.finditer(text)]
    spans.sort(reverse=True)
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if not kept or end <= kept[-1][0]:
            kept.append((start, end))
    return kept


def _dates(text: str, language: str | None) -> Iterator[tuple[int, str]]:
    """The first date of each shape, with its place."""
    possible = _possible_shapes(text)
    for shape in compress(_SHAPES, possible):
        for match in shape.finditer(text):
            if day := day_of(match):
                yield match.start(), day.isoformat()
                break
    for match in _NUMERIC.finditer(text) if possible[-1] else ():
        if iso := _from_numbers(match, language):
            yield match.start(), iso
            break


def _possible_shapes(text: str) -> list[bool]:
    """Which of the shapes, and last of all the numeric one, may be there, by what stands around the years.

    Most years stand alone ("© 2019"), and a look at their neighbours takes a tenth of the time of the searches.
    """
    possible = [False] * (len(_SHAPES) + 1)
    possible[0] = "年" in text or "년" in text
    for century in _CENTURIES:
        place = text.find(century)
        while place >= 0:
            if text[place + 2 : place + 4].isdecimal():
                after, leading = text[place + 4 : place + 5], text[max(0, place - _CLOSE) : place]
                stripped = leading.rstrip()  # blanks beyond those that are looked at may hide anything
                before, last = stripped[-1:], stripped.removesuffix(",")[-1:]
                possible[1] |= after in _MARKS
                possible[2] |= not last or last == "." or (last.isalnum() and not last.isdecimal())
                possible[3] |= leading[-1:].isspace() and (not last or last.isdecimal() or last in _ORDINAL_ENDS)
                possible[4] |= after in _PARTING or after.isspace()
                possible[5] |= before in _MARKS
            place = text.find(century, place + 2)
    return possible


_CENTURIES, _CLOSE = ("19", "20"), 8
_MARKS, _PARTING, _ORDINAL_ENDS = frozenset("-/."), frozenset(".,"), frozenset("tdhTDH")


def _century(year: int) -> int:
    return 1900 + year if year >= _FIRST_YEAR % 100 else 2000 + year


def date_in_url(url: str) -> str | None:
    """The day that many sites write into the addresses of their articles: /2024/05/06/. An archive's is not it."""
    url = url[max(0, url.rfind("://")) :]
    if not has_year(url):
        return None
    for match in _IN_URL.finditer(url):
        if iso := _iso(int(match[1]), int(match[2]), int(match[3])):
            return iso
    for match in _FOLDERS_IN_URL.finditer(url):
        month = int(match[2]) if match[2].isdecimal() else month_number(match[2])
        if month and (iso := _iso(int(match[1]), month, int(match[3]))):
            return iso
    for match in _IN_URL_REVERSED.finditer(url):
        if iso := _iso(int(match[3]), int(match[2]), int(match[1])):
            return iso
    return None


def _from_numbers(match: re.Match[str], language: str | None) -> str | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    month_first = match["mark"] == "/" and (language or "en").lower() in ("en", "en-us")
    day, month = (second, first) if (month_first and first <= 12) or second > 12 else (first, second)
    return _iso(year, month, day)


def month_number(name: str) -> int:
    """1 to 12, or 0 when it is no month."""
    name = name.lower()
    return next((_BY_START[name[:length]] for length in _LENGTHS if name[:length] in _BY_START), 0)


def day_of(match: re.Match[str], year: int | None = None) -> date | None:
    """The day that a shape found; `year`: where it is written in a way of its own, or not at all."""
    parts = match.groupdict()
    month = month_number(parts["name"]) if parts.get("name") else int(parts.get("month") or 0)
    return day_named(int(parts["year"] or 0) if year is None else year, month, int(parts["day"] or 0))


def day_named(year: int, month: int, day: int) -> date | None:
    """A day that there is, of the years of the web."""
    if not _FIRST_YEAR <= year <= _LAST_YEAR or not month:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _iso(year: int, month: int, day: int) -> str | None:
    found = day_named(year, month, day)
    return None if found is None else found.isoformat()
