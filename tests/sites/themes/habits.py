"""Bad habits of forum programs: calendars without end, lists by label, links that mark, hop, or show all again."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from tests.sites.themes.engine import Engine
from tests.sites.vocabulary import THINGS

if TYPE_CHECKING:
    from tests.sites.themes.gold import Board, Thread

HABITS = ("calendar", "labels", "marks", "neighbours", "archive", "hops")
_MONTH = re.compile(r"/calendar\?month=(\d+)&year=(\d+)")
_LABEL = re.compile(r"/tags/(\w+)(?:\?page=(\d+))?")
_NEIGHBOUR = re.compile(r"/goto\.php\?from=(\d+)&way=(next|prev)")
_ARCHIVED = re.compile(r"/archive/t-(\d+)\.html")
_HOP = re.compile(r"/go/(\d+)")


@dataclass
class Habitual(Engine):
    """A forum that has some of the habits; what it is made of is its theme's."""

    habits: tuple[str, ...] = HABITS
    hopped: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._listing = False
        super().__post_init__()

    def thread(self, thread: Thread, page: int = 1) -> str:
        if self._listing and page == 1 and "hops" in self.habits:
            return f"/go/{thread.id}"
        return super().thread(thread, page)

    def needed(self) -> int:
        """With the hops, where the lists name no other address of a thread."""
        return super().needed() + (len(self.gold.threads) if "hops" in self.habits else 0)

    def get(self, url: str) -> tuple[int, str]:
        path = self._plain(url.removeprefix(self.origin))
        if (match := _HOP.fullmatch(path)) is not None:
            return 302, self.origin + super().thread(self._by_number(int(match[1])))
        if (match := _NEIGHBOUR.fullmatch(path)) is not None:
            row = self._by_number(int(match[1])).board.listed
            place = [thread.id for thread in row].index(int(match[1])) + (1 if match[2] == "next" else -1)
            return 302, self.origin + super().thread(row[place % len(row)])
        if path.startswith("/mark"):
            self.changes.append(path)
            return 302, self.origin + self.index
        for pattern, show in ((_MONTH, self._calendar), (_LABEL, self._label), (_ARCHIVED, self._archived)):
            if (match := pattern.fullmatch(path)) is not None:
                self._here = path
                return 200, show(match)
        return super().get(url)

    def _by_number(self, number: int) -> Thread:
        return next(thread for thread in self.gold.threads if thread.id == number)

    # -- pages ---------------------------------------------------------------------------------------------------------

    def _calendar(self, match: re.Match[str]) -> str:
        month, year = int(match[1]), int(match[2])
        later, earlier = (month % 12 + 1, year + month // 12), ((month - 2) % 12 + 1, year - (month == 1))
        days = "".join(
            f"<tr><td>{day}.{month}.{year}</td><td>{self.a(self.user('Anna'), 'Anna')} is {day} years old today, and"
            f" everybody brings a kettle.</td></tr>"
            for day in range(1, 29, 3)
        )
        turns = " ".join(self.a(f"/calendar?month={m}&year={y}", f"{m}/{y}") for m, y in (earlier, later))
        return self._framed("Calendar", f"<h2>{month}/{year}</h2>{turns}<table class='month'>{days}</table>")

    def _label(self, match: re.Match[str]) -> str:
        named = [thread for thread in self.gold.threads if match[1] in thread.title]
        self._listing = True
        rows = self.theme.lists.threads(self, named)
        self._listing = False
        return self._framed(f"Tag {match[1]}", f"<h2>Everything about {match[1]}</h2>{rows}")

    def _archived(self, match: re.Match[str]) -> str:
        thread = self._by_number(int(match[1]))
        posts = "".join(
            f"<p><b>{escape(p.author)}</b> {self.date(p.when)}</p><p>{escape(p.text)}</p>" for p in thread.posts
        )
        return self._framed(f"{thread.title} [Archive]", f"<h2>{escape(thread.title)}</h2>{posts}")

    # -- what stands on the others ---------------------------------------------------------------------------------------

    def _board(self, board: Board, page: int) -> str:
        self._listing = True
        shown = super()._board(board, page)
        self._listing = False
        mark = self.a(f"/markread.php?f={board.id}", "Mark this board read") if "marks" in self.habits else ""
        return shown.replace("<div id='footer'>", f"{mark}<div id='footer'>")

    def _index(self) -> str:
        self._listing = True
        shown = super()._index()
        self._listing = False
        return shown

    def _thread(self, thread: Thread, page: int) -> str:
        more = ""
        if "labels" in self.habits:
            named = [thing for thing in THINGS if thing in thread.title]
            more += "<p class='tags'>Tags: " + ", ".join(self.a(f"/tags/{t}", t) for t in named) + "</p>"
        if "neighbours" in self.habits:
            ways = (("prev", "&laquo; Previous thread"), ("next", "Next thread &raquo;"))
            more += " | ".join(self.a(f"/goto.php?from={thread.id}&way={way}", text) for way, text in ways)
        if "archive" in self.habits:
            more += f" {self.a(f'/archive/t-{thread.id}.html', 'Text-only version')}"
        return super()._thread(thread, page).replace("<div id='footer'>", f"{more}<div id='footer'>")

    def _framed(self, title: str, body: str) -> str:
        links = ""
        if "calendar" in self.habits:
            links += f" {self.a('/calendar?month=5&year=2026', 'This month')}"
        if "marks" in self.habits:
            links += f" {self.a('/mark-all-read', 'Mark all read')}"
        return super()._framed(title, body).replace("<div id='content'>", f"{links}<div id='content'>", 1)
