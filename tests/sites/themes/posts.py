"""How made-up forums show the posts of a thread: author at the left or above, tables, articles, trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from tests.sites.themes.gold import Post, Thread

if TYPE_CHECKING:
    from tests.sites.themes.engine import Engine

Shown = list[tuple[int, Post]]
"""Places in the thread and posts."""


@dataclass(frozen=True)
class Posts:
    name: str
    show: Callable[[Engine, Thread, Shown], str]
    whole: bool = False
    """A thread has one page."""
    ids: bool = True
    """The markup tells the numbers of the posts."""


def joined(post: Post) -> str:
    return f"Join Date: {['Jan', 'Mar', 'Jun', 'Sep', 'Nov'][len(post.author) % 5]} 20{10 + len(post.author) % 9}"


def signature(post: Post) -> str:
    return (
        ""
        if post.guest or len(post.author) % 2
        else f"Keep calm, says {escape(post.author)}, and boil the water again."
    )


def edited(e: Engine, post: Post, before: str = "Last edited by") -> str:
    return f"{before} {escape(post.author)}; {e.date(post.edited)}." if post.edited else ""


def _advertisement(place: int) -> str:
    return "Buy the best kettles of the whole harbour, today at half the price! Sponsored." if place in (2, 12) else ""


def _tables(e: Engine, thread: Thread, shown: Shown) -> str:
    """A table for each post, its author in the left column."""
    return '<div id="posts">' + "".join(
        f'<div class="page"><div><table id="post{p.id}" class="tborder" width="100%"><tr><td class="thead"><div style="float:right">#{e.a(e.post(thread, p), f"<strong>{place}</strong>")}</div>'
        f'<!-- status icon and date --><a name="post{p.id}"><img class="inlineimg" src="/i/post_old.gif" alt="Old"></a> {e.date(p.when)}<!-- / --></td><td class="thead" align="right">&nbsp;</td></tr>'
        f'<tr valign="top"><td class="alt2" width="175"><div id="postmenu_{p.id}">{e.who(p, "bigusername")}</div><div class="smallfont">{"Guest" if p.guest else "Senior Member"}</div>'
        f'<div class="smallfont"><div>{joined(p)}</div><div>Location: Harbour</div><div>Posts: {p.likes * 117 + 31:,}</div></div></td>'
        f'<td class="alt1" id="td_post_{p.id}"><div class="smallfont"><strong>Re: {escape(thread.title)}</strong></div><hr size="1"><div id="post_message_{p.id}">{e.body(p)}</div>'
        + (f'<div>__________________<br>{signature(p)}</div>' if signature(p) else "")
        + (f'<div class="smallfont"><hr><em>{edited(e, p)}</em></div>' if p.edited else "")
        + f'</td></tr><tr><td class="alt2"><img src="/i/user_offline.gif" alt=""></td><td class="alt1" align="right">{e.action("newreply.php?do=newreply&p=", p.id, "Reply With Quote")}</td></tr></table></div></div>'
        + (f'<div class="page"><table class="tborder"><tr><td class="thead">Advertisement</td></tr><tr><td class="alt1">{_advertisement(place)}</td></tr></table></div>' if _advertisement(place) else "")
        for place, p in shown
    ) + "</div>"  # fmt: skip


def _two_rows(e: Engine, thread: Thread, shown: Shown) -> str:
    """Two rows of one table for each post; no class but the colour's."""
    return '<table border="0" cellpadding="3" width="100%"><tr><th>Author</th><th>Message</th></tr>' + "".join(
        f'<tr><td width="150" class="row{place % 2 + 1}" rowspan="2"><span class="name"><a name="{p.id}"></a><b>{e.who(p)}</b></span><br><span class="postdetails">{"" if p.guest else "Regular"}<br><br>'
        f'{joined(p)}<br>Posts: {p.likes + 30}</span></td><td class="row{place % 2 + 1}" height="28"><table width="100%"><tr><td><a href="{e.href(e.post(thread, p))}#{p.id}"><img src="/i/minipost.gif" alt=""></a>'
        f'<span class="postdetails">Posted: {e.date(p.when)}<span class="gen">&nbsp;</span>&nbsp; &nbsp;Post subject: {escape(thread.title)}</span></td><td>{e.action("posting.php?mode=quote&p=", p.id, "Quote")}</td></tr>'
        f'<tr><td colspan="2"><hr></td></tr><tr><td colspan="2"><span class="postbody">{e.body(p)}'
        + (f"<br>_________________<br>{signature(p)}" if signature(p) and e.signatures else "")
        + f'</span></td></tr></table></td></tr><tr><td class="row{place % 2 + 1}">{e.action("privmsg.php?mode=post&u=", p.id, "PM")}</td></tr><tr><td class="spaceRow" colspan="2"></td></tr>'
        for place, p in shown
    ) + "</table>"  # fmt: skip


