"""Posts among other things: notes of what was done to the thread, files, who liked it, comments under answers, mails."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tests.sites.themes.gold import Post, Thread
from tests.sites.themes.posts import Posts, Shown, edited, signature

if TYPE_CHECKING:
    from tests.sites.themes.engine import Engine


def _file(e: Engine, p: Post) -> str:
    return e.a(f"/download/file.php?id={p.id}", f"kettle-{p.id}.zip", "postlink")


def _attached(e: Engine, thread: Thread, shown: Shown) -> str:
    """Files under the text, the author's numbers as links, who thanked."""
    return "".join(
        f'<div id="{e.mark}{p.id}" class="post has-profile bg{place % 2 + 1}"><div class="inner"><dl class="postprofile" id="profile{p.id}"><dt class="no-profile-rank no-avatar"><div class="avatar-container"></div>{e.who(p, "username")}</dt><dd class="profile-posts"><strong>Posts:</strong> {e.a(f"/search.php?author_id={len(p.author)}&sr=posts", str(p.likes * 7 + 12))}</dd>'
        f'<dd class="profile-joined"><strong>Joined:</strong> Thu Apr 0{len(p.author) % 9 + 1}, 2015 10:12 am</dd><dd class="profile-custom-field profile-phpbb_location"><strong>Location:</strong> Harbour</dd></dl><div class="postbody"><div id="post_content{p.id}"><h3{" class=first" if place == 1 else ""}><a href="{e.href(e.post(thread, p))}#{e.mark}{p.id}">{"" if place == 1 else "Re: "}{escape(thread.title)}</a></h3>'
        f'<ul class="post-buttons"><li><a href="{e.href(f"/posting.php?mode=quote&p={p.id}")}" title="Reply with quote" class="button button-icon-only"><i></i><span class="sr-only">Quote</span></a></li></ul><p class="author"><a class="unread" href="{e.href(e.post(thread, p))}#{e.mark}{p.id}" title="Post"><i></i><span class="sr-only">Post</span></a><span class="responsive-hide">by <strong>{e.who(p, "username")}</strong> &raquo; </span>{e.date(p.when)}</p>'
        f'<div class="content">{e.body(p)}</div>'
        + (f'<dl class="attachbox"><dt>Attachments</dt><dd><dl class="file"><dt>{_file(e, p)}</dt><dd>(12.4 KiB) Downloaded {p.id % 90} times</dd></dl></dd></dl>' if p.id % 5 == 0 else "")
        + (f'<div class="notice">Last edited by {e.who(p, "username")} on {e.date(p.edited)}, edited 1 time in total.</div>' if p.edited else "")
        + (f'<div class="postreactions"><strong>These users thanked the author {escape(p.author)} for the post:</strong> {e.a(e.user("dora"), "dora")}, {e.a(e.user("jun"), "jun")}</div>' if p.likes > 1 else "")
        + (f'<div id="sig{p.id}" class="signature">{signature(p)}</div>' if signature(p) else "")
        + '</div></div><div class="back2top"><a href="#top" class="top" title="Top"><i></i><span class="sr-only">Top</span></a></div></div></div>'
        for place, p in shown
    )  # fmt: skip


def _streamed(e: Engine, thread: Thread, shown: Shown) -> str:
    """Between the posts, what was done to the thread: it has a name and a date, but nobody wrote it."""

    def done(p: Post) -> str:
        return (
            f'<div class="PostStream-item" data-index="0"><div class="EventPost Post"><span class="icon"></span><div class="EventPost-info">{e.a(e.user(p.author), escape(p.author), "EventPost-user")} changed the title from <strong class="old">Kettle</strong> to <strong>{escape(thread.title)}</strong>.'
            f' <span class="PostMeta">{e.date(p.when)}</span></div></div></div>'
        )

    return '<div class="PostStream">' + "".join(
        f'<div class="PostStream-item" data-index="{place - 1}" data-number="{place}" data-id="{p.id}" data-type="comment"><article class="CommentPost Post"><header class="Post-header"><ul><li class="item-user"><div class="PostUser"><h3 class="PostUser-name">{e.who(p, "PostUser-link")}</h3></div></li><li class="item-meta"><div class="Dropdown PostMeta"><a class="Dropdown-toggle" href="{e.href(e.post(thread, p))}">{e.date(p.when)}</a>'
        f'<div class="Dropdown-menu dropdown-menu"><span class="PostMeta-number">Post #{place}</span></div></div></li>'
        + ('<li class="item-edited"><span class="PostEdited">edited</span></li>' if p.edited else "")
        + f'</ul></header><div class="Post-body">{e.body(p)}</div><aside class="Post-actions"><ul><li class="item-reply"><button>Reply</button></li><li class="item-like"><button>Like</button></li></ul></aside><footer class="Post-footer"><ul>'
        + (f'<li class="item-liked"><div class="Post-likedBy"><i></i>{e.a(e.user("dora"), "dora")} and {e.a(e.user("jun"), "jun")} like this.</div></li>' if p.likes > 1 else "")
        + "</ul></footer></article></div>"
        + (done(p) if place in (2, 7) else "")
        for place, p in shown
    ) + "</div>"  # fmt: skip


