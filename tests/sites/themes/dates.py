"""How made-up forums write dates: in several languages and orders, exact or relative."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from tests.sites.themes.gold import NOW

Written = Callable[[datetime], str]
"""A moment -> markup."""

_RUSSIAN = ["янв", "фев", "мар", "апр", "мая", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"]
_FRENCH = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
]
_SPANISH = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]
_POLISH = ["sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"]
_TURKISH = [
    "Ocak",
    "Şubat",
    "Mart",
    "Nisan",
    "Mayıs",
    "Haziran",
    "Temmuz",
    "Ağustos",
    "Eylül",
    "Ekim",
    "Kasım",
    "Aralık",
]
_GERMAN = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]


def ago(when: datetime) -> str:
    minutes = int((NOW - when) / timedelta(minutes=1))
    for unit, size in (("year", 525960), ("month", 43830), ("week", 10080), ("day", 1440), ("hour", 60)):
        if minutes >= size:
            count = minutes // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return f"{minutes} minutes ago"


def near(when: datetime, today: str, yesterday: str, far: str) -> str:
    days = (NOW.date() - when.date()).days
    return f"{today if days == 0 else yesterday} {when:%H:%M}" if days < 2 else far


def _hour(when: datetime) -> str:
    return when.strftime("%I:%M %p").lstrip("0")


DATES: dict[str, Written] = {
    "element": lambda w: f'<time datetime="{w.isoformat()}">{w:%b %d, %Y}</time>',
    "ago beside an exact one": lambda w: f'<time datetime="{w:%Y-%m-%dT%H:%M:%S}+0000" title="{w:%b %d, %Y at %H:%M}">{ago(w)}</time>',
    "ago in a title": lambda w: f'<span class="age" title="{w:%Y-%m-%d %H:%M:%S}Z">{ago(w)}</span>',
    "weekday": lambda w: f"{w:%a %b %d, %Y} {_hour(w).lower()}",
    "american": lambda w: f"{w:%m-%d-%Y}, {w:%I:%M %p}",
    "american with near days": lambda w: near(w, "Today,", "Yesterday,", f"{w:%m-%d-%Y}, {w:%H:%M}"),
    "long": lambda w: f"{w:%B %d, %Y, %I:%M:%S %p}",
    "posted": lambda w: f"Posted {w:%d %B %Y} - {w:%I:%M %p}",
    "german": lambda w: near(w, "Heute,", "Gestern,", f"{w:%d.%m.%Y}, {w:%H:%M}") + " Uhr",
    "german month": lambda w: f"{w.day}. {_GERMAN[w.month - 1]} {w.year} um {w:%H:%M}",
    "russian": lambda w: near(w, "Сегодня в", "Вчера в", f"{w.day} {_RUSSIAN[w.month - 1]} {w.year}, {w:%H:%M}"),
    "chinese": lambda w: f"发表于 {w.year}-{w.month}-{w.day} {w:%H:%M}",
    "japanese": lambda w: f"{w.year}年{w.month}月{w.day}日 {w:%H:%M}",
    "french": lambda w: near(w, "aujourd'hui à", "hier à", f"le {w.day} {_FRENCH[w.month - 1]} {w.year} à {w:%H:%M}"),
    "spanish": lambda w: f"{w.day} de {_SPANISH[w.month - 1]} de {w.year}, {w:%H:%M}",
    "polish": lambda w: f"{w.day} {_POLISH[w.month - 1]} {w.year} - {w:%H:%M}",
    "turkish": lambda w: f"{w.day} {_TURKISH[w.month - 1]} {w.year} {w:%H:%M}",
    "korean": lambda w: f"{w:%Y.%m.%d. %H:%M}",
    "slashes": lambda w: f"{w:%Y/%m/%d %H:%M}",
    "stamp": lambda w: f'<abbr class="timestamp" data-time="{int(w.timestamp())}">{w:%b %d, %Y}</abbr>',
}  # fmt: skip