def _profiles(e: Engine, thread: Thread, shown: Shown) -> str:
    """Author at the right in a list of definitions."""
    return "".join(
        f'<div id="{e.mark}{p.id}" class="post bg{place % 2 + 1}"><div class="inner"><dl class="postprofile" id="profile{p.id}"><dt>{e.who(p, "username")}</dt><dd class="profile-rank">Site member</dd>'
        f'<dd><strong>Posts:</strong> {p.likes * 7 + 12}</dd><dd><strong>Joined:</strong> Thu Apr 0{len(p.author) % 9 + 1}, 2015 10:12 am</dd></dl><div class="postbody"><div id="post_content{p.id}">'
        f'<h3><a href="#{e.mark}{p.id}">Re: {escape(thread.title)}</a></h3><ul class="post-buttons"><li>{e.action("posting.php?mode=quote&p=", p.id, "Quote")}</li></ul>'
        f'<p class="author"><a class="unread" href="{e.href(e.post(thread, p))}#{e.mark}{p.id}" title="Post"><i class="icon"></i></a><span class="responsive-hide">by <strong>{e.who(p, "username")}</strong> &raquo; </span>{e.date(p.when)}</p>'
        f'<div class="content">{e.body(p)}</div>'
        + (f'<div class="notice">{edited(e, p)}</div>' if p.edited else "")
        + (f'<div id="sig{p.id}" class="signature">{signature(p)}</div>' if signature(p) else "")
        + '</div></div><div class="back2top"><a href="#top">Top</a></div></div></div><hr class="divider">'
        for place, p in shown
    )  # fmt: skip


def _articles(e: Engine, thread: Thread, shown: Shown) -> str:
    return '<div class="block-body js-replyNewMessageContainer">' + "".join(
        f'<article class="message message--post" data-author="{escape(p.author)}" data-content="post-{p.id}" id="js-post-{p.id}"><span class="u-anchorTarget" id="post-{p.id}"></span><div class="message-inner">'
        f'<div class="message-cell message-cell--user"><section class="message-user"><div class="message-avatar"><span class="avatar">{escape(p.author[0])}</span></div><h4 class="message-name">{e.who(p, "username")}</h4>'
        f'<h5 class="userTitle message-userTitle">Well-known member</h5><dl class="pairs"><dt>Joined</dt><dd>Mar {len(p.author) + 2}, 2012</dd></dl><dl class="pairs"><dt>Messages</dt><dd>{p.likes * 31 + 5}</dd></dl></section></div>'
        f'<div class="message-cell message-cell--main"><header class="message-attribution"><ul class="attribution-main"><li><a href="{e.href(e.post(thread, p))}" class="u-concealed" rel="nofollow">{e.date(p.when)}</a></li></ul>'
        f'<ul class="attribution-opposite"><li><a href="{e.href(e.post(thread, p))}" rel="nofollow">#{place}</a></li></ul></header><div class="message-content"><div class="message-userContent"><article class="message-body"><div class="bbWrapper">{e.body(p)}</div></article></div>'
        + (f'<div class="message-lastEdit">Last edited: {e.date(p.edited)}</div>' if p.edited else "")
        + (f'<aside class="message-signature"><div class="bbWrapper">{signature(p)}</div></aside>' if signature(p) else "")
        + f'</div><footer class="message-footer"><div class="actionBar">{e.action(f"posts/{p.id}/react?reaction_id=", 1, "Like")}{e.action(f"posts/{p.id}/report?x=", 1, "Report")}</div>'
        + (f'<div class="reactionsBar"><a href="#">{p.likes} people</a></div>' if p.likes else "")
        + "</footer></div></div></article>"
        + (f'<div class="message adBlock"><p>{_advertisement(place)}</p></div>' if _advertisement(place) else "")
        for place, p in shown
    ) + "</div>"  # fmt: skip


