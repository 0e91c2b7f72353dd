"""A forum program that never was: one of each way to write addresses, lists, posts, dates and page numbers, together.

Answers requests as a server would: other views of a page show it again, a link to a post leads into its thread, what
would change something is noted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from math import ceil
from urllib.parse import urlsplit

from tests.sites.themes import frames
from tests.sites.themes.addresses import PARAMETERS, Addresses
from tests.sites.themes.bodies import BODIES
from tests.sites.themes.dates import DATES
from tests.sites.themes.gold import NOW, Board, Community, Post, Thread
from tests.sites.themes.lists import LISTS, Lists
from tests.sites.themes.newer_bodies import NEWER_BODIES
from tests.sites.themes.newer_dates import NEWER_DATES
from tests.sites.themes.posts import POSTS, Posts


@dataclass(frozen=True)
class Theme:
    addresses: Addresses = PARAMETERS
    lists: Lists = LISTS[0]
    posts: Posts = POSTS[0]
    dates: str = "weekday"
    bodies: str = "modern"
    pager: str = "numbers"
    crumbs: str = "list"
    sidebar: bool = False
    similar: bool = False
    redirects: bool = True
    """A link to a post redirects; else it shows the page that the post is on."""
    canonical: str | None = None
    """right, wrong (always the index), or none."""
    guests_linked: bool = False
    threads_a_page: int = 5
    posts_a_page: int = 10

    def __str__(self) -> str:
        extras = "".join(f"+{n}" for n in ("sidebar", "similar") if getattr(self, n))
        parts = (
            self.addresses.name,
            self.lists.name,
            self.posts.name,
            self.dates,
            self.bodies,
            self.pager,
            self.crumbs,
        )
        return ", ".join(parts) + extras


@dataclass
class Engine:
    gold: Community
    theme: Theme
    origin: str = "http://forum.test"
    changes: list[str] = field(default_factory=list)
    signatures: bool = False
    now = NOW

    def __post_init__(self) -> None:
        self._asked = 0
        self._here = ""
        self._pages: dict[str, Callable[[], str]] = {self._plain(self.index): self._index}
        self._redirects: dict[str, str] = {}
        for board in self.gold.boards:
            for n in range(1, self.pages_of_board(board) + 1):
                self._pages[self._plain(self.board(board, n))] = lambda b=board, n=n: self._board(b, n)  # type: ignore[misc]
        for thread in self.gold.threads:
            for n in range(1, self.pages_of(thread) + 1):
                self._pages[self._plain(self.thread(thread, n))] = lambda t=thread, n=n: self._thread(t, n)  # type: ignore[misc]
            for place, post in enumerate(thread.posts, 1):
                page = self.thread(thread, self._page_of(place))
                self._redirects.setdefault(self._plain(self.post(thread, post)), page)

    # -- what the parts ask for ----------------------------------------------------------------------------------------

    @property
    def start(self) -> str:
        return self.origin + self.index

    @property
    def index(self) -> str:
        return self.theme.addresses.index

    @property
    def mark(self) -> str:
        return self.theme.addresses.mark

    def board(self, board: Board, page: int = 1) -> str:
        return self.theme.addresses.board(board, page, self.theme.threads_a_page)

    def thread(self, thread: Thread, page: int = 1) -> str:
        return self.theme.addresses.thread(thread, page, self.theme.posts_a_page)

    def post(self, thread: Thread, post: Post) -> str:
        place = thread.posts.index(post) + 1
        return self.theme.addresses.post(thread, post, place, self._page_of(place))

    def user(self, author: str) -> str:
        return self.theme.addresses.user(author)

    def href(self, path: str) -> str:
        session = self.theme.addresses.session
        if session is not None:
            path += ("&" if "?" in path else "?") + f"{session}={hashlib.md5(str(self._asked).encode()).hexdigest()}"
        return escape(path, quote=True)

    def a(self, path: str, text: str, name: str = "") -> str:
        return f'<a href="{self.href(path)}"{f" class={chr(34)}{name}{chr(34)}" if name else ""}>{text}</a>'

    def who(self, post: Post, name: str = "") -> str:
        if post.guest and not self.theme.guests_linked:
            return f'<span class="{name or "guest"}">{escape(post.author)}</span>'
        return self.a(self.user(post.author), escape(post.author), name)

    def date(self, when: object) -> str:
        return {**DATES, **NEWER_DATES}[self.theme.dates](when)  # type: ignore[arg-type]

    def body(self, post: Post) -> str:
        return {**BODIES, **NEWER_BODIES}[self.theme.bodies](post)

    def action(self, path: str, number: int, text: str) -> str:
        return self.a(f"/{path}{number}", text)

    def pages_of(self, thread: Thread) -> int:
        return 1 if self.theme.posts.whole else ceil(len(thread.posts) / self.theme.posts_a_page)

    def pages_of_board(self, board: Board) -> int:
        return ceil(len(self._rows(board)) / self.theme.threads_a_page)

    def needed(self) -> int:
        """Pages that hold everything once."""
        return 1 + sum(map(self.pages_of_board, self.gold.boards)) + sum(map(self.pages_of, self.gold.threads))

    def _page_of(self, place: int) -> int:
        return 1 if self.theme.posts.whole else 1 + (place - 1) // self.theme.posts_a_page

    def _rows(self, board: Board) -> list[Thread]:
        moved = [thread for thread in self.gold.threads if thread.also_in is board]
        return board.listed + moved

    # -- answers -------------------------------------------------------------------------------------------------------

    _CHANGING = frozenset(
        [
            "newreply",
            "newthread",
            "posting",
            "report",
            "reporttm",
            "react",
            "vote",
            "hide",
            "reply",
            "quote",
            "edit",
            "poll",
            "privmsg",
        ]
    )

    def get(self, url: str) -> tuple[int, str]:
        self._asked += 1
        parts = urlsplit(url)
        path = self._plain(parts.path + (f"?{parts.query}" if parts.query else ""))
        self._here = path
        if path in self._pages:
            return 200, self._pages[path]()
        if path in self._redirects:
            target = self._redirects[path]
            if self.theme.redirects:
                return 302, self.origin + target
            return 200, self._pages[self._plain(target)]()
        for view in (*self.theme.addresses.views, *self.theme.addresses.orders):
            short = path.removesuffix(view).rstrip("?&")
            if path.endswith(view) and short in self._pages:
                return 200, self._pages[short]()
        if set(re.split(r"[^a-z]+", path)) & self._CHANGING:
            self.changes.append(path)
        return 200, self._framed("Something else", f"<p>{escape(path)}: there is nothing to see here.</p>")

    def _plain(self, path: str) -> str:
        """Without the session."""
        session = self.theme.addresses.session
        head, mark, query = path.partition("?")
        kept = [part for part in query.split("&") if session is None or not part.startswith(f"{session}=")]
        return head + (mark + "&".join(kept) if any(kept) else "")

    def _framed(self, title: str, body: str) -> str:
        right = self.theme.canonical == "right"
        link = self.origin + (self._here if right else self.index)
        canonical = f'<link rel="canonical" href="{escape(link)}">' if self.theme.canonical else ""
        side = frames.newest(self) if self.theme.sidebar else ""
        return (
            f"<!DOCTYPE html><html><head><title>{escape(title)} - Harbour talk</title>{canonical}</head><body>"
            f"<h1>{self.a(self.index, 'Harbour talk')}</h1>{frames.menu(self, self._here)}<div id='content'>{body}</div>{side}"
            f"<div id='footer'>All times are GMT. Powered by nobody.</div></body></html>"
        )

    def _index(self) -> str:
        return self._framed("Index", self.theme.lists.boards(self, [b for b in self.gold.boards if b.parent is None]))

    def _board(self, board: Board, page: int) -> str:
        size = self.theme.threads_a_page
        rows = self._rows(board)[(page - 1) * size : page * size]
        children = [b for b in self.gold.boards if b.parent is board]
        inner = self.theme.lists.boards(self, children) if children else ""
        orders = " ".join(
            self.a(self.board(board) + ("&" if "?" in self.board(board) else "?") + order, "sort")
            for order in self.theme.addresses.orders
        )
        pager = self._pager(lambda n: self.board(board, n), page, self.pages_of_board(board))
        new = self.action("newthread.php?do=newthread&f=", board.id, "New thread")
        crumbs = frames.CRUMBS[self.theme.crumbs](self, board, None)
        body = (
            f"{crumbs}<h2>{board.title}</h2>{new} {orders}{inner}{pager}{self.theme.lists.threads(self, rows)}{pager}"
        )
        return self._framed(board.title, body)

    def _thread(self, thread: Thread, page: int) -> str:
        size = len(thread.posts) if self.theme.posts.whole else self.theme.posts_a_page
        shown = list(enumerate(thread.posts, 1))[(page - 1) * size : page * size]
        base = self.thread(thread)
        views = " ".join(
            self.a(base + ("&" if "?" in base else "?") + view, view.rpartition("=")[2])
            for view in self.theme.addresses.views
        )
        pager = self._pager(lambda n: self.thread(thread, n), page, self.pages_of(thread))
        crumbs = frames.CRUMBS[self.theme.crumbs](self, thread.board, thread)
        poll = frames.poll() if thread.poll else ""
        similar = frames.similar(self, thread) if self.theme.similar else ""
        body = f"{crumbs}<h2>{escape(thread.title)}</h2>{views}{pager}{poll}{self.theme.posts.show(self, thread, shown)}{pager}{similar}"
        return self._framed(thread.title, body)

    def _pager(self, path: Callable[[int], str], page: int, pages: int) -> str:
        return {**frames.PAGERS, **frames.NEWER_PAGERS}[self.theme.pager](self, path, page, pages) if pages > 1 else ""
