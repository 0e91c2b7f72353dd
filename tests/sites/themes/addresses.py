"""How made-up forums write their addresses: where the number stands, where the title, how pages are counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.sites.themes.gold import Board, Post, Thread, slug

BoardPath = Callable[[Board, int, int], str]
"""Board, number of the page from 1, threads of a page -> path."""
ThreadPath = Callable[[Thread, int, int], str]
PostPath = Callable[[Thread, Post, int, int], str]
"""Thread, post, its place, number of its page -> path to the post alone, without its fragment."""


@dataclass(frozen=True)
class Addresses:
    name: str
    index: str
    board: BoardPath
    thread: ThreadPath
    post: PostPath
    """Redirects into the thread, or shows the page that the post is on."""
    user: Callable[[str], str]
    session: str | None = None
    """Parameter that changes with every request."""
    views: tuple[str, ...] = ()
    """Queries that show a thread in another way."""
    orders: tuple[str, ...] = ()
    """Queries that show a board in another order."""
    mark: str = "p"
    """What stands before the post's number in a fragment."""


def more(base: str, first: str, page: int) -> str:
    return base if page == 1 else base + first


def number_of(author: str) -> int:
    return 100 + sum(map(ord, author)) % 800


PARAMETERS = Addresses(
    "parameters", "/index.php",
    lambda b, n, size: more(f"/forumdisplay.php?fid={b.id}", f"&page={n}", n),
    lambda t, n, size: more(f"/showthread.php?tid={t.id}", f"&page={n}", n),
    lambda t, p, place, n: f"/showthread.php?tid={t.id}&pid={p.id}",
    lambda who: f"/member.php?action=profile&uid={number_of(who)}",
    views=("mode=threaded", "mode=linear", "action=lastpost", "action=nextnewest", "action=nextoldest"),
    orders=("sortby=subject&order=asc&datecut=9999", "sortby=replies&order=desc&datecut=9999"), mark="pid",
)  # fmt: skip
OFFSETS = Addresses(
    "offsets", "/index.php",
    lambda b, n, size: more(f"/viewforum.php?f={b.id}", f"&start={(n - 1) * size}", n),
    lambda t, n, size: more(f"/viewtopic.php?f={t.board.id}&t={t.id}", f"&start={(n - 1) * size}", n),
    lambda t, p, place, n: f"/viewtopic.php?p={p.id}",
    lambda who: f"/memberlist.php?mode=viewprofile&u={number_of(who)}",
    session="sid", views=("view=print", "view=next", "view=previous", "hilit=kettle"), orders=("sk=t&sd=a", "sk=r&sd=d"),
)  # fmt: skip
ONE_PARAMETER = Addresses(
    "one parameter", "/index.php",
    lambda b, n, size: f"/index.php?board={b.id}.{(n - 1) * size}",
    lambda t, n, size: f"/index.php?topic={t.id}.{(n - 1) * size}",
    lambda t, p, place, n: f"/index.php?topic={t.id}.msg{p.id}",
    lambda who: f"/index.php?action=profile;u={number_of(who)}",
    session="PHPSESSID", views=("prev_next=next", "prev_next=prev"), orders=("sort=subject", "sort=replies;desc"),
    mark="msg",
)  # fmt: skip
LETTERS = Addresses(
    "letters", "/",
    lambda b, n, size: f"/f{b.id}{'' if n == 1 else f'p{(n - 1) * size}'}-{slug(b.title)}",
    lambda t, n, size: f"/t{t.id}{'' if n == 1 else f'p{(n - 1) * size}'}-{slug(t.title)}",
    lambda t, p, place, n: f"/p{p.id}",
    lambda who: f"/u{number_of(who)}", mark="",
)  # fmt: skip
TITLE_DOT_NUMBER = Addresses(
    "title.number", "/forums/",
    lambda b, n, size: f"/forums/{slug(b.title)}.{b.id}/" + ("" if n == 1 else f"page-{n}"),
    lambda t, n, size: f"/threads/{slug(t.title)}.{t.id}/" + ("" if n == 1 else f"page-{n}"),
    lambda t, p, place, n: f"/threads/{slug(t.title)}.{t.id}/post-{p.id}",
    lambda who: f"/members/{slug(who)}.{number_of(who)}/",
    views=("order=reaction_score",), orders=("order=title&direction=asc", "order=reply_count&direction=desc"),
    mark="post-",
)  # fmt: skip
NUMBER_DASH_TITLE = Addresses(
    "number-title", "/",
    lambda b, n, size: f"/forum/{b.id}-{slug(b.title)}/" + ("" if n == 1 else f"?page={n}"),
    lambda t, n, size: f"/topic/{t.id}-{slug(t.title)}/" + ("" if n == 1 else f"?page={n}"),
    lambda t, p, place, n: f"/topic/{t.id}-{slug(t.title)}/?do=findComment&comment={p.id}",
    lambda who: f"/profile/{number_of(who)}-{slug(who)}/",
    views=("do=getNewComment", "do=getLastComment"), orders=("sortby=title&sortdirection=asc",), mark="comment-",
)  # fmt: skip
TITLE_SLASH_NUMBER = Addresses(
    "title/number", "/",
    lambda b, n, size: f"/c/{slug(b.title)}/{b.id}" + ("" if n == 1 else f"?page={n - 1}"),
    lambda t, n, size: f"/t/{slug(t.title)}/{t.id}" + ("" if n == 1 else f"?page={n}"),
    lambda t, p, place, n: f"/t/{slug(t.title)}/{t.id}/{place}",
    lambda who: f"/u/{slug(who)}", mark="post_",
)  # fmt: skip
SHOW = Addresses(
    "show", "/index.php",
    lambda b, n, size: more(f"/index.php?showforum={b.id}", f"&st={(n - 1) * size}", n),
    lambda t, n, size: more(f"/index.php?showtopic={t.id}", f"&st={(n - 1) * size}", n),
    lambda t, p, place, n: f"/index.php?showtopic={t.id}&view=findpost&p={p.id}",
    lambda who: f"/index.php?showuser={number_of(who)}",
    session="s", views=("mode=threaded", "view=getlastpost", "view=getnewpost"),
    orders=("prune_day=100&sort_by=Z-A&sort_key=last_post",), mark="entry",
)  # fmt: skip
BARE_QUERY = Addresses(
    "bare query", "/forum.php",
    lambda b, n, size: f"/forumdisplay.php?{b.id}-{slug(b.title)}" + ("" if n == 1 else f"/page{n}"),
    lambda t, n, size: f"/showthread.php?{t.id}-{slug(t.title)}" + ("" if n == 1 else f"/page{n}"),
    lambda t, p, place, n: f"/showthread.php?{t.id}-{slug(t.title)}&p={p.id}",
    lambda who: f"/member.php?{number_of(who)}-{slug(who)}",
    session="s", views=("goto=newpost",), orders=("sort=title&order=asc",), mark="post",
)  # fmt: skip
DASHES = Addresses(
    "dashes", "/forum.php",
    lambda b, n, size: f"/forum-{b.id}-{n}.html",
    lambda t, n, size: f"/thread-{t.id}-{n}-1.html",
    lambda t, p, place, n: f"/forum.php?mod=redirect&goto=findpost&pid={p.id}&ptid={t.id}",
    lambda who: f"/space-uid-{number_of(who)}.html", mark="pid",
)  # fmt: skip
TITLES_ONLY = Addresses(
    "titles only", "/forums/",
    lambda b, n, size: f"/forums/forum/{slug(b.title)}/" + ("" if n == 1 else f"page/{n}/"),
    lambda t, n, size: f"/forums/topic/{slug(t.title)}/" + ("" if n == 1 else f"page/{n}/"),
    lambda t, p, place, n: f"/forums/reply/{p.id}/",
    lambda who: f"/forums/users/{slug(who)}/", mark="post-",
)  # fmt: skip
UNDER_BOARD = Addresses(
    "under the board", "/community/",
    lambda b, n, size: f"/community/{slug(b.title)}/" + ("" if n == 1 else f"p{n}/"),
    lambda t, n, size: f"/community/{slug(t.board.title)}/{t.id}/{slug(t.title)}/" + ("" if n == 1 else f"p{n}/"),
    lambda t, p, place, n: f"/community/permalink/{p.id}/",
    lambda who: f"/community/people/{slug(who)}/", mark="m",
)  # fmt: skip
PATH_IN_QUERY = Addresses(
    "path in the query", "/index.php",
    lambda b, n, size: f"/index.php?board/{b.id}-{slug(b.title)}/" + ("" if n == 1 else f"&pageNo={n}"),
    lambda t, n, size: f"/index.php?thread/{t.id}-{slug(t.title)}/" + ("" if n == 1 else f"&pageNo={n}"),
    lambda t, p, place, n: f"/index.php?thread/{t.id}-{slug(t.title)}/&postID={p.id}",
    lambda who: f"/index.php?user/{number_of(who)}-{slug(who)}/",
    session="s", orders=("sortField=title&sortOrder=ASC",), mark="post",
)  # fmt: skip
SCRIPT_NUMBER = Addresses(
    "script and number", "/cgi-bin/board.pl",
    lambda b, n, size: more(f"/cgi-bin/board.pl?board={slug(b.title)}", f"/{(n - 1) * size}", n),
    lambda t, n, size: more(f"/cgi-bin/board.pl?num={t.id}", f"/{(n - 1) * size}", n),
    lambda t, p, place, n: f"/cgi-bin/board.pl?num={t.id}/{(place - 1)}",
    lambda who: f"/cgi-bin/board.pl?action=viewprofile;username={number_of(who)}", mark="",
)  # fmt: skip
CODES = Addresses(
    "codes", "/",
    lambda b, n, size: f"/r/{slug(b.title).replace('-', '_')}/" + ("" if n == 1 else f"?page={n}"),
    lambda t, n, size: f"/r/{slug(t.board.title).replace('-', '_')}/comments/{_code(t.id)}/{slug(t.title)[:24]}/"
    + ("" if n == 1 else f"?page={n}"),
    lambda t, p, place, n: f"/r/{slug(t.board.title).replace('-', '_')}/comments/{_code(t.id)}/{slug(t.title)[:24]}/{_code(p.id)}/",
    lambda who: f"/user/{slug(who)}/", orders=("sort=top&t=all", "sort=new"), mark="t1_",
)  # fmt: skip
ITEMS = Addresses(
    "items", "/",
    lambda b, n, size: f"/list?id={b.id}" + ("" if n == 1 else f"&p={n}"),
    lambda t, n, size: f"/item?id={t.id}" + ("" if n == 1 else f"&p={n}"),
    lambda t, p, place, n: f"/item?id={p.id}&context=1",
    lambda who: f"/user?id={slug(who)}", mark="",
)  # fmt: skip


def _code(number: int) -> str:
    """Letters and digits, as link shorteners make them of numbers."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    number, out = number * 7919 + 60466176, ""
    while number:
        number, rest = divmod(number, 36)
        out = digits[rest] + out
    return out


ADDRESSES = [
    PARAMETERS, OFFSETS, ONE_PARAMETER, LETTERS, TITLE_DOT_NUMBER, NUMBER_DASH_TITLE, TITLE_SLASH_NUMBER, SHOW,
    BARE_QUERY, DASHES, TITLES_ONLY, UNDER_BOARD, PATH_IN_QUERY, SCRIPT_NUMBER, CODES, ITEMS,
]  # fmt: skip