def _windows(e: Engine, thread: Thread, shown: Shown) -> str:
    return '<div id="forumposts">' + "".join(
        f'<div class="windowbg{"2" if place % 2 else ""}"><span class="topslice"></span><div class="post_wrapper"><div class="poster"><h4>{e.who(p)}</h4><ul id="msg_{p.id}_extra_info"><li class="membergroup">Hero Member</li><li class="postcount">Posts: {p.likes + 51}</li></ul></div>'
        f'<div class="postarea"><div class="flow_hidden"><div class="keyinfo"><div class="messageicon"><img src="/i/xx.gif" alt=""></div><h5 id="subject_{p.id}"><a href="{e.href(e.post(thread, p))}#msg{p.id}" rel="nofollow">{"" if place == 1 else "Re: "}{escape(thread.title)}</a></h5>'
        f'<div class="smalltext">&#171; <strong>{"" if place == 1 else f"Reply #{place - 1} "}on:</strong> {e.date(p.when)} &#187;</div></div><ul class="quickbuttons"><li>{e.action("index.php?action=post;quote=", p.id, "Quote")}</li></ul></div><div class="post"><div class="inner" id="msg_{p.id}">{e.body(p)}</div></div></div>'
        f'<div class="moderatorbar"><div class="smalltext modified" id="modified_{p.id}">{edited(e, p, "&#171; Last Edit:")}</div><div class="smalltext reportlinks">{e.action("index.php?action=reporttm;msg=", p.id, "Report to moderator")} <img src="/i/ip.gif" alt=""> Logged</div>'
        + (f'<div class="signature" id="msg_{p.id}signature">{signature(p)}</div>' if signature(p) else "")
        + '</div></div><span class="botslice"></span></div><hr class="post_separator">'
        for place, p in shown
    ) + "</div>"  # fmt: skip


def _columns(e: Engine, thread: Thread, shown: Shown) -> str:
    """A table inside an element for each post; numbers in ids alone; text in a cell."""
    return '<div id="postlist" class="pl bm">' + "".join(
        f'<div id="post_{p.id}"><table id="pid{p.id}" class="plhin" cellspacing="0"><tr><td class="pls" rowspan="2"><div class="pi"><div class="authi">{e.who(p, "xw1")}</div></div><div class="tns"><p>{p.likes + 3}</p>主题<p>{p.likes * 9 + 1}</p>帖子</div></td>'
        f'<td class="plc"><div class="pi"><strong><a href="{e.href(e.post(thread, p))}" id="postnum{p.id}"><em>{place}</em><sup>#</sup></a></strong><div class="pti"><div class="authi"><em id="authorposton{p.id}">{e.date(p.when)}</em><span class="pipe">|</span><a href="{e.href(e.thread(thread))}?authorid={len(p.author)}" rel="nofollow">只看该作者</a></div></div></div>'
        f'<div class="pct"><div class="pcb"><div class="t_fsz"><table cellspacing="0"><tr><td class="t_f" id="postmessage_{p.id}">{e.body(p)}</td></tr></table></div></div></div></td></tr><tr><td class="plc plm">'
        + (f'<div class="sign">{signature(p)}</div>' if signature(p) else "")
        + f'</td></tr><tr><td class="pls"></td><td class="plc"><div class="po"><div class="pob"><em>{e.action("forum.php?mod=post&action=reply&repquote=", p.id, "回复")}</em><p>{e.action("misc.php?mod=report&rid=", p.id, "举报")}</p></div></div></td></tr></table></div>'
        for place, p in shown
    ) + "</div>"  # fmt: skip