def _suite(e: Engine, thread: Thread, shown: Shown) -> str:
    """The author's panel behind the head; when it was changed stands in the text's own element."""
    return '<div id="elPostFeed" data-role="commentFeed">' + "".join(
        f'<a id="findComment-{p.id}"></a><a id="comment-{p.id}"></a><article id="elComment_{p.id}" class="cPost ipsBox ipsComment ipsComment_parent"><div class="cAuthorPane cAuthorPane--mobile"></div><aside class="ipsComment_author cAuthorPane"><h3 class="ipsType_sectionHead cAuthorPane_author"><strong>{e.who(p, "ipsType_break")}</strong></h3><ul class="cAuthorPane_info ipsList_reset"><li data-role="group">Members</li>'
        f'<li data-role="stats"><ul class="ipsList_reset"><li>{e.a(e.user(p.author) + "content/", f"{p.likes * 7 + 3}k", "ipsType_blendLinks")}</li></ul></li></ul></aside><div class="ipsColumn ipsColumn_fluid"><div id="comment-{p.id}_wrap" class="ipsComment_content ipsType_medium"><div class="ipsComment_meta ipsType_light"><div class="ipsPull_right"><a class="ipsComment_permalink" href="{e.href(e.post(thread, p))}">#{place}</a></div><div class="ipsType_reset"><a href="{e.href(e.post(thread, p))}" class="ipsType_blendLinks">{e.date(p.when)}</a></div></div>'
        f'<div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_normal ipsType_richText">{e.body(p)}'
        + (f'<p class="ipsType_reset ipsType_light" data-excludequote><strong>Edited {e.date(p.edited)} by {escape(p.author)}</strong></p>' if p.edited else "")
        + f'</div><div class="ipsItemControls"><div class="ipsReact"><ul class="ipsReact_reactions"><li class="ipsReact_reactCount">{f"<span>{p.likes}</span>" if p.likes else ""}</li></ul></div><ul class="ipsComment_controls">{"<li>" + e.action("index.php?do=quote&comment=", p.id, "Quote") + "</li>"}</ul></div></div>'
        + (f'<div data-role="memberSignature" class="ipsType_light">{signature(p)}</div>' if signature(p) else "")
        + "</div></div></article>"
        for place, p in shown
    ) + "</div>"  # fmt: skip


def _led(e: Engine, thread: Thread, shown: Shown) -> str:
    """What begins the thread looks different, and stands on its first page alone."""

    def head(p: Post) -> str:
        return (
            f'<div class="AuthorWrap"><span class="Author"><a class="PhotoWrap" title="{escape(p.author)}" href="{e.href(e.user(p.author))}"><img src="/a.png" alt="{escape(p.author)}" class="ProfilePhoto"></a>{e.who(p, "Username")}</span><span class="AuthorInfo"><span class="MItem RoleTitle">Member</span> <span class="MItem PostCount">Posts: {p.likes * 3 + 9}</span></span></div>'
            f'<div class="Meta CommentMeta"><span class="MItem DateCreated"><a href="{e.href(e.post(thread, p))}" class="Permalink">{e.date(p.when)}</a></span>'
            + (f' <span class="MItem"><span class="DateUpdated">edited {p.edited:%B %Y}</span></span>' if p.edited else "")
            + "</div>"
        )  # fmt: skip

    out = ""
    for place, p in shown:
        message = f'<div class="Message userContent">{e.body(p)}</div>'
        if signature(p):
            message += f'<div class="Signature UserSignature">{signature(p)}</div>'
        if place == 1:
            out += f'<div class="MessageList Discussion"><div id="Discussion_{thread.id}" class="Item ItemDiscussion" data-id="{p.id}"><a name="{p.id}"></a><div class="Discussion"><div class="Item-Header DiscussionHeader">{head(p)}</div><div class="Item-BodyWrap"><div class="Item-Body">{message}</div></div></div></div></div><div class="CommentsWrap"><ul class="MessageList DataList Comments">'
        else:
            out += f'<li class="Item {"Alt " if place % 2 else ""}ItemComment" id="Comment_{p.id}" data-id="{p.id}"><a name="{p.id}"></a><div class="Comment"><div class="Item-Header CommentHeader">{head(p)}</div><div class="Item-BodyWrap"><div class="Item-Body">{message}<div class="Reactions">{e.a(f"/react/comment/like?id={p.id}", "Like")}</div></div></div></div></li>'
    begun = shown[0][0] == 1
    return (
        out if begun else f'<div class="CommentsWrap"><ul class="MessageList DataList Comments">{out}'
    ) + "</ul></div>"


