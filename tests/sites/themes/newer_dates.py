"""More ways to write dates: by the day of the week, how long ago and nothing else, cut short beside the whole."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.sites.themes.dates import Written, ago, near
from tests.sites.themes.gold import NOW


def _this_week(when: datetime) -> str:
    days = (NOW.date() - when.date()).days
    if days > 6:
        return f"{when:%b} {when.day}, {when.year} at {when:%H:%M}"
    return f"{'Today' if days == 0 else 'Yesterday' if days == 1 else f'{when:%A}'} at {when:%H:%M}"


def _counted(when: datetime, units: tuple[tuple[str, int], ...], written: str) -> str:
    minutes = max(1, int((NOW - when) / timedelta(minutes=1)))
    name, size = next(((name, size) for name, size in units if minutes >= size), units[-1])
    return written.format(minutes // size, name)


_CHINESE = (("年", 525960), ("个月", 43830), ("天", 1440), ("小时", 60), ("分钟", 1))
_GERMAN = (("Jahren", 525960), ("Monaten", 43830), ("Tagen", 1440), ("Stunden", 60), ("Minuten", 1))
_SHORT = (("y", 525960), ("mo", 43830), ("d", 1440), ("h", 60), ("m", 1))
ROUGH: dict[str, Written] = {
    "ago": ago,
    "posted ago": lambda w: f"Posted {ago(w)}",
    "ago in chinese": lambda w: _counted(w, _CHINESE, "{}{}前"),
    "ago in german": lambda w: _counted(w, _GERMAN, "vor {} {}"),
}
"""Nothing tells the moment itself."""
NEWER_DATES: dict[str, Written] = {
    "this week": _this_week,
    "on and at": lambda w: f"on {w:%B} {w.day}, {w.year} at {w:%I:%M %p}",
    "cut short beside the whole": lambda w: f'<span title="{w:%b} {w.day}, {w.year} {w:%I:%M %p}" class="relative-date" data-time="{int(w.timestamp() * 1000)}">{_counted(w, _SHORT, "{}{}")}</span>',
    "dutch": lambda w: near(w, "vandaag om", "gisteren om", f"{w:%d-%m-%Y} {w:%H:%M}"),
    "italian": lambda w: near(w, "oggi,", "ieri,", f"{w:%d/%m/%Y}, {w:%H:%M}"),
    "at first": lambda w: f"{w:%H:%M}, {w.day} {w:%B} {w.year}",
    "letters": lambda w: f"{w:%a, %d %b %Y %H:%M:%S} +0000",
    **ROUGH,
}  # fmt: skip
