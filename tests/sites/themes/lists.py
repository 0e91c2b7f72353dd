"""How made-up forums list boards and threads: rows of tables, lists, cards, two rows for each, bare links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from tests.sites.themes.gold import Board, Thread

if TYPE_CHECKING:
    from tests.sites.themes.engine import Engine


@dataclass(frozen=True)
class Lists:
    name: str
    boards: Callable[[Engine, list[Board]], str]
    threads: Callable[[Engine, list[Thread]], str]


def state_of(thread: Thread) -> str:
    return "Sticky: " if thread.sticky else "Locked: " if thread.locked else ""


def by_category(boards: list[Board]) -> dict[str, list[Board]]:
    found: dict[str, list[Board]] = {}
    for board in boards:
        found.setdefault(board.category, []).append(board)
    return found


def children_of(e: Engine, board: Board) -> str:
    links = ", ".join(e.a(e.board(b), b.title, "subforum") for b in e.gold.boards if b.parent is board)
    return f'<div class="small">Sub-boards: {links}</div>' if links else ""


def small_pager(e: Engine, thread: Thread) -> str:
    pages = e.pages_of(thread)
    links = " ".join(e.a(e.thread(thread, n), str(n)) for n in range(2, pages + 1))
    return f'<span class="small">( {links} )</span>' if links else ""


def _last(e: Engine, thread: Thread) -> str:
    post = thread.posts[-1]
    return f"{e.date(post.when)} by {e.who(post)} {e.a(e.post(thread, post), '&raquo;', 'last')}"


# -- tables ------------------------------------------------------------------------------------------------------------


def _table_boards(e: Engine, boards: list[Board]) -> str:
    out = ""
    for category, members in by_category(boards).items():
        rows = "".join(
            f'<tr><td class="alt1"><img src="/i/old.gif" alt=""></td><td class="alt1">{e.a(e.board(b), f"<strong>{b.title}</strong>")}'
            f"<div class='small'>All about that.</div>{children_of(e, b)}</td>"
            f'<td class="alt2">{e.a(e.thread(b.listed[0]), escape(b.listed[0].title))}<br>by {e.who(b.listed[0].posts[-1])}<br>'
            f'{e.date(b.listed[0].posts[-1].when)}</td><td class="alt1">{len(b.threads)}</td>'
            f'<td class="alt2">{sum(len(t.posts) for t in b.threads):,}</td></tr>'
            for b in members
        )
        out += f'<tbody><tr><td class="tcat" colspan="5">{category}</td></tr></tbody><tbody>{rows}</tbody>'
    return f'<table class="tborder" width="100%"><thead><tr><th></th><th>Forum</th><th>Last post</th><th>Threads</th><th>Posts</th></tr></thead>{out}</table>'


def _table_threads(e: Engine, threads: list[Thread]) -> str:
    rows = "".join(
        f'<tr><td class="alt1"><img src="/i/thread.gif" alt=""></td><td class="alt2" title="{escape(t.posts[0].text[:60])}"><div>'
        f"{state_of(t)}{e.a(e.thread(t), escape(t.title))} {small_pager(e, t)}</div><div class='small'>{e.who(t.posts[0])}</div></td>"
        f'<td class="alt1">{_last(e, t)}</td><td class="alt2">{e.a(f"/misc.php?do=whoposted&t={t.id}", str(len(t.posts) - 1))}</td>'
        f'<td class="alt1">{len(t.posts) * 31 + t.id}</td></tr>'
        for t in threads
    )
    heads = "".join(f"<th>{title}</th>" for title in ("", "Thread", "Last post", "Replies", "Views"))
    return f'<table class="tborder" id="threadslist" width="100%"><tr>{heads}</tr>{rows}</table>'


# -- lists of definitions ----------------------------------------------------------------------------------------------


def _dl_boards(e: Engine, boards: list[Board]) -> str:
    return "".join(
        f'<div class="forabg"><ul class="topiclist"><li class="header"><dl><dt>{category}</dt><dd class="topics">Topics</dd></dl></li></ul>'
        '<ul class="topiclist forums">' + "".join(
            f'<li class="row"><dl class="icon forum_read"><dt>{e.a(e.board(b), b.title, "forumtitle")}<br>All about that.{children_of(e, b)}</dt>'
            f'<dd class="topics">{len(b.threads)} <dfn>Topics</dfn></dd><dd class="posts">{sum(len(t.posts) for t in b.threads)}</dd>'
            f'<dd class="lastpost"><span>{_last(e, b.listed[0])}</span></dd></dl></li>' for b in members
        ) + "</ul></div>"
        for category, members in by_category(boards).items()
    )  # fmt: skip


def _dl_threads(e: Engine, threads: list[Thread]) -> str:
    rows = "".join(
        f'<li class="row bg{n % 2 + 1} {"sticky" if t.sticky else ""}"><dl class="icon topic_read"><dt>'
        f"{e.a(e.thread(t), escape(t.title), 'topictitle')} {small_pager(e, t)}<br>by {e.who(t.posts[0])} &raquo; {e.date(t.posts[0].when)}</dt>"
        f'<dd class="posts">{len(t.posts) - 1} <dfn>Replies</dfn></dd><dd class="views">{len(t.posts) * 17 + t.id}</dd>'
        f'<dd class="lastpost"><span>{_last(e, t)}</span></dd></dl></li>'
        for n, t in enumerate(threads)
    )
    return f'<div class="forumbg"><ul class="topiclist topics">{rows}</ul></div>'


# -- cards -------------------------------------------------------------------------------------------------------------


def _card_boards(e: Engine, boards: list[Board]) -> str:
    return "".join(
        f'<section class="block"><h2 class="block-header">{category}</h2>' + "".join(
            f'<div class="node node--forum"><div class="node-main"><h3 class="node-title">{e.a(e.board(b), b.title)}</h3>'
            f"{children_of(e, b)}</div><div class='node-stats'><dl><dt>Threads</dt><dd>{len(b.threads)}</dd></dl></div>"
            f'<div class="node-extra">{e.a(e.thread(b.listed[0]), escape(b.listed[0].title), "node-extra-title")}'
            f"<div class='node-extra-row'>{e.date(b.listed[0].posts[-1].when)} {e.who(b.listed[0].posts[-1])}</div></div></div>"
            for b in members
        ) + "</section>"
        for category, members in by_category(boards).items()
    )  # fmt: skip


def _card_threads(e: Engine, threads: list[Thread]) -> str:
    return '<div class="structItems">' + "".join(
        f'<article class="structItem js-thread{t.id}"><div class="cell icon"><a href="{e.href(e.user(t.posts[0].author))}" class="avatar"><span>{t.posts[0].author[0]}</span></a></div>'
        f'<div class="cell main"><h4 class="structItem-title">{e.a(e.thread(t), escape(t.title))}</h4><ul class="parts"><li>{e.who(t.posts[0])}</li>'
        f"<li>{e.date(t.posts[0].when)}</li></ul>{small_pager(e, t)}</div><div class='cell meta'><dl><dt>Replies</dt><dd>{len(t.posts) - 1}</dd></dl></div>"
        f'<div class="cell latest">{e.a(e.post(t, t.posts[-1]), e.date(t.posts[-1].when), "latest-date")}<div>{e.who(t.posts[-1])}</div></div></article>'
        for t in threads
    ) + "</div>"  # fmt: skip


# -- two rows for each -------------------------------------------------------------------------------------------------


def _ranked_boards(e: Engine, boards: list[Board]) -> str:
    rows = "".join(
        f'<tr class="athing"><td>{n}.</td><td class="title">{e.a(e.board(b), b.title, "storylink")}</td></tr>'
        f'<tr><td></td><td class="subtext">{len(b.threads)} threads | {e.date(b.listed[0].posts[-1].when)}</td></tr><tr class="spacer"></tr>'
        for n, b in enumerate(boards, 1)
    )
    return f'<table class="itemlist">{rows}</table>'


def _ranked_threads(e: Engine, threads: list[Thread]) -> str:
    rows = "".join(
        f'<tr class="athing" id="{t.id}"><td class="rank">{n}.</td><td class="votelinks"><a href="{e.href(f"/vote?id={t.id}&how=up&auth=0123456789abcdef0123")}">'
        f'<div class="votearrow"></div></a></td><td class="title"><span class="titleline">{e.a(e.thread(t), escape(t.title))}</span></td></tr>'
        f'<tr><td colspan="2"></td><td class="subtext"><span class="score">{n * 7} points</span> by {e.who(t.posts[0])} {e.date(t.posts[0].when)} | '
        f'<a href="{e.href(f"/hide?id={t.id}")}">hide</a> | {e.a(e.thread(t), f"{len(t.posts) - 1} comments")}</td></tr><tr class="spacer" style="height:5px"></tr>'
        for n, t in enumerate(threads, 1)
    )
    return f'<table class="itemlist">{rows}</table>'


# -- bare --------------------------------------------------------------------------------------------------------------


def _bare_boards(e: Engine, boards: list[Board]) -> str:
    return "<ul>" + "".join(
        f"<li>{e.a(e.board(b), b.title)} ({len(b.threads)} topics, last: {e.date(b.listed[0].posts[-1].when)})</li>" for b in boards
    ) + "</ul>"  # fmt: skip


def _bare_threads(e: Engine, threads: list[Thread]) -> str:
    return "<ul>" + "".join(
        f"<li>{e.a(e.thread(t), escape(t.title))} - {e.who(t.posts[0])}, {e.date(t.posts[-1].when)} ({len(t.posts)})</li>" for t in threads
    ) + "</ul>"  # fmt: skip


# -- names that mean nothing -------------------------------------------------------------------------------------------


def _hashed_boards(e: Engine, boards: list[Board]) -> str:
    return '<div class="css-9x1kq2">' + "".join(
        f'<div class="css-1b7hnx"><div class="css-0z"><a class="css-77ab2" href="{e.href(e.board(b))}"><span class="css-q1">{b.title}</span></a></div>'
        f'<div class="css-k3">{len(b.threads)} discussions</div><div class="css-k4">{e.date(b.listed[0].posts[-1].when)}</div></div>' for b in boards
    ) + "</div>"  # fmt: skip


def _hashed_threads(e: Engine, threads: list[Thread]) -> str:
    return '<div class="css-9x1kq2">' + "".join(
        f'<div class="css-ee41c"><a class="css-77ab2" href="{e.href(e.thread(t))}"><div class="css-q2">{escape(t.title)}</div></a>'
        f'<div class="css-m0">{e.who(t.posts[0])}<span class="css-m1">{len(t.posts) - 1} replies</span>{e.date(t.posts[-1].when)}</div></div>'
        for t in threads
    ) + "</div>"  # fmt: skip


LISTS = [
    Lists("table", _table_boards, _table_threads),
    Lists("definitions", _dl_boards, _dl_threads),
    Lists("cards", _card_boards, _card_threads),
    Lists("ranked", _ranked_boards, _ranked_threads),
    Lists("bare", _bare_boards, _bare_threads),
    Lists("hashed", _hashed_boards, _hashed_threads),
]
