"""Dates of posts as forums write them -> ISO 8601: absolute, relative ("3 hours ago"), in the main languages.

A date may stand beside other words; what is taken is one with a day. Ambiguous orders (3/4/2024) are decided by all
dates of a page together. Knows text only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache

from nephila.content.metadata import written_dates
from nephila.content.metadata.written_dates import DAY, NAME, OF, ORDINAL, date_shapes, day_named
from nephila.forum import words

_YEAR = r"(?P<year>(?:19|20)\d\d|['’]\d\d)"
_SHAPES = date_shapes(_YEAR, gap=r"[\s,\-]*", after_name=r"[\s,.\-/]*", after_day=r"[\s,\-]+")
_BARE = re.compile(r"[\d\s,#()+:%]*")
"""A count or a time of the day: no day."""
_ANY_YEAR = re.compile(r"(?:19|20)\d\d|['’]\d\d")
_NUMERIC = re.compile(
    r"(?<![\d./:-])(?P<a>[0-3]?\d)(?P<mark>[./-])(?P<b>[0-3]?\d)(?P=mark)(?P<year>(?:19|20)?\d\d)(?![\d:])"
)
_NO_YEAR = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        rf"(?<![\d:]){DAY}{ORDINAL}[\s,\-]*{OF}{NAME}(?![^\W\d_])",
        rf"(?<![^\W\d_]){NAME}\s*{DAY}(?:st|nd|rd|th)?(?![\d:])",
        r"(?<!\d)(?P<month>[01]?\d)月(?P<day>[0-3]?\d)日",
    )
)
_MONTH_YEAR = re.compile(rf"(?<![^\W\d_]){NAME}\s+{_YEAR}(?!\d)", re.IGNORECASE)
_TIME = re.compile(
    r"(?<![\d:.])(?P<hour>[0-2]?\d)\s?(?:[:h时]|(?<=\d)\.(?=\d\d\s?Uhr))\s?(?P<minute>[0-5]\d)"
    r"(?:[:m分]\s?(?P<second>[0-5]\d)(?:\.\d+)?)?"
    r"\s*(?P<half>[ap]\.?\s?m\b\.?|上午|下午|오전|오후)?",
    re.IGNORECASE,
)
_RIGHT_BEHIND = re.compile(r"\W*(?:[^\W\d_]{1,3}\W+)?[0-2]?\d\s?[:h时.]\s?[0-5]\d")
"""A time behind a day, with a word between them at most; else it may be another day's."""
_HOUR = re.compile(r"\b(?:(?P<hour>1[0-2]|[1-9])\s?(?P<half>[ap])\.?m\b\.?|(?P<word>noon|midnight)\b)", re.IGNORECASE)
_HALF_BEFORE = re.compile(r"(上午|下午|오전|오후|午前|午後)\s*$")
_ZONE = re.compile(r"(?:\b(?:UTC|GMT)\s?)?([+-])([01]?\d):?([0-5]\d)\b|\b(UTC|GMT|Z)\b(?:\s?([+-])\s?(\d{1,2})\b)?")
_STAMP = re.compile(r"(?<!\d)(1[0-9]{9})(?:\d{3})?(?!\d)")
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?(Z|[+-]\d\d:?\d\d)?")

_UNITS = {word: float(seconds) for seconds, text in words.TIME_UNITS.items() for word in text.split()}
_UNIT_WORDS = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_FEW = r"(?:a )?few|several|ein paar|einige[nr]?|quelques|un[oa]s|alcun[ei]|несколько|几"
_ONE = r"an?|one|eine[mnr]?|un[ae]?|uno|один|одну"
_BACK = r"ago|her|atrás|fa|назад|geleden|前|之前|以前|전|sedan|siden|temu"
_COUNT = (
    r"(?:about |over |almost |less than |etwa |über |environ |circa |ca\. |около )?"
    rf"(?P<n>\d+|{_FEW}|{_ONE}|半)\s*(?:个|個)?(?P<unit>{_UNIT_WORDS})(?:(?![^\W\d_])|(?=之?前|以前|전))"
    rf"(?:[\s,]*(?:and |und |et )?\d+\s*(?:{_UNIT_WORDS})(?![^\W\d_]))*"
)
_AGO = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        rf"\b(?:vor|il y a|hace|há|fa)\s+{_COUNT}",
        rf"(?<![\w.,:/-]){_COUNT}\s*(?:{_BACK})(?![^\W\d_])",
        rf"(?:^|[·•|]\s?){_COUNT}$",
    )
)
"""After a word, before one, alone."""
_LONGEST_AGO = 80
"""What somebody wrote may say it, too, and longer."""
_DAYS_BACK = tuple(
    (back, re.compile(named, re.IGNORECASE))
    for back, named in ((2, words.DAY_BEFORE), (0, words.TODAY), (1, words.YESTERDAY))
)
_ANY_DAY_BACK = re.compile("|".join((words.DAY_BEFORE, words.TODAY, words.YESTERDAY)), re.IGNORECASE)
"""One look instead of three: most texts have none."""
_WEEKDAYS = {name: day for day, names in enumerate(words.WEEKDAYS) for name in names.split()}
_WEEKDAY = re.compile(
    rf"(?<![^\W\d_])(?P<name>{'|'.join(sorted(_WEEKDAYS, key=len, reverse=True))})\.?,?\s*"
    r"(?:at|um|à|a las?|alle|às|om|в|o|kl\.?)?\s*(?=[0-2]?\d[:h.][0-5]\d)",
    re.IGNORECASE,
)
_ANY_CLOCK = re.compile(r"\d[:hH.][0-5]\d")
"""Behind the name of a day; to look for that first takes a tenth of the time that the names of all languages take."""
_NOW = re.compile(words.NOW, re.IGNORECASE)
_SENTENCE_OF_ZONE = re.compile(
    r"(?:\btimes?\b|zeit|heures?|horas?|fuseau|время|时区|時區|時間).{0,40}?"
    r"(?:UTC|GMT)\s*(?P<sign>[+-]|[−–])?\s*(?P<hours>\d{1,2})?(?::?(?P<minutes>[0-5]\d))?",
    re.IGNORECASE,
)
month_number = lru_cache(maxsize=2000)(written_dates.month_number)
"""Kept, for each look goes through the months of all languages."""
_LONGEST = 160
_MOST_REMEMBERED = 20_000


