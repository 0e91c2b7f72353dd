"""Threads: their pages, the print view, and the feeds."""

from __future__ import annotations

from email.utils import format_datetime

from nephila.demo.forum.boards import POSTS_A_PAGE
from nephila.demo.forum.content import Post, Thread
from nephila.demo.forum.frame import go, member_path, moment, pager, whole_page
from nephila.demo.forum.visits import Visit
from nephila.demo.kit.grow import words_of
from nephila.demo.kit.markup import escape, paragraphs


def page_of(position: int) -> int:
    """The page of a thread that holds the post at `position`."""
    return (position - 1) // POSTS_A_PAGE + 1


def thread_page(visit: Visit, thread: Thread, number: int, order: str | None) -> str | None:
    """One page of a thread, or None when it has no such page."""
    pages = page_of(len(thread.posts))
    if not 1 <= number <= pages:
        return None
    posts = thread.posts[::-1] if order == "desc" else thread.posts
    shown = posts[(number - 1) * POSTS_A_PAGE : number * POSTS_A_PAGE]
    quoted = {post.id: post for post in thread.posts}
    body = "\n".join(_post(visit, post, quoted) for post in shown)
    tools = " ".join(
        [
            go(visit, f"/reply/{thread.id}", "Reply", 'class="button"'),
            go(visit, f"/print/{thread.id}", "Print"),
            go(visit, f"{thread.path}?order=desc", "Newest first"),
            go(visit, f"{thread.path}?order=asc", "Oldest first"),
            go(visit, f"/thread/{thread.id}/previous", "Previous thread"),
            go(visit, f"/thread/{thread.id}/next", "Next thread"),
            go(visit, f"/feed/thread/{thread.id}.xml", "Feed"),
            *([go(visit, f"/subscribe/{thread.id}", "Subscribe")] if visit.member else []),
        ]
    )
    turn = pager(visit, thread.path, number, pages, order=order)
    crumbs = f"{go(visit, '/', 'Boards')} › {go(visit, thread.board.path, thread.board.title)}"
    main = (
        f'<p class="crumbs">{crumbs}</p><h1>{escape(thread.title)}</h1><p class="tools">{tools}</p>{turn}\n'
        f'<div class="posts">{body}</div>\n{turn}'
    )
    return whole_page(visit, thread.title, main)


def _post(visit: Visit, post: Post, by_id: dict[int, Post]) -> str:
    forum = words_of("forum")
    rank = forum["ranks"][len(post.author) % len(forum["ranks"])]
    signature = ""
    if len(post.author) % 2:
        signature = f'<div class="signature">{escape(forum["signatures"][len(post.author) % 5])}</div>'
    quotation = ""
    if post.quotes is not None and post.quotes in by_id:
        source = by_id[post.quotes]
        back = go(visit, f"/post/{source.id}/", f"{source.author} wrote:")
        quotation = f"<blockquote><cite>{back}</cite>{paragraphs(source.paragraphs)}</blockquote>"
    return f"""<article class="post" id="p{post.id}">
<div class="who"><b>{go(visit, member_path(post.author), post.author)}</b><span class="rank">{rank}</span></div>
<div class="what"><div class="post-head">{go(visit, f"/post/{post.id}/", f"#{post.position}")}
<time datetime="{post.published:%Y-%m-%dT%H:%MZ}">{moment(post.published)}</time></div>
<div class="post-text" dir="auto">{quotation}{paragraphs(post.paragraphs)}</div>
{signature}
<div class="post-tools">{_tools(visit, post)}</div></div>
</article>"""


def _tools(visit: Visit, post: Post) -> str:
    links = [
        go(visit, f"/reply/{post.thread_id}?to={post.id}", "Reply"),
        go(visit, f"/quote/{post.id}", "Quote"),
        go(visit, f"/report/{post.id}", "Report"),
    ]
    if visit.member:
        links.append(go(visit, f"/vote/{post.id}?v=up", "Thank"))
    return " ".join(links)


def print_page(thread: Thread) -> str:
    posts = "".join(
        f"<div><p><b>{escape(post.author)}</b>, {moment(post.published)}</p>{paragraphs(post.paragraphs)}<hr></div>"
        for post in thread.posts
    )
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(thread.title)} (print)</title></head>'
        f'<body><h1>{escape(thread.title)}</h1>{posts}<p><a href="{thread.path}">Back</a></p></body></html>'
    )


def feed(title: str, posts: list[Post], origin: str) -> str:
    """The twenty newest of `posts` as RSS."""
    newest = sorted(posts, key=lambda post: post.published, reverse=True)[:20]
    items = "".join(
        f"<item><title>{escape(post.thread)}</title><link>{origin}/post/{post.id}/</link>"
        f"<pubDate>{format_datetime(post.published, usegmt=True)}</pubDate>"
        f"<description>{escape(post.text)}</description></item>"
        for post in newest
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
        f"<title>{escape(title)}</title><link>{origin}/</link><description>{escape(title)}</description>"
        f"{items}</channel></rss>\n"
    )
