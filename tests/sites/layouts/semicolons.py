"""Everything in one parameter, parts of the query after `;`, a session in some addresses, posts in divisions."""

from __future__ import annotations

from html import escape
from math import ceil
from urllib.parse import unquote, urlsplit

from tests.sites.layouts.content import Board, Content, Thread

POSTS, THREADS = 15, 8


class Semicolons:
    def __init__(self, content: Content, origin: str = "http://semicolons.test") -> None:
        self.content = content
        self.origin = origin
        self.changes: list[str] = []
        self._asked = 0

    start = property(lambda self: f"{self.origin}/index.php")

    def needed(self) -> int:
        lists = 1 + sum(ceil(len(board.threads) / THREADS) for board in self.content.boards)
        return lists + sum(ceil(len(thread.posts) / POSTS) for _, thread in self.content.threads)

    def get(self, url: str) -> tuple[int, str]:
        self._asked += 1
        query = {
            name: value
            for part in unquote(urlsplit(url).query).replace("&", ";").split(";")
            for name, _, value in [part.partition("=")]
        }
        if query.get("action") in ("reminder", "markasread", "notify", "logout", "reporttm"):
            self.changes.append(url)
        if "board" in query:
            number, _, start = query["board"].partition(".")
            board = next((b for b in self.content.boards if str(b.id) == number), None)
            return (404, "") if board is None else (200, self._board(board, int(start or 0)))
        if "topic" in query and "action" not in query:
            return self._topic(query["topic"])
        if not query or set(query) <= {"", "PHPSESSID"}:
            return 200, self._index()
        return 200, self._frame("Elsewhere", "<p>Nothing to read.</p>")

    def _topic(self, name: str) -> tuple[int, str]:
        number, _, where = name.partition(".")
        for board, thread in self.content.threads:
            if str(thread.id) == number:
                start = 0
                if where.startswith("msg"):
                    places = [n for n, post in enumerate(thread.posts) if f"msg{post.id}" == where]
                    start = places[0] // POSTS * POSTS if places else 0
                elif where.isdigit():
                    start = int(where)
                return 200, self._thread(board, thread, start)
        return 404, ""

    def _url(self, query: str) -> str:
        session = f"PHPSESSID={self._asked:032x}&amp;" if self._asked % 2 else ""
        return f"{self.origin}/index.php?{session}{query}"

    def _go(self, query: str, text: str, more: str = "") -> str:
        return f'<a href="{self._url(query)}"{more}>{text}</a>'

    def _frame(self, title: str, body: str) -> str:
        items = [
            ("action=help", "Help"),
            ("action=search", "Search"),
            ("action=login", "Login"),
            ("action=recent", "Recent"),
        ]
        menu = "".join(f"<li>{self._go(query, text)}</li>" for query, text in items)
        return f"""<!DOCTYPE html><html><head><title>{escape(title)}</title></head><body><div id="header"><h1 class="forumtitle">
<a href="{self.origin}/index.php">Windmill Forum</a></h1><ul class="dropmenu">{menu}</ul></div><div id="content_section">{body}</div>
<div id="footer">Powered by wind</div></body></html>"""

    def _tree(self, *steps: tuple[str, str]) -> str:
        links = "".join(f"<li><a href='{url}'><span>{escape(text)}</span></a> &#187;</li>" for url, text in steps)
        return f'<div class="navigate_section"><ul>{links}</ul></div>'

    def _pager(self, kind: str, number: int, start: int, total: int, size: int) -> str:
        if total <= size:
            return '<div class="pagelinks">Pages: [<strong>1</strong>]</div>'
        links = [
            f"[<strong>{n + 1}</strong>]"
            if n * size == start
            else self._go(f"{kind}={number}.{n * size}", str(n + 1), ' class="navPages"')
            for n in range(ceil(total / size))
        ]
        return f'<div class="pagelinks floatleft">Pages: {" ".join(links)}</div>'

    def _index(self) -> str:
        rows = "".join(
            f"""<tr id="board_{board.id}" class="windowbg2"><td class="info"><a class="subject" href="{self._url(f"board={board.id}.0")}"
 name="b{board.id}">{escape(board.title)}</a><p>All about it, and more.</p></td>
<td class="stats windowbg"><p>{sum(len(t.posts) for t in board.threads)} Posts <br> {len(board.threads)} Topics</p></td>
<td class="lastpost"><p><strong>Last post</strong> by {self._go("action=profile;u=5", board.threads[0].posts[-1].author)}<br>
in {self._go(f"topic={board.threads[0].id}.msg{board.threads[0].posts[-1].id}#new", escape(board.threads[0].title[:14]) + "...")}<br>
on {board.threads[0].posts[-1].when:%B %d, %Y, %I:%M:%S %p}</p></td></tr>"""
            for board in self.content.boards
        )
        return self._frame(
            "Windmill Forum - Index", f'<table class="table_list"><tbody class="content">{rows}</tbody></table>'
        )

    def _board(self, board: Board, start: int) -> str:
        rows = "".join(
            f"""<tr><td class="icon1 windowbg"><img src="x.gif" alt=""></td><td class="subject windowbg2"><div>
<span id="msg_{thread.posts[0].id}">{self._go(f"topic={thread.id}.0", escape(thread.title))}</span>
<p>Started by {self._go("action=profile;u=9", thread.posts[0].author)} <small>&#171; {
                " ".join(
                    self._go(f"topic={thread.id}.{n * POSTS}", str(n + 1))
                    for n in range(ceil(len(thread.posts) / POSTS))
                )
            } &#187;</small></p></div></td>
<td class="stats windowbg">{len(thread.posts) - 1} Replies <br> {thread.id * 13} Views</td>
<td class="lastpost windowbg2">{
                self._go(f"topic={thread.id}.msg{thread.posts[-1].id}#new", '<img src="last.gif" alt="Last post">')
            }
{thread.posts[-1].when:%B %d, %Y, %I:%M:%S %p}<br>by {
                self._go("action=profile;u=2", thread.posts[-1].author)
            }</td></tr>"""
            for thread in board.threads[start : start + THREADS]
        )
        heads = "".join(
            f"<th>{self._go(f'board={board.id}.0;sort={key}', text)}</th>"
            for key, text in (("subject", "Subject"), ("replies", "Replies"), ("last_post", "Last post"))
        )
        return self._frame(
            board.title,
            self._tree((f"{self.origin}/index.php", "Windmill Forum"), (self._url(f"board={board.id}.0"), board.title))
            + self._pager("board", board.id, start, len(board.threads), THREADS)
            + f"<div>{self._go(f'action=markasread;sa=board;board={board.id}.0;c3=9f8e7d6c5b4a39281706', 'Mark read')}</div>"
            f'<table class="table_grid"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>',
        )

    def _thread(self, board: Board, thread: Thread, start: int) -> str:
        posts = "".join(
            f"""<div class="{"windowbg" if place % 2 else "windowbg2"}"><span class="topslice"><span></span></span><div class="post_wrapper">
<div class="poster"><h4>{self._go(f"action=profile;u={len(post.author)}", post.author, ' title="View the profile"')}</h4>
<ul class="reset smalltext"><li class="membergroup">Full Member</li><li class="postcount">Posts: {place * 3 + 1}</li></ul></div>
<div class="postarea"><div class="keyinfo"><h5 id="subject_{post.id}">{self._go(f"topic={thread.id}.msg{post.id}#msg{post.id}", "Re: " + escape(thread.title))}</h5>
<div class="smalltext">&#171; <strong>{"Reply #" + str(place) + " " if place else ""}on:</strong> {post.when:%B %d, %Y, %I:%M:%S %p} &#187;</div></div>
<ul class="reset quickbuttons"><li>{self._go(f"action=post;quote={post.id};topic={thread.id}.0", "Quote")}</li></ul>
<div class="post"><div class="inner" id="msg_{post.id}">{escape(post.text)}</div></div></div>
<div class="moderatorbar"><div class="smalltext">{self._go(f"action=reporttm;topic={thread.id}.{place};msg={post.id}", "Report to moderator")}</div>
<div class="signature">Wind is free.</div></div></div></div><hr class="post_separator">"""
            for place, post in list(enumerate(thread.posts))[start : start + POSTS]
        )
        tools = "".join(
            f"<li>{self._go(query, text)}</li>"
            for query, text in (
                (f"action=printpage;topic={thread.id}.0", "Print"),
                (f"action=notify;sa=on;topic={thread.id}.0;c3=9f8e7d6c5b4a39281706", "Notify"),
                (f"topic={thread.id}.0;prev_next=prev#new", "&#171; previous"),
                (f"topic={thread.id}.0;prev_next=next#new", "next &#187;"),
                (f"topic={thread.id}.0;wap2", "WAP2"),
            )
        )
        return self._frame(
            thread.title,
            self._tree(
                (f"{self.origin}/index.php", "Windmill Forum"),
                (self._url(f"board={board.id}.0"), board.title),
                (self._url(f"topic={thread.id}.0"), thread.title),
            )
            + f"<div class='nextlinks'>{tools}</div>{self._pager('topic', thread.id, start, len(thread.posts), POSTS)}"
            + f'<div id="forumposts"><h3 class="catbg">Topic: {escape(thread.title)} (Read {thread.id * 13} times)</h3>{posts}</div>',
        )