@dataclass(frozen=True, slots=True)
class When:
    """A moment as a page tells it."""

    moment: datetime
    """In UTC where the text or the reader's clock gave a zone, else in the page's own, unknown one (naive)."""
    precise: bool
    """Whether the time of the day was told."""
    relative: bool = False

    def iso(self, zone: timezone = UTC) -> str:
        """ISO 8601 with a zone; `zone` is the page's, for what names none."""
        if not self.precise:
            return self.moment.date().isoformat()
        moment = self.moment if self.moment.tzinfo is not None else self.moment.replace(tzinfo=zone)
        return moment.isoformat(timespec="seconds")


_read_before: dict[tuple[str, bool | None, date], When | None] = {}


class DateReader:
    """Reads the dates of one page; `now` is when it was fetched."""

    def __init__(self, now: datetime, day_first: bool | None = None) -> None:
        self.now = now.astimezone(UTC)
        self.day_first = day_first
        self._known: dict[str, When | None] = {}

    def learn_order(self, texts: Iterable[str]) -> None:
        """Decides between day/month and month/day by numbers above twelve in any of the texts."""
        self._known.clear()
        for match in _NUMERIC.finditer("\n".join(text[:_LONGEST] for text in texts)):
            if int(match["a"]) > 12:
                self.day_first = True
                return
            if int(match["b"]) > 12:
                self.day_first = False
                return

    def read(self, text: str) -> When | None:
        """The first date in a short text."""
        text = text[:_LONGEST]
        if text not in self._known:
            self._known[text] = self._remembered(text) if text else None
        return self._known[text]

    def _remembered(self, text: str) -> When | None:
        """Pages of a site say the same over and over, and mean the same by it all day, but for "an hour ago"."""
        key = (text, self.day_first, self.now.date())
        if key in _read_before:
            return _read_before[key]
        when = self._read(text)
        if when is None or not when.relative:
            if len(_read_before) >= _MOST_REMEMBERED:
                _read_before.clear()
            _read_before[key] = when
        return when

    def _read(self, text: str) -> When | None:
        if _BARE.fullmatch(text):
            return None
        if (found := _ISO.search(text)) is not None:
            return _from_iso(found)
        day, place = self._day(text)
        if day is None and (when := self._relative(text)) is not None:
            return when
        if day is None:
            day, place = _month(text)
        if day is None:
            return None
        near = _RIGHT_BEHIND.match(text, place) is not None
        clock = (_clock(text[place:]) if near else _clock(text[:place])) or _clock(text[place:]) or _clock(text)
        zone = _zone(text) if clock else None
        moment = datetime.combine(day, datetime.min.time())
        if clock is None:
            return When(moment, precise=False)
        moment = moment.replace(hour=clock[0], minute=clock[1], second=clock[2], tzinfo=zone)
        return When(moment, precise=True)

    def _day(self, text: str) -> tuple[date | None, int]:
        for shape in _SHAPES if _ANY_YEAR.search(text) is not None else ():
            for match in shape.finditer(text):
                if day := day_of(match, _year(match["year"])):
                    return day, match.end()
        for match in _NUMERIC.finditer(text):
            if day := self._numeric(match):
                return day, match.end()
        for back, named in _DAYS_BACK if _ANY_DAY_BACK.search(text) is not None else ():
            if (found := named.search(text)) is not None:
                return (self.now - timedelta(days=back)).date(), found.end()
        return self._without_year(text)

    def _numeric(self, match: re.Match[str]) -> date | None:
        a, b, year = int(match["a"]), int(match["b"]), _year(match["year"])
        if len(match["year"]) == 2 and match["mark"] == "." and b > 12:
            return None
        day_first = self.day_first if self.day_first is not None else match["mark"] != "/"
        if a > 12 or (b <= 12 and day_first):
            return day_named(year, b, a)
        return day_named(year, a, b)

    def _without_year(self, text: str) -> tuple[date | None, int]:
        """The latest such day that is not ahead."""
        for shape in _NO_YEAR:
            for match in shape.finditer(text):
                if (day := day_of(match, self.now.year)) is not None:
                    ahead = day > (self.now + timedelta(days=1)).date()
                    return (day_named(day.year - 1, day.month, day.day) if ahead else day), match.end()
        return self._weekday(text)

    def _weekday(self, text: str) -> tuple[date | None, int]:
        """The last such day before this one: today would be called so."""
        match = _WEEKDAY.search(text) if _ANY_CLOCK.search(text) is not None else None
        if match is None:
            return None, 0
        today = self.now.date()
        back = (today.weekday() - _WEEKDAYS[match["name"].lower()] - 1) % 7 + 1
        return today - timedelta(days=back), match.end()

    def _relative(self, text: str) -> When | None:
        if _NOW.search(text):
            return When(self.now, precise=True, relative=True)
        text = text.strip()
        found = (shape.search(text) for shape in _AGO) if len(text) <= _LONGEST_AGO else ()
        match = next((match for match in found if match is not None), None)
        if match is None:
            return None
        told = match["n"].lower()
        count = float(told) if told.isdigit() else 0.5 if told == "半" else 1
        unit = _UNITS[match["unit"].lower()]
        if count * unit > 60 * 31557600:
            return None
        moment = self.now - timedelta(seconds=count * unit)
        return When(moment.replace(microsecond=0), precise=unit < 86400, relative=True)


