"""More ways to show the posts of a thread: panes beside them, heads above them, microdata, dates in attributes alone."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tests.sites.themes.gold import Post, Thread
from tests.sites.themes.posts import Posts, Shown, edited, joined, signature

if TYPE_CHECKING:
    from tests.sites.themes.engine import Engine


def _panes(e: Engine, thread: Thread, shown: Shown) -> str:
    """The signature has the class of the text."""
    return '<div id="brdmain">' + "".join(
        f'<div id="{e.mark}{p.id}" class="blockpost row{"odd" if place % 2 else "even"}{" firstpost" if place == 1 else ""}"><h2><span><span class="conr">#{place}</span> <a href="{e.href(e.post(thread, p))}">{e.date(p.when)}</a></span></h2>'
        f'<div class="box"><div class="inbox"><div class="postbody"><div class="postleft"><dl><dt><strong>{e.who(p)}</strong></dt><dd class="usertitle"><strong>Member</strong></dd><dd><span>From: Harbour</span></dd><dd><span>Registered: 2011-03-0{len(p.author) % 8 + 1}</span></dd><dd><span>Posts: {p.likes * 9 + 4}</span></dd></dl></div>'
        f'<div class="postright"><h3>{"" if place == 1 else "Re: "}{escape(thread.title)}</h3><div class="postmsg">{e.body(p)}'
        + (f'<p class="postedit"><em>{edited(e, p)}</em></p>' if p.edited else "")
        + "</div>"
        + (f'<div class="postsignature postmsg"><hr><p>{signature(p)}</p></div>' if signature(p) else "")
        + f'</div></div></div><div class="inbox"><div class="postfoot clearb"><div class="postfootleft"><p><span>Offline</span></p></div><div class="postfootright"><ul><li class="postquote"><span>{e.action("posting.php?mode=quote&p=", p.id, "Quote")}</span></li></ul></div></div></div></div></div>'
        for place, p in shown
    ) + "</div>"  # fmt: skip


def _classic(e: Engine, thread: Thread, shown: Shown) -> str:
    """Numbers of the author beside the name; when it was changed stands beside when it was written."""
    return '<div id="posts">' + "".join(
        f'<a name="{e.mark}{p.id}" id="{e.mark}{p.id}"></a><div class="post classic" id="post_{p.id}"><div class="post_author scaleimages"><div class="author_information"><strong><span class="largetext">{e.who(p)}</span></strong><br><span class="smalltext">{"Unregistered" if p.guest else "Junior Member"}<br></span></div>'
        f'<div class="author_statistics">Posts: {p.likes * 3 + 2}<br>Threads: {p.likes}<br>Joined: Mar 201{len(p.author) % 9}<br>Reputation: <strong class="reputation_positive">{p.likes}</strong></div></div><div class="post_content"><div class="post_head"><div class="float_right"><strong><a href="{e.href(e.post(thread, p))}#{e.mark}{p.id}">#{place}</a></strong></div>'
        f'<span class="post_date">{e.date(p.when)} <span class="post_edit" id="edited_by_{p.id}">'
        + (f'<span class="edited_post">(This post was last modified: {e.date(p.edited)} by {e.who(p)}.)</span>' if p.edited else "")
        + f'</span></span></div><div class="post_body scaleimages" id="pid_{p.id}">{e.body(p)}</div>'
        + (f'<div class="signature scaleimages">{signature(p)}</div>' if signature(p) else "")
        + f'<div class="post_meta" id="post_meta_{p.id}"></div></div><div class="post_controls"><div class="postbit_buttons">{e.action("newreply.php?tid=1&replyto=", p.id, "Reply")} {e.action("report.php?type=post&pid=", p.id, "Report")}</div></div></div>'
        for place, p in shown
    ) + "</div>"  # fmt: skip


def _legacy(e: Engine, thread: Thread, shown: Shown) -> str:
    """A menu in the author's name, the text in a quotation's element."""
    return '<ol id="posts" class="posts">' + "".join(
        f'<li class="postbitlegacy postbitim postcontainer old" id="post_{p.id}"><div class="posthead"><span class="postdate old"><span class="date">{e.date(p.when)}</span></span><span class="nodecontrols"><a name="post{p.id}" href="{e.href(e.post(thread, p))}#post{p.id}" class="postcounter">#{place}</a></span></div>'
        f'<div class="postdetails"><div class="userinfo"><div class="username_container"><div class="popupmenu memberaction">{e.who(p, "username offline popupctrl")}<ul class="popupbody memberaction_body"><li class="left">{e.a(e.user(p.author), "View Profile", "siteicon_profile")}</li><li class="right">{e.a("/search.php?do=finduser&u=" + str(len(p.author)), "View Forum Posts", "siteicon_forum")}</li></ul></div></div>'
        f'<span class="usertitle">Senior Member</span><dl class="userinfo_extra"><dt>Join Date</dt><dd>{joined(p)[11:]}</dd><dt>Posts</dt><dd>{p.likes * 41 + 8}</dd></dl></div><div class="postbody"><div class="postrow has_after_content"><h2 class="title icon">{"" if place == 1 else "Re: "}{escape(thread.title)}</h2><div class="content"><div id="post_message_{p.id}"><blockquote class="postcontent restore">{e.body(p)}</blockquote></div></div></div>'
        + (f'<div class="after_content"><blockquote class="postcontent lastedited">{edited(e, p)}</blockquote></div>' if p.edited else "")
        + (f'<blockquote class="signature restore"><div class="signaturecontainer">{signature(p)}</div></blockquote>' if signature(p) else "")
        + f'</div></div><div class="postfoot"><div class="textcontrols floatcontainer"><span class="postcontrols">{e.action("newreply.php?do=newreply&p=", p.id, "Reply With Quote")}</span></div></div></li>'
        for place, p in shown
    ) + "</ol>"  # fmt: skip


def _microdata(e: Engine, thread: Thread, shown: Shown) -> str:
    """What a page of scripts shows to those without: microdata, the place of each post, its number in a link."""
    return '<div id="main-outlet" class="wrap" role="main">' + "".join(
        f'<div id="post_{place}" itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person">{_named(e, p)}</span>'
        f'<link itemprop="mainEntityOfPage" href="{e.href(e.thread(thread))}"><span class="crawler-post-infos"><time itemprop="datePublished" datetime="{p.when.isoformat()}" class="post-time">{p.when:%B} {p.when.day}, {p.when.year}, {p.when:%I:%M%p}</time><meta itemprop="dateModified" content="{(p.edited or p.when).isoformat()}"><span itemprop="position">{place}</span></span></div>'
        f'<div class="post" itemprop="text" data-post-id="{p.id}">{e.body(p)}</div><div itemprop="interactionStatistic" itemscope itemtype="http://schema.org/InteractionCounter"><meta itemprop="userInteractionCount" content="{p.likes}"><span class="post-likes">{f"{p.likes} Likes" if p.likes else ""}</span></div></div>'
        for place, p in shown
    ) + "</div>"  # fmt: skip


def _named(e: Engine, p: Post) -> str:
    name = f'<span itemprop="name">{escape(p.author)}</span>'
    return (
        name
        if p.guest and not e.theme.guests_linked
        else f'<a itemprop="url" href="{e.href(e.user(p.author))}">{name}</a>'
    )


def _timeline(e: Engine, thread: Thread, shown: Shown) -> str:
    """A script writes the dates: without one they stand in attributes alone."""
    return f'<ul component="topic" class="posts timeline" data-tid="{thread.id}">' + "".join(
        f'<li component="post" class="pt-4{" topic-owner-post" if p.author == thread.posts[0].author else ""}" data-index="{place - 1}" data-pid="{p.id}" data-uid="{len(p.author)}" data-timestamp="{int(p.when.timestamp() * 1000)}" data-username="{escape(p.author)}" itemprop="comment">'
        f'<a component="post/anchor" data-index="{place - 1}" id="{place - 1}"></a><meta itemprop="datePublished" content="{p.when.isoformat()}"><div class="d-flex post-container"><div class="post-header"><a class="fw-bold" href="{e.href(e.user(p.author))}" data-username="{escape(p.author)}">{escape(p.author)}</a><span class="visible-xs"><span>wrote on</span> '
        f'<a href="{e.href(e.post(thread, p))}" class="permalink timeago" title="{p.when.isoformat()}"></a> <span>last edited by</span></span></div><div class="content mt-2" component="post/content" itemprop="text">{e.body(p)}</div>'
        + (f'<div component="post/signature" data-uid="{len(p.author)}" class="post-signature">{signature(p)}</div>' if signature(p) else "")
        + f'<div class="post-footer"><a component="post/upvote" href="#"><i></i></a><meta itemprop="upvoteCount" content="{p.likes}"><span component="post/vote-count" data-votes="{p.likes}" class="px-2">{p.likes}</span><a component="post/reply" href="#">Reply</a></div></div></li>'
        for place, p in shown
    ) + "</ul>"  # fmt: skip


def _bubbles(e: Engine, thread: Thread, shown: Shown) -> str:
    """No link to any person, dates behind the text."""
    return '<section class="talk">' + "".join(
        f'<article id="{e.mark}{p.id}" class="bubble"><header><h3 class="who">{escape(p.author)}</h3></header><div class="said">{e.body(p)}</div><footer><time datetime="{p.when.isoformat()}">{e.date(p.when)}</time> <a class="link" href="{e.href(e.post(thread, p))}">#{place}</a> <span class="liked">{p.likes or ""}</span></footer></article>'
        for place, p in shown
    ) + "</section>"  # fmt: skip


def _rows(e: Engine, thread: Thread, shown: Shown) -> str:
    """A row for the head of a post, one for its text, one for what can be done with it; no ids but in links."""
    return '<table class="messages" cellspacing="1"><tbody>' + "".join(
        f'<tr class="head"><td class="l">{e.who(p)}</td><td class="r"><a href="{e.href(e.post(thread, p))}#{e.mark}{p.id}"><img src="/i/p.gif" alt=""></a> {e.date(p.when)}</td></tr>'
        f'<tr class="text"><td class="l"><small>{joined(p)}<br>Posts: {p.likes + 7}</small></td><td class="r"><div class="msg">{e.body(p)}</div></td></tr>'
        f'<tr class="foot"><td class="l"><a href="#top">Top</a></td><td class="r">{e.action("posting.php?mode=quote&p=", p.id, "Quote")}</td></tr>'
        for _, p in shown
    ) + "</tbody></table>"  # fmt: skip


NEWER = [
    Posts("panes", _panes),
    Posts("classic", _classic),
    Posts("legacy", _legacy),
    Posts("microdata", _microdata),
    Posts("timeline", _timeline),
    Posts("bubbles", _bubbles),
    Posts("rows", _rows),
]