def _siblings(e: Engine, thread: Thread, shown: Shown) -> str:
    """The head of a post and its text are elements beside each other."""
    return '<ul class="forums replies"><li class="body">' + "".join(
        f'<div id="post-{p.id}" class="reply-header"><div class="meta"><span class="post-date">{e.date(p.when)}</span><a href="{e.href(e.post(thread, p))}" class="permalink">#{p.id}</a></div></div>'
        f'<div class="{"odd" if place % 2 else "even"} post-{p.id} reply type-reply"><div class="reply-author">{e.who(p, "author-name")}<div class="author-role">Participant</div></div><div class="reply-content">{e.body(p)}</div></div>'
        for place, p in shown
    ) + "</li></ul>"  # fmt: skip


def _definitions(e: Engine, thread: Thread, shown: Shown) -> str:
    return '<dl class="talk">' + "".join(
        f'<dt id="c{p.id}">{e.who(p)} <small>{e.date(p.when)}</small></dt><dd>{e.body(p)}</dd>' for _, p in shown
    ) + "</dl>"  # fmt: skip


def _cards(e: Engine, thread: Thread, shown: Shown) -> str:
    """Names of classes that mean nothing."""
    return '<div class="css-1qazx">' + "".join(
        f'<div class="css-p0st" data-testid="post-{p.id}"><div class="css-h34d"><div class="css-av"></div>{e.who(p, "css-nm")}<span class="css-dot">·</span><span class="css-tm">{e.date(p.when)}</span></div>'
        f'<div class="css-b0dy"><div class="css-rich">{e.body(p)}</div></div><div class="css-f00t"><button class="css-btn">{p.likes}</button><button class="css-btn">Reply</button><button class="css-btn">Share</button></div></div>'
        for _, p in shown
    ) + "</div>"  # fmt: skip


def _elements(e: Engine, thread: Thread, shown: Shown) -> str:
    """Elements of the site's own making."""
    return '<forum-stream class="post-stream">' + "".join(
        f'<forum-post id="post_{place}" data-post-id="{p.id}"><div class="row"><div class="topic-avatar"></div><div class="topic-body"><div class="topic-meta-data"><span class="names">{e.who(p, "username")}</span>'
        f'<div class="post-infos"><a class="post-date" href="{e.href(e.post(thread, p))}">{e.date(p.when)}</a></div></div><div class="regular contents"><div class="cooked">{e.body(p)}</div>'
        f'<section class="post-menu-area"><nav class="post-controls">{f"<button class=like-count>{p.likes}</button>" if p.likes else ""}<button>Reply</button></nav></section></div></div></div></forum-post>'
        for place, p in shown
    ) + "</forum-stream>"  # fmt: skip


def _bare(e: Engine, thread: Thread, shown: Shown) -> str:
    """Nothing but bold names, line breaks and rules, as the first boards had it."""
    return "".join(
        f'<a name="{p.id}"></a><p><b>{e.who(p)}</b> wrote on {e.date(p.when)}:</p><div>{e.body(p)}</div><hr>' for _, p in shown
    )  # fmt: skip


