"""A feed that grows as one scrolls: a script fetches what comes next; without it, a link leads on from the last post."""

from __future__ import annotations

from html import escape
from math import ceil
from urllib.parse import parse_qsl, urlsplit

from tests.sites.layouts.content import Board, Content, Thread

POSTS, THREADS = 8, 6
_SCRIPT = """<script>addEventListener('scroll', async () => {
  const more = document.querySelector('a.load-more'); if (!more) return;
  const page = new DOMParser().parseFromString(await (await fetch(more.href)).text(), 'text/html');
  more.replaceWith(...page.querySelectorAll('.item, a.load-more')); })</script>"""


class Scroll:
    def __init__(self, content: Content, origin: str = "http://scroll.test") -> None:
        self.content = content
        self.origin = origin
        self.changes: list[str] = []

    start = property(lambda self: f"{self.origin}/")

    def needed(self) -> int:
        lists = 1 + sum(ceil(len(board.threads) / THREADS) for board in self.content.boards)
        return lists + sum(ceil(len(thread.posts) / POSTS) for _, thread in self.content.threads)

    def get(self, url: str) -> tuple[int, str]:
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query))
        kind, _, name = parts.path.strip("/").partition("/")
        if not kind:
            return 200, self._index()
        if kind == "f":
            board = next((b for b in self.content.boards if str(b.id) == name), None)
            return (404, "") if board is None else (200, self._board(board, query.get("after")))
        if kind == "d":
            number = name.partition("-")[0]
            found = next(((b, t) for b, t in self.content.threads if str(t.id) == number), None)
            return (404, "") if found is None else (200, self._thread(*found, query.get("after")))
        if kind in ("react", "follow"):
            self.changes.append(url)
        return 200, self._frame("Other", f"<p>{escape(kind)}</p>")

    def _frame(self, title: str, body: str) -> str:
        menu = '<a href="/">Home</a> <a href="/login">Log in</a> <a href="/search">Search</a> <a href="/tags">Tags</a>'
        return (
            f"<!doctype html><html><head><title>{escape(title)} | Scroll</title></head><body><header>{menu}</header>"
            f'<main class="feed">{body}</main>{_SCRIPT}</body></html>'
        )

    def _index(self) -> str:
        rows = "".join(
            f'<div class="item space"><a class="space-name" href="/f/{board.id}">{board.title}</a>'
            f"<span>{len(board.threads)} discussions</span>"
            f'<time datetime="{board.threads[0].posts[-1].when.isoformat()}">lately</time></div>'
            for board in self.content.boards
        )
        return self._frame("Spaces", f"<h1>Spaces</h1>{rows}")

    def _board(self, board: Board, after: str | None) -> str:
        begin = next((n + 1 for n, t in enumerate(board.threads) if str(t.id) == after), 0)
        shown = board.threads[begin : begin + THREADS]
        rows = "".join(
            f'<div class="item discussion"><a class="discussion-title" href="{_path(thread)}">{escape(thread.title)}</a>'
            f'<span class="replies">{len(thread.posts) - 1} replies</span>'
            f'<time datetime="{thread.posts[-1].when.isoformat()}">lately</time></div>'
            for thread in shown
        )
        more = begin + THREADS < len(board.threads)
        link = f'<a class="load-more" href="/f/{board.id}?after={shown[-1].id}">Load more</a>' if more else ""
        return self._frame(board.title, f"<h1>{board.title}</h1>{rows}{link}")

    def _thread(self, board: Board, thread: Thread, after: str | None) -> str:
        begin = next((n + 1 for n, p in enumerate(thread.posts) if str(p.id) == after), 0)
        shown = thread.posts[begin : begin + POSTS]
        items = "".join(
            f'<article class="item post" data-post-id="{post.id}"><header><a class="poster" href="/u/{post.author}">'
            f'{post.author}</a> <time datetime="{post.when.isoformat()}">lately</time></header>'
            f'<div class="content"><p>{escape(post.text)}</p></div>'
            f'<footer><a href="/react/{post.id}">Like</a></footer></article>'
            for post in shown
        )
        more = begin + POSTS < len(thread.posts)
        link = f'<a class="load-more" href="{_path(thread)}?after={shown[-1].id}">Load more</a>' if more else ""
        crumbs = f'<nav class="breadcrumb"><a href="/f/{board.id}">{board.title}</a></nav>'
        return self._frame(thread.title, f"{crumbs}<h1>{escape(thread.title)}</h1>{items}{link}")


def _path(thread: Thread) -> str:
    slug = "-".join("".join(c if c.isalnum() else " " for c in thread.title.lower()).split())
    return f"/d/{thread.id}-{slug}"
