"""Pages about people and for them: login, profiles, the list of members, search, rules, forms."""

from __future__ import annotations

from nephila.demo.forum.content import Post
from nephila.demo.forum.frame import go, member_path, moment, whole_page
from nephila.demo.forum.visits import Visit
from nephila.demo.kit.grow import words_of
from nephila.demo.kit.markup import escape, paragraphs, quote


def login_page(visit: Visit, target: str, wrong: bool = False) -> str:
    warning = '<p class="error">Wrong name or password.</p>' if wrong else ""
    form = f"""<h1>Log in</h1>{warning}
<form class="login" action="{visit.link("/login")}" method="post">
<input type="hidden" name="csrf" value="{visit.csrf}"><input type="hidden" name="next" value="{escape(target)}">
<label>Name <input type="text" name="ident" autocomplete="username"></label>
<label>Password <input type="password" name="secret" autocomplete="current-password"></label>
<label class="check"><input type="checkbox" name="stay" value="1"> Stay logged in</label>
<button type="submit" name="go" value="1">Log in</button></form>
<p>{go(visit, "/register", "No account yet? Register")}</p>"""
    return whole_page(visit, "Log in", form)


def members_only_page(visit: Visit) -> str:
    where = go(visit, f"/login?next={quote(visit.path, safe='')}", "Log in")
    return whole_page(
        visit, "Members only", f"<h1>Members only</h1><p>This board is for members. {where} to read it.</p>"
    )


def plain_page(visit: Visit, title: str, text: str) -> str:
    return whole_page(visit, title, f"<h1>{escape(title)}</h1>{paragraphs([text])}")


def reply_page(visit: Visit, title: str, quoted: Post | None) -> str:
    start = f"[quote]{quoted.text}[/quote]" if quoted else ""
    return whole_page(
        visit,
        "Reply",
        f'<h1>Reply to {escape(title)}</h1><form method="post"><textarea name="text">{escape(start)}</textarea>'
        "<button>Send</button></form>",
    )


def members_page(visit: Visit) -> str:
    items = "".join(f"<li>{go(visit, member_path(name), name)}</li>" for name in words_of("forum")["members"])
    return whole_page(visit, "Members", f'<h1>Members</h1><ul class="people">{items}</ul>')


def member_page(visit: Visit, name: str, posts: list[Post]) -> str:
    newest = sorted(posts, key=lambda post: post.published, reverse=True)
    latest = "".join(_found(visit, post) for post in newest[:5])
    more = go(visit, f"/search?author={quote(name, safe='')}", "All posts of this member")
    return whole_page(
        visit, name, f'<h1>{escape(name)}</h1><p>{len(posts)} posts. {more}</p><ul class="found">{latest}</ul>'
    )


def search_page(visit: Visit, wanted: str, posts: list[Post]) -> str:
    found = "".join(_found(visit, post, wanted) for post in posts[:25])
    return whole_page(
        visit, "Search", f'<h1>Search: {escape(wanted)}</h1><p>{len(posts)} posts.</p><ul class="found">{found}</ul>'
    )


def _found(visit: Visit, post: Post, wanted: str = "") -> str:
    path = f"/post/{post.id}/" + (f"?highlight={quote(wanted, safe='')}" if wanted else "")
    return (
        f"<li>{go(visit, path, post.thread)} <small>{moment(post.published)}</small><br>{escape(post.text[:90])}</li>"
    )