def _month(text: str) -> tuple[date | None, int]:
    """A month without a day: its first."""
    match = _MONTH_YEAR.search(text)
    month = month_number(match["name"]) if match is not None else None
    return (day_named(_year(match["year"]), month, 1), match.end()) if match is not None and month else (None, 0)


def day_of(match: re.Match[str], year: int) -> date | None:
    """The day that a shape found."""
    parts = match.groupdict()
    month = month_number(parts["name"]) if parts.get("name") else int(parts.get("month") or 0)
    return day_named(year, month, int(parts["day"]))


def stamp(value: str) -> When | None:
    """Seconds or milliseconds since the epoch, as data attributes give them."""
    found = _STAMP.fullmatch(value.strip())
    return None if found is None else When(datetime.fromtimestamp(int(found[1]), UTC), precise=True)


def page_zone(texts: Iterable[str]) -> timezone | None:
    """The zone that a page says its times are in: "All times are UTC+01:00"."""
    texts = list(texts)
    whole = "\n".join(texts).upper()
    if "UTC" not in whole and "GMT" not in whole:  # as on most pages, and the sentence has many beginnings
        return None
    for text in texts:
        if len(text) < 200 and (match := _SENTENCE_OF_ZONE.search(text)) is not None:
            minutes = int(match["hours"] or 0) * 60 + int(match["minutes"] or 0)
            if minutes <= 14 * 60:
                return timezone(timedelta(minutes=-minutes if match["sign"] in ("-", "−", "–") else minutes))
    return None


def _from_iso(found: re.Match[str]) -> When | None:
    zone = found[3] or ""
    if zone and zone != "Z" and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    try:
        moment = datetime.fromisoformat(f"{found[1]}T{found[2]}{'+00:00' if zone == 'Z' else zone}")
    except ValueError:
        return None
    return When(moment, precise=True) if day_named(moment.year, moment.month, moment.day) else None


def _clock(text: str) -> tuple[int, int, int] | None:
    match = _TIME.search(text)
    if match is None:
        return _whole_hour(text)
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    before = _HALF_BEFORE.search(text[: match.start()])
    half = (match["half"] or (before[1] if before else "")).lower()
    if half and hour <= 12:
        after_noon = half[0] == "p" or half in ("下午", "오후", "午後")
        hour = hour % 12 + (12 if after_noon else 0)
    return (hour, minute, second) if hour < 24 else None


def _whole_hour(text: str) -> tuple[int, int, int] | None:
    """6 p.m., noon, midnight."""
    match = _HOUR.search(text)
    if match is None:
        return None
    if match["word"]:
        return (12 if match["word"].lower() == "noon" else 0), 0, 0
    return int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0), 0, 0


def _zone(text: str) -> timezone | None:
    match = _ZONE.search(text)
    if match is None:
        return None
    if match[4]:
        hours = int(match[6] or 0) if match[5] else 0
        return timezone(timedelta(hours=-hours if match[5] == "-" else hours)) if hours <= 14 else None
    minutes = int(match[2]) * 60 + int(match[3])
    return timezone(timedelta(minutes=-minutes if match[1] == "-" else minutes)) if minutes <= 14 * 60 else None


def _year(text: str) -> int:
    text = text.lstrip("'’")
    return int(text) if len(text) == 4 else 2000 + int(text) if int(text) < 70 else 1900 + int(text)
