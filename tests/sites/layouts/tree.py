"""A community whose answers stand in what they answer: one page a thread, a list that turns by words alone."""

from __future__ import annotations

from html import escape
from math import ceil
from urllib.parse import parse_qsl, urlsplit

from tests.sites.layouts.content import Board, Content, Post, Thread

THREADS = 6


class Tree:
    def __init__(self, content: Content, origin: str = "http://tree.test") -> None:
        self.content = content
        self.origin = origin
        self.changes: list[str] = []

    start = property(lambda self: f"{self.origin}/")

    def needed(self) -> int:
        return 1 + len(self.content.threads) + sum(ceil(len(b.threads) / THREADS) for b in self.content.boards)

    def get(self, url: str) -> tuple[int, str]:
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query))
        steps = [step for step in parts.path.split("/") if step]
        if not steps:
            return 200, self._index()
        if steps[0] == "g" and len(steps) > 1:
            board = next((b for b in self.content.boards if _slug(b.title) == steps[1]), None)
            return (404, "") if board is None else (200, self._board(board, int(query.get("page", 1))))
        if steps[0] == "t" and len(steps) > 2:
            for board, thread in self.content.threads:
                if str(thread.id) == steps[2]:
                    return 200, self._thread(board, thread)
        if steps[0] in ("vote", "logout", "save", "hide"):
            self.changes.append(url)
        if steps[0] == "c":
            for _, thread in self.content.threads:
                if any(str(post.id) == steps[1] for post in thread.posts):
                    return 302, f"{self.origin}/t/{_slug(thread.title)}/{thread.id}"
        return 200, self._frame("Other", "<p>Nothing here.</p>")

    def _frame(self, title: str, body: str) -> str:
        return f"""<!doctype html><html><head><title>{escape(title)} | Grove</title></head><body><header><a href="/">Grove</a>
<nav><a href="/login">Log in</a> <a href="/signup">Sign up</a> <a href="/search">Search</a> <a href="/u">People</a></nav></header>
<main>{body}</main><footer><a href="/about">About</a></footer></body></html>"""

    def _index(self) -> str:
        cards = "".join(
            f"""<article class="card group"><h2><a href="/g/{_slug(board.title)}">{escape(board.title)}</a></h2>
<p>Where people meet.</p><div class="meta">{len(board.threads)} talks · last <time datetime="{board.threads[0].posts[-1].when.isoformat()}">now and then</time></div></article>"""
            for board in self.content.boards
        )
        return self._frame("Groups", f"<h1>Groups</h1>{cards}")

    def _board(self, board: Board, number: int) -> str:
        shown = board.threads[(number - 1) * THREADS : number * THREADS]
        cards = "".join(
            f"""<div class="talk"><span class="votes"><a class="up" href="/vote/{thread.id}?d=1">▲</a> {thread.id % 40}</span>
<h3><a href="/t/{_slug(thread.title)}/{thread.id}">{escape(thread.title)}</a></h3>
<div class="meta">by <a href="/u/{thread.posts[0].author}">{thread.posts[0].author}</a>
<time datetime="{thread.posts[0].when.isoformat()}">{thread.posts[0].when:%d %b %Y}</time>
<a href="/t/{_slug(thread.title)}/{thread.id}#comments">{len(thread.posts) - 1} comments</a></div></div>"""
            for thread in shown
        )
        turn = (
            f'<a class="next" href="/g/{_slug(board.title)}?page={number + 1}">Next</a>'
            if number * THREADS < len(board.threads)
            else ""
        )
        back = f'<a class="prev" href="/g/{_slug(board.title)}?page={number - 1}">Previous</a>' if number > 1 else ""
        orders = "".join(f'<a href="/g/{_slug(board.title)}?sort={key}">{key}</a>' for key in ("new", "top", "old"))
        return self._frame(
            board.title,
            f"<h1>{escape(board.title)}</h1><div class='orders'>{orders}</div>{cards}<div class='turn'>{back}{turn}</div>",
        )

    def _thread(self, board: Board, thread: Thread) -> str:
        first, *rest = thread.posts
        crumbs = f'<div class="breadcrumb"><a href="/">Grove</a> / <a href="/g/{_slug(board.title)}">{escape(board.title)}</a></div>'
        lead = f'<div class="comment op" id="c{first.id}">{self._post(first)}</div>'
        return self._frame(
            thread.title,
            f'{crumbs}<h1>{escape(thread.title)}</h1>{lead}<section id="comments"><div class="children">{self._nested(rest)}</div></section>',
        )

    def _nested(self, posts: list[Post]) -> str:
        """Every third begins a branch of its own; the others stand in the one before."""
        out = ""
        for place in range(0, len(posts), 3):
            branch = posts[place : place + 3]
            inner = ""
            for post in reversed(branch):
                inside = f'<div class="children">{inner}</div>' if inner else ""
                inner = f'<div class="comment" id="c{post.id}">{self._post(post)}{inside}</div>'
            out += inner
        return out

    def _post(self, post: Post) -> str:
        return f"""<div class="head"><a class="author" href="/u/{post.author}">{post.author}</a>
<a class="permalink" href="/c/{post.id}"><time datetime="{post.when.isoformat()}">{post.when:%d %b %Y %H:%M}</time></a></div>
<div class="md"><p>{escape(post.text)}</p></div>
<div class="buttons"><a href="/vote/{post.id}?d=1">up</a> <a href="/reply/{post.id}">reply</a> <a href="/save/{post.id}">save</a></div>"""


def _slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
