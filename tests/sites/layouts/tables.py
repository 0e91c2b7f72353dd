"""Tables in the manner of 2004: a session and a sort order in every address, a row that heads each post's row."""

from __future__ import annotations

import hashlib
from html import escape
from math import ceil
from urllib.parse import parse_qsl, urlsplit

from tests.sites.layouts.content import Board, Content, Thread

POSTS, THREADS = 10, 6


class Tables:
    def __init__(self, content: Content, origin: str = "http://tables.test") -> None:
        self.content = content
        self.origin = origin
        self.changes: list[str] = []
        self._asked = 0

    start = property(lambda self: f"{self.origin}/forum/index.php")

    def needed(self) -> int:
        """Pages that hold everything once."""
        lists = 1 + sum(ceil(len(board.threads) / THREADS) for board in self.content.boards)
        return lists + sum(ceil(len(thread.posts) / POSTS) for _, thread in self.content.threads)

    def get(self, url: str) -> tuple[int, str]:
        """Status, and the page or where it redirects to."""
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query))
        self._asked += 1
        page = parts.path.rpartition("/")[2]
        start = int(query.get("start", 0))
        if page in ("", "index.php"):
            return 200, self._index()
        if page == "viewforum.php":
            board = next((b for b in self.content.boards if str(b.id) == query.get("f")), None)
            return (404, "") if board is None else (200, self._board(board, start))
        if page == "viewtopic.php":
            return self._topic(query, start)
        if page in ("posting.php", "report.php", "ucp.php") and query.get("mode") != "login":
            self.changes.append(url)
        return 200, self._frame("Something else", f"<p>{escape(page)}</p>")

    def _topic(self, query: dict[str, str], start: int) -> tuple[int, str]:
        if {"watch", "bookmark", "vote"} & set(query):
            self.changes.append(str(query))
        wanted = query.get("t")
        for board, thread in self.content.threads:
            places = [place for place, post in enumerate(thread.posts) if str(post.id) == query.get("p")]
            if str(thread.id) == wanted or places:
                return 200, self._thread(board, thread, places[0] // POSTS * POSTS if places else start)
        return 404, ""

    def _sid(self) -> str:
        return hashlib.md5(str(self._asked).encode(), usedforsecurity=False).hexdigest()

    def _go(self, target: str, text: str, more: str = "") -> str:
        sign = "&amp;" if "?" in target else "?"
        return f'<a href="./{target}{sign}sid={self._sid()}"{more}>{text}</a>'

    def _frame(self, title: str, body: str) -> str:
        menu = " | ".join(
            self._go(target, text)
            for target, text in (
                ("ucp.php?mode=login", "Log in"),
                ("ucp.php?mode=register", "Register"),
                ("faq.php", "FAQ"),
                ("search.php", "Search"),
                ("memberlist.php", "Members"),
            )
        )
        return f"""<html><head><title>Harbour Board - {escape(title)}</title></head><body>
<table width="100%"><tr><td>{self._go("index.php", "Harbour Board index")}</td><td align="right">{menu}</td></tr></table>
{body}<p>All times are UTC</p></body></html>"""

    def _pager(self, target: str, start: int, total: int, size: int) -> str:
        pages = ceil(total / size)
        if pages < 2:
            return ""
        links = [
            f"<b>{n + 1}</b>"
            if n * size == start
            else self._go(f"{target}&amp;start={n * size}" if n else target, str(n + 1))
            for n in range(pages)
        ]
        return f'<div class="pagination">Page {start // size + 1} of {pages} {" , ".join(links)}</div>'

    def _index(self) -> str:
        rows = "".join(
            f"""<tr><td class="row1"><img src="icon.gif"></td><td class="row1">{
                self._go(f"viewforum.php?f={board.id}", board.title, ' class="forumlink"')
            }<br><span class="small">Talk about everything here</span></td>
<td class="row2">{len(board.threads)}</td><td class="row2">{sum(len(t.posts) for t in board.threads)}</td>
<td class="row2">{board.threads[0].posts[-1].when:%a %b %d, %Y %I:%M %p}<br>
{self._go("memberlist.php?mode=viewprofile&amp;u=7", board.threads[0].posts[-1].author)}
{
                self._go(
                    f"viewtopic.php?p={board.threads[0].posts[-1].id}",
                    '<img src="last.gif" alt="View the latest post">',
                )
            }</td></tr>"""
            for board in self.content.boards
        )
        return self._frame(
            "Index page",
            f'<table class="tablebg"><tr><th>Forum</th><th>Topics</th><th>Posts</th><th>Last post</th></tr>{rows}</table>',
        )

    def _board(self, board: Board, start: int) -> str:
        shown = board.threads[start : start + THREADS]
        rows = "".join(self._row(board, thread) for thread in shown)
        base = f"viewforum.php?f={board.id}"
        heads = "".join(
            f"<th>{self._go(f'{base}&amp;sk={key}&amp;sd=a', text)}</th>"
            for key, text in (("t", "Topics"), ("a", "Author"), ("r", "Replies"))
        )
        crumbs = (
            f'<p class="breadcrumbs">{self._go("index.php", "Board index")} &raquo; {self._go(base, board.title)}</p>'
        )
        tools = f"{self._go(f'posting.php?mode=post&amp;f={board.id}', 'New topic')} {self._go(f'{base}&amp;mark=topics', 'Mark topics read')}"
        return self._frame(
            board.title,
            f"{crumbs}<h2>{self._go(base, board.title)}</h2>{tools}{self._pager(base, start, len(board.threads), THREADS)}"
            f'<table class="tablebg"><tr>{heads}</tr>{rows}</table>',
        )

    def _row(self, board: Board, thread: Thread) -> str:
        last = thread.posts[-1]
        base = f"viewtopic.php?f={board.id}&amp;t={thread.id}"
        small = "".join(
            self._go(f"{base}&amp;start={n * POSTS}", str(n + 1)) for n in range(1, ceil(len(thread.posts) / POSTS))
        )
        return f"""<tr><td class="row1">{self._go(f"{base}&amp;view=unread", '<img src="new.gif" alt="">')}
{self._go(base, escape(thread.title), ' class="topictitle"')} <span class="small">[ Go to page: {small} ]</span></td>
<td class="row2">{self._go("memberlist.php?mode=viewprofile&amp;u=3", thread.posts[0].author)}</td>
<td class="row2">{len(thread.posts) - 1}</td><td class="row1">{last.when:%a %b %d, %Y %I:%M %p}<br>
{self._go("memberlist.php?mode=viewprofile&amp;u=4", last.author)} {self._go(f"viewtopic.php?p={last.id}", '<img src="last.gif" alt="">')}</td></tr>"""

    def _thread(self, board: Board, thread: Thread, start: int) -> str:
        base = f"viewtopic.php?f={board.id}&amp;t={thread.id}"
        rows = "".join(
            f"""<tr class="row{place % 2 + 1}"><td align="center"><a name="p{post.id}"></a><b class="postauthor">{post.author}</b></td>
<td><table width="100%"><tr><td><b>Post subject:</b> Re: {escape(thread.title)}</td><td align="right">
{self._go(f"viewtopic.php?p={post.id}", '<img src="post.gif" alt="Post">')}<b>Posted:</b> {post.when:%a %b %d, %Y %I:%M %p}</td></tr></table></td></tr>
<tr class="row{place % 2 + 1}"><td class="profile">Joined: Mon Jan 05, 2004 9:1{place % 10} am<br>Posts: {place * 7 + 3}</td>
<td><div class="postbody">{escape(post.text)}</div></td></tr>
<tr class="row{place % 2 + 1}"><td>{self._go(f"memberlist.php?mode=viewprofile&amp;u={len(post.author)}", "Profile")}</td>
<td>{self._go(f"posting.php?mode=quote&amp;p={post.id}", "Quote")} {self._go(f"report.php?p={post.id}", "Report")}</td></tr>
<tr><td class="spacer" colspan="2"></td></tr>"""
            for place, post in list(enumerate(thread.posts))[start : start + POSTS]
        )
        crumbs = f"""<p class="breadcrumbs">{self._go("index.php", "Board index")} &raquo; {self._go(f"viewforum.php?f={board.id}", board.title)}</p>"""
        tools = " | ".join(
            self._go(f"{base}&amp;{view}", text)
            for view, text in (
                ("view=print", "Print view"), ("view=previous", "Previous topic"), ("view=next", "Next topic"),
                ("watch=topic&amp;hash=ab12cd34", "Watch"), ("hilit=kettle", "Highlight"),
            )
        )  # fmt: skip
        return self._frame(
            thread.title,
            f"{crumbs}<h2>{self._go(base, escape(thread.title))}</h2>{tools}"
            f"{self._pager(base, start, len(thread.posts), POSTS)}<table class='tablebg'>"
            f"<tr><th>Author</th><th>Message</th></tr>{rows}</table>{self._go(f'posting.php?mode=reply&amp;t={thread.id}', 'Reply')}",
        )