def _answers(e: Engine, thread: Thread, shown: Shown) -> str:
    """A question, its answers, and short comments under some of them: of four posts the last two are such."""

    def one(place: int, p: Post, comments: str) -> str:
        kind = "question" if place == 1 else "answer"
        return (
            f'<div class="{kind}" id="{kind}-{p.id}" data-{kind}id="{p.id}"><div class="post-layout"><div class="votecell"><span class="vote-count-post">{p.likes}</span>{"<div class=vote-accepted-on title=Accepted>✓</div>" if place == 2 else ""}</div><div class="postcell"><div class="s-prose js-post-body">{e.body(p)}</div><div class="fw"><div class="js-post-menu">{e.a(e.post(thread, p), "Share")} {e.action("posts/edit/", p.id, "Improve")}</div>'
            f'<div class="user-info"><div class="user-action-time">{"asked" if place == 1 else "answered"} {e.date(p.when)}</div><div class="user-details">{e.who(p)}<div class="-flair"><span class="reputation-score">{p.likes * 311 + 7}</span></div></div></div></div></div><div class="post-layout--right"><div id="comments-{p.id}" class="comments"><ul class="comments-list">{comments}</ul></div></div></div></div>'
        )

    def comment(p: Post) -> str:
        return f'<li id="comment-{p.id}" class="comment" data-comment-id="{p.id}"><div class="comment-score"><span>{p.likes or ""}</span></div><div class="comment-text"><div class="comment-body"><div class="comment-copy">{e.body(p)}</div><div class="comment-meta">{e.who(p, "comment-user")} <span class="comment-date"><a class="comment-link" href="#comment{p.id}">{e.date(p.when)}</a></span></div></div></div></li>'

    groups: list[tuple[int, Post, list[Post]]] = []
    for place, p in shown:
        if place % 4 in (3, 0) and groups:
            groups[-1][2].append(p)
        else:
            groups.append((place, p, []))
    parts = [one(place, p, "".join(map(comment, under))) for place, p, under in groups]
    return f'<div id="mainbar">{parts[0]}<div id="answers"><h2>{len(parts) - 1} Answers</h2>{"".join(parts[1:])}</div></div>'


def _mails(e: Engine, thread: Thread, shown: Shown) -> str:
    """Letters of a list, one under the other, each with its head."""
    return "".join(
        f'<div class="mail" id="{e.mark}{p.id}"><dl class="head"><dt>From:</dt><dd>{e.who(p, "sender")}</dd><dt>Date:</dt><dd>{e.date(p.when)}</dd><dt>Subject:</dt><dd>{"" if place == 1 else "Re: "}{escape(thread.title)}</dd></dl><div class="letter">{e.body(p)}</div><div class="foot">{e.a(e.post(thread, p), "Permalink")} {e.action("reply?id=", p.id, "Reply")}</div></div>'
        for place, p in shown
    )  # fmt: skip


