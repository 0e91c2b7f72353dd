"""What stands around lists and posts of made-up forums: menus, ways up, page numbers, boxes of other things."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from tests.sites.themes.gold import Board, Thread

if TYPE_CHECKING:
    from tests.sites.themes.engine import Engine

Pager = Callable[["Engine", Callable[[int], str], int, int], str]
"""Engine, number of a page -> its path, the page shown, how many there are -> markup."""


def _numbers(e: Engine, path: Callable[[int], str], page: int, pages: int) -> str:
    links = " ".join(f"<b>{n}</b>" if n == page else e.a(path(n), str(n)) for n in range(1, pages + 1))
    return f'<div class="pagination">Pages: {links}</div>'


def _window(e: Engine, path: Callable[[int], str], page: int, pages: int) -> str:
    """The first, the last, and those beside this one."""
    near = sorted({1, pages, *range(max(1, page - 1), min(pages, page + 1) + 1)})
    links = "".join(
        f'<li class="current"><span>{n}</span></li>' if n == page else f"<li>{e.a(path(n), str(n))}</li>" for n in near
    )
    turn = e.a(path(page + 1), "Next &rsaquo;", "nextPage") if page < pages else ""
    back = e.a(path(page - 1), "&lsaquo; Prev", "prevPage") if page > 1 else ""
    return f'<nav class="pageNav">{back}<ul>{links}</ul>{turn}<span>Page {page} of {pages}</span></nav>'


def _words(e: Engine, path: Callable[[int], str], page: int, pages: int) -> str:
    turn = e.a(path(page + 1), "Next page", "next") if page < pages else ""
    back = e.a(path(page - 1), "Previous page", "prev") if page > 1 else ""
    return f'<div class="turn">{back} {turn}</div>'


def _brackets(e: Engine, path: Callable[[int], str], page: int, pages: int) -> str:
    links = " ".join(
        f"[<strong>{n}</strong>]" if n == page else e.a(path(n), str(n), "navPages") for n in range(1, pages + 1)
    )
    down = '<a href="#bot">Go Down</a>'
    return f'<div class="pagelinks">Pages: {links} &nbsp; {down}</div>'


def _noscript(e: Engine, path: Callable[[int], str], page: int, pages: int) -> str:
    """A script fetches what comes next as one scrolls; without it there are links."""
    turn = f'<a rel="next" href="{e.href(path(page + 1))}">next page →</a>' if page < pages else ""
    back = f'<a rel="prev" href="{e.href(path(page - 1))}">← previous page</a>' if page > 1 else ""
    return f'<div role="navigation" class="topic-body crawler-post">{back} {turn}</div><script>window.more = "/posts.json?page={page + 1}"</script>'


def _ends(e: Engine, path: Callable[[int], str], page: int, pages: int) -> str:
    """Words for the first and the last, a form to jump with."""
    near = range(max(1, page - 2), min(pages, page + 2) + 1)
    links = "".join(f'<span class="pagination_current">{n}</span>' if n == page else e.a(path(n), str(n), "pagination_page") for n in near)  # fmt: skip
    first = e.a(path(1), "« First", "pagination_first") if page > 1 else ""
    last = e.a(path(pages), "Last »", "pagination_last") if page < pages else ""
    jump = "".join(f'<option value="{n}">Page {n}</option>' for n in range(1, pages + 1))
    return f'<div class="pagination"><span class="pages">Pages ({pages}):</span>{first}{links}{last}<form action="/jump" method="get"><select name="page">{jump}</select><input type="submit" value="Go"></form></div>'


def _more(e: Engine, path: Callable[[int], str], page: int, pages: int) -> str:
    """One link, and no way back."""
    return f'<p class="more">{e.a(path(page + 1), "Load more")}</p>' if page < pages else ""


def _counted(e: Engine, path: Callable[[int], str], page: int, pages: int) -> str:
    """A count before the numbers, arrows behind them."""
    links = "".join(f'<li class="active"><span>{n}</span></li>' if n == page else f'<li>{e.a(path(n), str(n), "button")}</li>' for n in range(1, pages + 1))  # fmt: skip
    turn = f'<li class="arrow next"><a class="button" href="{e.href(path(page + 1))}" rel="next"><i></i><span class="sr-only">Next</span></a></li>' if page < pages else ""  # fmt: skip
    back = f'<li class="arrow previous"><a class="button" href="{e.href(path(page - 1))}" rel="prev"><i></i><span class="sr-only">Previous</span></a></li>' if page > 1 else ""  # fmt: skip
    return f'<div class="action-bar"><div class="pagination">{pages * 7} posts <ul>{back}{links}{turn}</ul></div></div>'


NEWER_PAGERS: dict[str, Pager] = {"ends": _ends, "more": _more, "counted": _counted}
PAGERS: dict[str, Pager] = {
    "numbers": _numbers, "window": _window, "words": _words, "brackets": _brackets, "noscript": _noscript,
}  # fmt: skip


def _path_up(e: Engine, board: Board, thread: Thread | None) -> list[tuple[str, str]]:
    above = [(e.index, "Harbour talk")]
    chain: list[Board] = []
    at: Board | None = board
    while at is not None:
        chain.insert(0, at)
        at = at.parent
    above += [(e.board(one), one.title) for one in (chain if thread is not None else chain[:-1])]
    return above


Crumbs = Callable[["Engine", Board, "Thread | None"], str]


def _listed(e: Engine, board: Board, thread: Thread | None) -> str:
    steps = "".join(f"<li>{e.a(path, text)}</li>" for path, text in _path_up(e, board, thread))
    return f'<ul class="breadcrumbs">{steps}</ul>'


def _arrows(e: Engine, board: Board, thread: Thread | None) -> str:
    steps = " &gt; ".join(e.a(path, text) for path, text in _path_up(e, board, thread))
    last = escape(thread.title) if thread is not None else board.title
    return f'<div class="navbar"><span class="navbit">{steps}</span> &gt; <strong>{last}</strong></div>'


def _plain(e: Engine, board: Board, thread: Thread | None) -> str:
    """Nothing says that it is the way up."""
    return f"<p>{' / '.join(e.a(path, text) for path, text in _path_up(e, board, thread))}</p>"


CRUMBS: dict[str, Crumbs] = {"list": _listed, "arrows": _arrows, "plain": _plain}


def menu(e: Engine, here: str) -> str:
    back = escape(e.origin + here, quote=True).replace("/", "%2F")
    links = [
        (f"/login?next={back}", "Log in"), ("/register", "Register"), ("/search", "Search"), ("/faq", "FAQ"),
        ("/members/list", "Members"), ("/calendar", "Calendar"), ("/whats-new", "New posts"), ("/feed.xml", "RSS"),
    ]  # fmt: skip
    return '<div id="menu">' + " ".join(e.a(path, text) for path, text in links) + "</div>"


def newest(e: Engine) -> str:
    """A box that every page has: the threads with the newest posts."""
    threads = sorted(e.gold.threads, key=lambda t: t.posts[-1].when, reverse=True)[:4]
    rows = "".join(
        f"<li>{e.a(e.post(t, t.posts[-1]), escape(t.title))} <span>{escape(t.posts[-1].author)}, {e.date(t.posts[-1].when)}</span></li>"
        for t in threads
    )
    return f'<div class="sidebar"><h4>Latest</h4><ul class="newest">{rows}</ul></div>'


def similar(e: Engine, thread: Thread) -> str:
    """A box under the posts: threads that are like this one."""
    threads = [t for t in thread.board.listed if t is not thread][:4]
    rows = "".join(
        f"<tr><td>{e.a(e.thread(t), escape(t.title))}</td><td>{escape(t.posts[0].author)}</td><td>{len(t.posts) - 1}</td><td>{e.date(t.posts[-1].when)}</td></tr>"
        for t in threads
    )
    return f'<table class="similar"><tr><th colspan="4">Similar threads</th></tr>{rows}</table>'


def poll() -> str:
    options = "".join(
        f'<dl><dt><label for="v{n}">{text}</label></dt><dd><input type="radio" id="v{n}" name="vote" value="{n}"></dd><dd>{n * 12}%</dd></dl>'
        for n, text in enumerate(("Copper", "Iron", "None of these"), 1)
    )
    return f'<form class="poll" method="post" action="/poll"><h3>Which kettle is the best one?</h3>{options}<p>Total votes: 25</p><input type="submit" value="Vote"></form>'
