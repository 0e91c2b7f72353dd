"""More ways to list boards and threads: last posts as links of their own, counts alone, nothing but titles."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tests.sites.themes.gold import Board, Post, Thread
from tests.sites.themes.lists import Lists, by_category, children_of, small_pager, state_of

if TYPE_CHECKING:
    from tests.sites.themes.engine import Engine


def _last_of(board: Board) -> tuple[Thread, Post]:
    thread = max(board.threads, key=lambda t: t.posts[-1].when)
    return thread, thread.posts[-1]


def _count(board: Board) -> int:
    return sum(len(thread.posts) for thread in board.threads)


# -- a link to the last post, with its title, and a picture that leads there too -----------------------------------------


def _windowed_boards(e: Engine, boards: list[Board]) -> str:
    out = ""
    for category, members in by_category(boards).items():
        out += f'<div class="main_container"><div class="cat_bar"><h3 class="catbg"><a id="c{len(category)}"></a>{category}</h3></div><div class="up_contain">'
        for b in members:
            t, p = _last_of(b)
            out += (
                f'<div id="board_{b.id}" class="up_contain"><div class="board_icon"><a href="{e.href(e.board(b))}" class="board_off" title="No New Posts"></a></div><div class="info">'
                f'<a class="subject" href="{e.href(e.board(b))}" id="b{b.id}">{b.title}</a><div class="board_description">All about that.</div>{children_of(e, b)}</div>'
                f'<div class="board_stats"><p>Posts: {_count(b)}<br>Topics: {len(b.threads)}</p></div><div class="lastpost"><p><strong>Last post: </strong><span class="postby">{e.a(e.post(t, p), "Re: " + escape(t.title[:24]))} by {e.who(p)}</span><span class="time">{e.date(p.when)}</span></p></div></div>'
            )
        out += "</div></div>"
    return f'<div id="boardindex_table" class="boardindex_table">{out}</div>'


def _windowed_threads(e: Engine, threads: list[Thread]) -> str:
    rows = "".join(
        f'<div class="windowbg{" sticky" if t.sticky else ""}{" locked" if t.locked else ""}"><div class="board_icon"><img src="/i/xx.png" alt=""></div><div class="info info_block"><div class="icons floatright"></div><div class="message_index_title"><span class="preview"><span id="msg_{t.posts[0].id}">{e.a(e.thread(t), escape(t.title))}</span></span></div>'
        f'<p class="floatleft">Started by {e.who(t.posts[0])}</p>{small_pager(e, t)}</div><div class="board_stats centertext"><p>Replies: {len(t.posts) - 1}<br>Views: {len(t.posts) * 13 + t.id}</p></div><div class="lastpost"><p>{e.a(e.post(t, t.posts[-1]), e.date(t.posts[-1].when))}<br>by {e.who(t.posts[-1])}</p></div></div>'
        for t in threads
    )
    return f'<div id="messageindex"><div class="title_bar" id="topic_header"><div class="info">Subject / Started by</div><div class="lastpost">Last post</div></div><div id="topic_container">{rows}</div></div>'


# -- tables with stars to vote by, and links to who wrote last ------------------------------------------------------------


def _starred_boards(e: Engine, boards: list[Board]) -> str:
    out = ""
    for category, members in by_category(boards).items():
        rows = ""
        for b in members:
            t, p = _last_of(b)
            rows += (
                f'<tr><td class="trow1" align="center"><span class="forum_status forum_off ajax_mark_read" title="Forum Contains No New Posts" id="mark_read_{b.id}"></span></td><td class="trow1"><strong>{e.a(e.board(b), b.title)}</strong><div class="smalltext">All about that.{children_of(e, b)}</div></td>'
                f'<td class="trow1" align="center">{len(b.threads)}</td><td class="trow1" align="center">{_count(b):,}</td><td class="trow1" align="right"><span class="smalltext"><a href="{e.href(e.post(t, p))}" title="{escape(t.title)}"><strong>{escape(t.title[:25])}...</strong></a><br>{e.date(p.when)}<br>by {e.who(p)}</span></td></tr>'
            )
        out += f'<table class="tborder"><thead><tr><td class="thead" colspan="5"><strong>{category}</strong></td></tr></thead><tbody><tr><td class="tcat" colspan="2">Forum</td><td class="tcat">Threads</td><td class="tcat">Posts</td><td class="tcat">Last Post</td></tr>{rows}</tbody></table><br>'
    return out


def _starred_threads(e: Engine, threads: list[Thread]) -> str:
    rows = "".join(
        f'<tr class="inline_row"><td class="trow{n % 2 + 1} forumdisplay_regular"><span class="thread_status folder"></span></td><td class="trow{n % 2 + 1} forumdisplay_regular"></td><td class="trow{n % 2 + 1} forumdisplay_regular"><div><span>{state_of(t)}<span class="subject_new" id="tid_{t.id}">{e.a(e.thread(t), escape(t.title))}</span>{small_pager(e, t)}</span>'
        f'<div class="author smalltext">{e.who(t.posts[0])}</div></div></td><td class="trow1"><a href="#" onclick="whoPosted({t.id})">{len(t.posts) - 1}</a></td><td class="trow1">{len(t.posts) * 29 + t.id}</td><td class="trow1" id="rating_table_{t.id}"><ul class="star_rating">'
        + "".join(f'<li><a class="{word}_stars" title="{stars} stars out of 5" href="{e.href(f"/ratethread.php?tid={t.id}&rating={stars}&my_post_key=0123456789abcdef0123456789abcdef")}">{stars}</a></li>' for stars, word in enumerate(("one", "two", "three", "four", "five"), 1))
        + f'</ul></td><td class="trow1" style="white-space: nowrap"><span class="lastpost smalltext">{e.date(t.posts[-1].when)}<br>{e.a(e.post(t, t.posts[-1]), "Last Post")}: {e.who(t.posts[-1])}</span></td></tr>'
        for n, t in enumerate(threads)
    )  # fmt: skip
    return f'<table class="tborder clear"><tr><td class="thead" colspan="7"><div><strong>Threads</strong></div></td></tr><tr><td class="tcat" colspan="3">Thread / Author</td><td class="tcat">Replies</td><td class="tcat">Views</td><td class="tcat">Rating</td><td class="tcat">Last Post</td></tr>{rows}</table>'


# -- the date is the link to the last post -------------------------------------------------------------------------------


def _boxed_boards(e: Engine, boards: list[Board]) -> str:
    out = ""
    for number, (category, members) in enumerate(by_category(boards).items(), 1):
        rows = ""
        for place, b in enumerate(members, 1):
            t, p = _last_of(b)
            rows += (
                f'<tr class="row{"odd" if place % 2 else "even"}"><td class="tcl"><div class="icon"><div class="nosize">{place}</div></div><div class="tclcon"><div><h3>{e.a(e.board(b), b.title)}</h3><div class="forumdesc">All about that.</div></div></div></td>'
                f'<td class="tc2">{len(b.threads)}</td><td class="tc3">{_count(b):,}</td><td class="tcr">{e.a(e.post(t, p), e.date(p.when))} <span class="byuser">by {escape(p.author)}</span></td></tr>'
            )
        out += f'<div id="idx{number}" class="blocktable"><h2><span>{category}</span></h2><div class="box"><div class="inbox"><table><thead><tr><th class="tcl">Forum</th><th class="tc2">Topics</th><th class="tc3">Posts</th><th class="tcr">Last post</th></tr></thead><tbody>{rows}</tbody></table></div></div></div>'
    return out


def _boxed_threads(e: Engine, threads: list[Thread]) -> str:
    rows = "".join(
        f'<tr class="row{"odd" if n % 2 else "even"}{" isticky" if t.sticky else ""}"><td class="tcl"><div class="icon"><div class="nosize">{n}</div></div><div class="tclcon"><div>{"<span class=stickytext>Sticky: </span>" if t.sticky else ""}{e.a(e.thread(t), escape(t.title))} <span class="byuser">by {escape(t.posts[0].author)}</span> {small_pager(e, t)}</div></div></td>'
        f'<td class="tc2">{len(t.posts) - 1}</td><td class="tc3">{len(t.posts) * 11 + t.id}</td><td class="tcr">{e.a(e.post(t, t.posts[-1]), e.date(t.posts[-1].when))} <span class="byuser">by {escape(t.posts[-1].author)}</span></td></tr>'
        for n, t in enumerate(threads, 1)
    )
    return f'<div id="vf" class="blocktable"><h2><span>Topics</span></h2><div class="box"><div class="inbox"><table><thead><tr><th>Topic</th><th>Replies</th><th>Views</th><th>Last post</th></tr></thead><tbody>{rows}</tbody></table></div></div></div>'


# -- counts, and no date at all --------------------------------------------------------------------------------------------


def _counted_boards(e: Engine, boards: list[Board]) -> str:
    rows = "".join(
        f'<tr class="category-list-item"><td class="category"><h3>{e.a(e.board(b), f"<span>{b.title}</span>")}</h3><div itemprop="description">All about that.</div></td><td class="topics"><div title="{len(b.threads)} topics">{len(b.threads)}</div></td></tr>'
        for b in boards
    )
    return f'<table class="category-list"><thead><tr><th>Category</th><th>Topics</th></tr></thead><tbody>{rows}</tbody></table>'


def _counted_threads(e: Engine, threads: list[Thread]) -> str:
    rows = "".join(
        f'<tr class="topic-list-item"><td class="main-link"><meta itemprop="position" content="{n}"><span class="link-top-line">{e.a(e.thread(t), escape(t.title), "title raw-link")}</span><div class="link-bottom-line">{e.a(e.board(t.board), t.board.title, "badge-wrapper")}</div></td>'
        f'<td class="posters">' + "".join(f'<a href="{e.href(e.user(name))}" class="latest"><img src="/a/{len(name)}.png" alt="" title="{escape(name)} - Frequent Poster"></a>' for name in dict.fromkeys(p.author for p in t.posts[:4]))
        + f'</td><td class="replies"><span class="posts">{len(t.posts) - 1}</span></td><td class="views"><span class="views">{len(t.posts) * 5 + t.id}</span></td><td>{e.date(t.posts[-1].when)}</td></tr>'
        for n, t in enumerate(threads)
    )  # fmt: skip
    return f'<table class="topic-list"><thead><tr><th>Topic</th><th></th><th>Replies</th><th>Views</th><th>Activity</th></tr></thead><tbody>{rows}</tbody></table>'


# -- votes and answers beside the title --------------------------------------------------------------------------------------


def _summed_boards(e: Engine, boards: list[Board]) -> str:
    return '<div class="tag-list">' + "".join(
        f'<div class="tag-cell"><div>{e.a(e.board(b), b.title, "post-tag")}</div><div class="excerpt">All about that.</div><div><div class="grid-cell">{len(b.threads)} questions</div></div></div>' for b in boards
    ) + "</div>"  # fmt: skip


def _summed_threads(e: Engine, threads: list[Thread]) -> str:
    return '<div id="questions">' + "".join(
        f'<div class="question-summary" id="question-summary-{t.id}"><div class="statscontainer"><div class="votes"><span class="vote-count-post"><strong>{t.posts[0].likes}</strong></span><div class="viewcount">votes</div></div><div class="status answered"><strong>{len(t.posts) - 1}</strong> answers</div></div>'
        f'<div class="summary"><h3>{e.a(e.thread(t), escape(t.title), "question-hyperlink")}</h3><div class="excerpt">{escape(t.posts[0].text[:80])}</div><div class="tags">{e.a(e.board(t.board), t.board.title, "post-tag")}</div><div class="started"><div class="user-info"><div class="user-action-time">asked {e.date(t.posts[0].when)}</div><div class="user-details">{e.who(t.posts[0])}</div></div></div></div></div>'
        for t in threads
    ) + "</div>"  # fmt: skip


NEWER_LISTS = [
    Lists("windowed", _windowed_boards, _windowed_threads),
    Lists("starred", _starred_boards, _starred_threads),
    Lists("boxed", _boxed_boards, _boxed_threads),
    Lists("counted", _counted_boards, _counted_threads),
    Lists("summed", _summed_boards, _summed_threads),
]