def _moderated(e: Engine, thread: Thread, shown: Shown) -> str:
    """The head, the text and the foot are three elements in a row under one wrapper; a subject on each."""
    return '<form id="quickModForm"><div id="forumposts">' + "".join(
        f'<div class="windowbg" id="msg{p.id}"><div class="post_wrapper"><div class="poster"><h4><span class="off" title="Offline"></span>{e.who(p)}</h4><ul class="user_info"><li class="membergroup">Full Member</li><li class="icons"><img src="/i/i.png" alt="*"></li><li class="postcount">Posts: {p.likes + 51}</li><li class="poster_ip">Logged</li></ul></div><div class="postarea"><div class="keyinfo"><div id="subject_{p.id}" class="subject_title subject_hidden"><a href="{e.href(e.post(thread, p))}#msg{p.id}" rel="nofollow">{"" if place == 1 else "Re: "}{escape(thread.title)}</a></div>'
        f'<span class="page_number floatright">{"" if place == 1 else f"#{place - 1}"}</span><div class="postinfo"><span class="messageicon"></span><a href="{e.href(e.post(thread, p))}#msg{p.id}" rel="nofollow" title="{"" if place == 1 else f"Reply #{place - 1} - "}{escape(thread.title)}" class="smalltext">{e.date(p.when)}</a>'
        + (f' <span class="smalltext modified floatright" id="modified_{p.id}"><span class="lastedit">Last Edit</span>: {e.date(p.edited)} by {escape(p.author)}</span>' if p.edited else "")
        + f'</div><div id="msg_{p.id}_quick_mod"></div></div><div class="post"><div class="inner" data-msgid="{p.id}" id="msg_{p.id}">{e.body(p)}</div></div>'
        + (f'<div id="msg_{p.id}_footer" class="attachments"><div class="attached"><div class="attachments_bot"><a href="{e.href(f"/index.php?action=dlattach;topic={thread.id}.0;attach={p.id}")}"><img src="/i/clip.png" alt="*"> kettle-{p.id}.jpg</a> (41.2 kB - downloaded 3 times.)</div></div></div>' if p.id % 5 == 0 else "")
        + f'<div class="under_message"><ul class="floatleft"><li class="smflikebutton">{f"{p.likes} people like this" if p.likes else ""}</li></ul><ul class="quickbuttons"><li>{e.action(f"index.php?action=post;topic={thread.id}.0;quote=", p.id, "Quote")}</li></ul></div></div><div class="moderatorbar">'
        + (f'<div class="signature" id="msg_{p.id}_signature">{signature(p)}</div>' if signature(p) else "")
        + "</div></div></div>"
        for place, p in shown
    ) + "</div></form>"  # fmt: skip


def _old_rows(e: Engine, thread: Thread, shown: Shown) -> str:
    """Two cells, the date among small words of the second; buttons as pictures; when it was changed below a line."""
    return '<table class="bordercolor" width="100%">' + "".join(
        f'<tr><td class="windowbg{"2" if place % 2 else ""}"><a name="msg{p.id}"></a><table width="100%"><tr><td valign="top" width="16%" rowspan="2"><b>{e.who(p)}</b><div class="smalltext">Jr. Member<br>**<br>Offline<br>Posts: {p.likes + 5}</div></td>'
        f'<td valign="top" width="85%"><table width="100%"><tr><td><div style="font-weight:bold" id="subject_{p.id}"><a href="{e.href(e.post(thread, p))}#msg{p.id}">{"" if place == 1 else "Re: "}{escape(thread.title)}</a></div><div class="smalltext">&laquo; <b>{"" if place == 1 else f"Reply #{place - 1} "}on:</b> {e.date(p.when)} &raquo;</div></td><td align="right" class="smalltext">{e.action("index.php?action=post;quote=", p.id, "Quote")}</td></tr></table><hr width="100%" size="1" class="hrcolor"><div class="post">{e.body(p)}</div></td></tr>'
        f'<tr><td valign="bottom" class="smalltext"><table width="100%"><tr><td class="smalltext" id="modified_{p.id}"><i>{edited(e, p, "&laquo; Last Edit:")}</i></td><td align="right" class="smalltext">{e.action("index.php?action=reporttm;msg=", p.id, "Report to moderator")} Logged</td></tr></table>'
        + (f'<hr width="100%" size="1" class="hrcolor"><div class="signature">{signature(p)}</div>' if signature(p) else "")
        + "</td></tr></table></td></tr>"
        for place, p in shown
    ) + "</table>"  # fmt: skip


LIVELY = [
    Posts("attached", _attached),
    Posts("streamed", _streamed),
    Posts("suite", _suite),
    Posts("led", _led),
    Posts("answers", _answers, whole=True),
    Posts("mails", _mails),
    Posts("moderated", _moderated),
    Posts("old rows", _old_rows),
]
