"""What the big programs put around everything: links to what is unread, to single posts, prints, feeds, who is here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import TYPE_CHECKING

from tests.sites.themes.habits import HABITS, Habitual

if TYPE_CHECKING:
    from tests.sites.themes.gold import Board, Thread

TRIMMINGS = ("unread", "single", "tools", "global", "stubs", "online", "jump", "feeds", "categories")
_UNREAD = re.compile(r"/unread/(\d+)")
_MOVED = re.compile(r"/moved/(\d+)")
_PRINTED = re.compile(r"/print/(\d+)")
_CATEGORY = re.compile(r"/category/(\d)")


@dataclass
class Trimmed(Habitual):
    """A forum with some of these; its habits are in there, too."""

    habits: tuple[str, ...] = (*(habit for habit in HABITS if habit != "hops"), *TRIMMINGS)

    def __post_init__(self) -> None:
        self._titles = False
        super().__post_init__()
        self._shown_alone = {
            self._plain(super(Habitual, self).post(t, p)): (t, place, p)
            for t in self.gold.threads
            for place, p in enumerate(t.posts, 1)
        }

    def _rows(self, board: Board) -> list[Thread]:
        """What is announced to all stands on top of every board."""
        rows = super()._rows(board)
        everywhere = self.gold.boards[0].threads[0]
        return [everywhere, *(t for t in rows if t is not everywhere)] if "global" in self.habits else rows

    def pages_of_board(self, board: Board) -> int:
        return ceil(len(self._rows(board)) / self.theme.threads_a_page)

    def a(self, path: str, text: str, name: str = "") -> str:
        link = super().a(path, text, name)
        thread = self._by_path.get(path) if self._titles and "unread" in self.habits else None
        if thread is None or not any(map(str.isalpha, text)):
            return link
        return f'<a href="{self.href(f"/unread/{thread.id}")}"><img src="/i/new.png" alt="" title="Go to first unread post"></a> {link}'

    @property
    def _by_path(self) -> dict[str, Thread]:
        return {self.thread(thread): thread for thread in self.gold.threads}

    def get(self, url: str) -> tuple[int, str]:
        path = self._plain(url.removeprefix(self.origin))
        if (match := _UNREAD.fullmatch(path)) is not None:
            thread = self._by_number(int(match[1]))
            return 302, self.origin + self.thread(thread, self.pages_of(thread))
        if (match := _MOVED.fullmatch(path)) is not None:
            return 302, self.origin + self.thread(self._by_number(int(match[1])))
        if (match := _PRINTED.fullmatch(path)) is not None:
            self._here = path
            return 200, self._archived(match)
        if (match := _CATEGORY.fullmatch(path)) is not None:
            self._here = path
            names = list(dict.fromkeys(board.category for board in self.gold.boards))
            members = [b for b in self.gold.boards if b.parent is None and b.category == names[int(match[1]) - 1]]
            return 200, self._framed("Category", self.theme.lists.boards(self, members))
        alone = self._shown_alone.get(path) if "single" in self.habits else None
        if alone is not None and path not in self._pages:
            thread, place, post = alone
            self._here = path
            shown = self.theme.posts.show(self, thread, [(place, post)])
            back = self.a(self.thread(thread), "View thread")
            return 200, self._framed(thread.title, f"<h2>Single post</h2>{back}{shown}")
        if path.startswith(("/rate", "/subscribe", "/email")):
            self.changes.append(path)
        return super().get(url)

    # -- what stands on the others ---------------------------------------------------------------------------------------

    def _board(self, board: Board, page: int) -> str:
        self._titles = True
        shown = super()._board(board, page)
        self._titles = False
        more = ""
        if "stubs" in self.habits and page == 1:
            away = [t for t in self.gold.threads if t.board is not board][:2]
            more += "<ul class='moved'>" + "".join(f"<li>Moved: {self.a(f'/moved/{t.id}', escape(t.title))}</li>" for t in away) + "</ul>"  # fmt: skip
        if "feeds" in self.habits:
            more += self.a(f"/syndication.php?fid={board.id}", "Subscribe to this board's feed")
        return shown.replace("<div id='footer'>", f"{more}<div id='footer'>")

    def _thread(self, thread: Thread, page: int) -> str:
        shown = super()._thread(thread, page)
        if "tools" not in self.habits:
            return shown
        rates = " ".join(self.a(f"/ratethread.php?tid={thread.id}&rating={n}", f"{n} stars") for n in range(1, 6))
        tools = [
            self.a(f"/print/{thread.id}", "Show Printable Version"),
            self.a(f"/email.php?tid={thread.id}", "Email this Page"),
            self.a(f"/subscribe.php?tid={thread.id}", "Subscribe to this Thread"),
        ]
        return shown.replace("<div id='footer'>", f"<ul class='tools'><li>{'</li><li>'.join(tools)}</li></ul>{rates}<div id='footer'>")  # fmt: skip

    def _index(self) -> str:
        shown = super()._index()
        names = dict.fromkeys(board.category for board in self.gold.boards)
        if "categories" in self.habits:
            for number, name in enumerate(names, 1):
                shown = shown.replace(name, self.a(f"/category/{number}", name), 1)
        return shown

    def _framed(self, title: str, body: str) -> str:
        more = ""
        if "jump" in self.habits:
            options = "".join(f'<option value="{b.id}">&nbsp;&nbsp;{b.title}</option>' for b in self.gold.boards)
            more += f'<form class="jumpbox" method="get" action="/jump"><label>Jump to: <select name="f">{options}</select></label><input type="submit" value="Go"></form>'
        if "online" in self.habits:
            people = ", ".join(self.a(self.user(name), escape(name)) for name in ("dora", "jun", "goran"))
            more += (
                f"<div class='stats'><h3>Who is online</h3><p>In total there are 12 users online :: 3 registered and 9 guests<br>Most users ever online was <strong>312</strong> on Fri May 03, 2019 4:12 am</p><p>Registered users: {people}</p>"
                f"<h3>Birthdays</h3><p>Congratulations to: {self.a(self.user('Anna'), 'Anna')} (34)</p><h3>Statistics</h3><p>Total posts <strong>{len(self.gold.posts)}</strong> &bull; Our newest member <strong>{self.a(self.user('jun'), 'jun')}</strong></p></div>"
            )
        return super()._framed(title, body).replace("<div id='footer'>", f"{more}<div id='footer'>", 1)