def _nested(e: Engine, thread: Thread, shown: Shown) -> str:
    """Answers stand in what they answer: every fourth begins a branch of its own."""
    first, *rest = shown

    def one(p: Post, inner: str) -> str:
        return (
            f'<div class="thing comment" id="thing_{p.id}" data-fullname="t1_{p.id}"><div class="midcol"><div class="arrow up"></div><div class="score">{p.likes}</div></div><div class="entry"><p class="tagline"><a class="expand" href="#">[–]</a>{e.who(p, "author")} '
            f'<span class="score unvoted">{p.likes} points</span> {e.date(p.when)}</p><form class="usertext"><div class="usertext-body"><div class="md">{e.body(p)}</div></div></form><ul class="flat-list buttons"><li>{e.a(e.post(thread, p), "permalink")}</li>'
            f'<li>{e.action("report?id=", p.id, "report")}</li></ul></div><div class="child">{f"<div class=sitetable>{inner}</div>" if inner else ""}</div></div>'
        )

    branches = ""
    for place in range(0, len(rest), 4):
        inner = ""
        for _, p in reversed(rest[place : place + 4]):
            inner = one(p, inner)
        branches += inner
    return (
        one(first[1], "")
        + f'<div class="commentarea"><div class="panestack-title"><span class="title">all {len(rest)} comments</span></div><div class="sitetable nestedlisting">{branches}</div></div>'
    )


def _indented(e: Engine, thread: Thread, shown: Shown) -> str:
    """A row for each post of one table, set in by a picture's width."""
    (_, first), *rest = shown
    lead = (
        f'<table class="fatitem"><tr class="athing" id="{first.id}"><td class="title">{e.a(e.thread(thread), escape(thread.title))}</td></tr><tr><td class="subtext"><span class="score">{first.likes} points</span> by {e.who(first, "hnuser")} '
        f'<span class="age">{e.date(first.when)}</span> | {e.action("hide?id=", first.id, "hide")}</td></tr><tr><td><div class="toptext">{e.body(first)}</div></td></tr></table><br>'
    )
    return lead + '<table class="comment-tree">' + "".join(
        f'<tr class="athing comtr" id="{p.id}"><td><table border="0"><tr><td class="ind"><img src="/s.gif" height="1" width="{40 * ((place - 2) % 4)}"></td><td class="votelinks">{e.action("vote?how=up&id=", p.id, "▲")}</td>'
        f'<td class="default"><div><span class="comhead">{e.who(p, "hnuser")} <span class="age"><a href="{e.href(e.post(thread, p))}">{e.date(p.when)}</a></span></span></div><br><div class="comment"><div class="commtext c00">{e.body(p)}</div>'
        f'<div class="reply"><p><font size="1"><u>{e.action("reply?id=", p.id, "reply")}</u></font></div></div></td></tr></table></td></tr>'
        for place, p in rest
    ) + "</table>"  # fmt: skip


def _question(e: Engine, thread: Thread, shown: Shown) -> str:
    """A question with its answers, the second of which was accepted."""

    def one(place: int, p: Post) -> str:
        kind = "question" if place == 1 else f"answer{' accepted-answer' if place == 3 else ''}"
        return (
            f'<div class="{kind}" id="{kind.split()[0]}-{p.id}" data-{kind.split()[0]}id="{p.id}"><div class="post-layout"><div class="votecell"><div class="vote"><button class="vote-up">+</button><span class="vote-count-post">{p.likes}</span></div></div><div class="postcell"><div class="post-text">{e.body(p)}</div>'
            f'<div class="fw"><div class="post-menu">{e.a(e.post(thread, p), "share")} {e.action("posts/edit/", p.id, "improve")}</div><div class="user-info"><div class="user-action-time">{"asked" if place == 1 else "answered"} {e.date(p.when)}</div><div class="user-details">{e.who(p)}<span class="reputation-score">{p.likes * 311 + 7}</span></div></div></div></div></div></div>'
        )

    (_, first), *rest = shown
    return f'<div id="mainbar">{one(1, first)}<div id="answers"><h2>{len(rest)} Answers</h2>{"".join(one(place, p) for place, p in rest)}</div></div>'


POSTS = [
    Posts("tables", _tables),
    Posts("two rows", _two_rows),
    Posts("profiles", _profiles),
    Posts("articles", _articles),
    Posts("windows", _windows),
    Posts("columns", _columns),
    Posts("siblings", _siblings),
    Posts("definitions", _definitions),
    Posts("cards", _cards),
    Posts("elements", _elements),
    Posts("bare", _bare),
    Posts("nested", _nested, whole=True),
    Posts("indented", _indented, whole=True),
    Posts("question", _question, whole=True),
]
