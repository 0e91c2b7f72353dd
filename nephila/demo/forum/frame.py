"""What stands around every page of the forum, and the pieces that several pages share."""

from __future__ import annotations

from datetime import datetime

from nephila.demo.forum.visits import Visit
from nephila.demo.kit.grow import words_of
from nephila.demo.kit.markup import escape, link, quote


def whole_page(visit: Visit, title: str, main: str, *, head: str = "") -> str:
    forum = words_of("forum")
    return f"""<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} - {escape(forum["name"])}</title><link rel="stylesheet" href="/static/forum.css">
{head}</head>
<body>
<header class="top"><div class="inner"><a class="logo" href="{visit.link("/")}">{escape(forum["name"])}</a>
<span class="motto">{escape(forum["motto"])}</span>
<form action="{visit.link("/search")}" method="get"><input name="q" placeholder="Search"><button>Go</button></form>
</div></header>
<nav class="bar"><div class="inner">{_bar(visit)}</div></nav>
<div class="inner">
{main}
</div>
<footer><div class="inner">{escape(forum["name"])} · an invented forum ·
 {go(visit, "/rules", "Rules")} · {go(visit, "/members", "Members")} ·
 {go(visit, "/feed/latest.xml", "Feed")}</div></footer>
</body></html>
"""


def go(visit: Visit, path: str, text: str, attributes: str = "") -> str:
    return link(visit.link(path), text, attributes)


def _bar(visit: Visit) -> str:
    links = [go(visit, "/", "Boards"), go(visit, "/search?since=week", "New posts"), go(visit, "/members", "Members")]
    if visit.member is None:
        here = quote(visit.path, safe="")
        links += [go(visit, f"/login?next={here}", "Log in"), go(visit, "/register", "Register")]
    else:
        links += [
            go(visit, member_path(visit.member), visit.member),
            go(visit, "/mark-read/all", "Mark all read"),
            go(visit, "/logout", "Log out"),
        ]
    return " ".join(links)


def member_path(name: str) -> str:
    return f"/member/{quote(name, safe='')}"


def moment(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M}"


def pager(visit: Visit, base: str, number: int, pages: int, **query: str | None) -> str:
    """Links to every page of a list; nothing when there is only one."""
    if pages < 2:
        return ""
    extra = "".join(f"&{key}={value}" for key, value in query.items() if value)
    parts = [
        f'<b class="here">{n}</b>' if n == number else go(visit, _page(base, n, extra), str(n))
        for n in range(1, pages + 1)
    ]
    if number > 1:
        parts.insert(0, go(visit, _page(base, number - 1, extra), "« Prev", 'rel="prev"'))
    if number < pages:
        parts.append(go(visit, _page(base, number + 1, extra), "Next »", 'rel="next"'))
    return f'<div class="pager">Page {" ".join(parts)}</div>'


def _page(base: str, number: int, extra: str) -> str:
    if number == 1:
        return f"{base}?{extra[1:]}" if extra else base
    return f"{base}?page={number}{extra}"
