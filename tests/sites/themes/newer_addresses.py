"""More ways to write addresses: numbers in file names, commas, titles alone behind a word, numbers of posts alone."""

from __future__ import annotations

from tests.sites.themes.addresses import Addresses, more, number_of
from tests.sites.themes.gold import slug

IDS = Addresses(
    "ids", "/index.php",
    lambda b, n, size: more(f"/viewforum.php?id={b.id}", f"&p={n}", n),
    lambda t, n, size: more(f"/viewtopic.php?id={t.id}", f"&p={n}", n),
    lambda t, p, place, n: f"/viewtopic.php?pid={p.id}",
    lambda who: f"/profile.php?id={number_of(who)}", views=("action=new", "action=last"),
)  # fmt: skip
COMMAS = Addresses(
    "commas", "/list.php",
    lambda b, n, size: more(f"/list.php?{b.id}", f",page={n}", n),
    lambda t, n, size: more(f"/read.php?{t.board.id},{t.id}", f",page={n}", n),
    lambda t, p, place, n: f"/read.php?{t.board.id},{t.id},{p.id}",
    lambda who: f"/profile.php?{number_of(who)}", mark="msg-",
)  # fmt: skip
FILES = Addresses(
    "files", "/",
    lambda b, n, size: f"/{slug(b.title)}-f{b.id}{'' if n == 1 else f'-{(n - 1) * size}'}.html",
    lambda t, n, size: f"/{slug(t.title)}-t{t.id}{'' if n == 1 else f'-{(n - 1) * size}'}.html",
    lambda t, p, place, n: f"/post{p.id}.html",
    lambda who: f"/member{number_of(who)}.html", session="sid",
)  # fmt: skip
BEHIND_SCRIPT = Addresses(
    "behind the script", "/index.php",
    lambda b, n, size: f"/index.php/board,{b.id}.{(n - 1) * size}.html",
    lambda t, n, size: f"/index.php/topic,{t.id}.{(n - 1) * size}.html",
    lambda t, p, place, n: f"/index.php/topic,{t.id}.msg{p.id}.html",
    lambda who: f"/index.php/profile,{number_of(who)}.html", mark="msg",
)  # fmt: skip
WORD_AND_TITLE = Addresses(
    "word and title", "/index.php",
    lambda b, n, size: f"/Forum-{slug(b.title).title()}" + ("" if n == 1 else f"?page={n}"),
    lambda t, n, size: f"/Thread-{slug(t.title).title()}" + ("" if n == 1 else f"?page={n}"),
    lambda t, p, place, n: f"/Thread-{slug(t.title).title()}?pid={p.id}",
    lambda who: f"/User-{slug(who)}", views=("action=lastpost", "mode=threaded"),
    orders=("sortby=subject&order=asc&datecut=9999&prefix=0",), mark="pid",
)  # fmt: skip
CAPITALS = Addresses(
    "capitals", "/default.asp",
    lambda b, n, size: more(f"/forum_topics.asp?FID={b.id}", f"&PN={n}", n),
    lambda t, n, size: more(f"/forum_posts.asp?TID={t.id}", f"&PN={n}", n),
    lambda t, p, place, n: f"/forum_posts.asp?TID={t.id}&PID={p.id}",
    lambda who: f"/member_profile.asp?PF={number_of(who)}", orders=("SO=T", "SO=A&OB=desc"), mark="",
)  # fmt: skip
NEAR = Addresses(
    "near", "/all",
    lambda b, n, size: f"/t/{slug(b.title)}" + ("" if n == 1 else f"?page={n}"),
    lambda t, n, size: f"/d/{t.id}-{slug(t.title)}" + ("" if n == 1 else f"?page={n}"),
    lambda t, p, place, n: f"/d/{t.id}-{slug(t.title)}/{place}",
    lambda who: f"/u/{slug(who)}", orders=("sort=newest", "sort=top"), mark="",
)  # fmt: skip
TOPICS_AND_PLACES = Addresses(
    "topics and places", "/",
    lambda b, n, size: f"/category/{b.id}/{slug(b.title)}" + ("" if n == 1 else f"?page={n}"),
    lambda t, n, size: f"/topic/{t.id}/{slug(t.title)}" + ("" if n == 1 else f"?page={n}"),
    lambda t, p, place, n: f"/post/{p.id}",
    lambda who: f"/user/{slug(who)}", orders=("sort=oldest_to_newest",), mark="",
)  # fmt: skip
DISCUSSIONS = Addresses(
    "discussions", "/categories",
    lambda b, n, size: f"/categories/{slug(b.title)}" + ("" if n == 1 else f"/p{n}"),
    lambda t, n, size: f"/discussion/{t.id}/{slug(t.title)}" + ("" if n == 1 else f"/p{n}"),
    lambda t, p, place, n: f"/discussion/comment/{p.id}",
    lambda who: f"/profile/{slug(who)}", mark="Comment_",
)  # fmt: skip
QUESTIONS = Addresses(
    "questions", "/",
    lambda b, n, size: f"/questions/{slug(b.title)}" + ("" if n == 1 else f"?start={(n - 1) * size}"),
    lambda t, n, size: f"/{t.id}/{slug(t.title)}" + ("" if n == 1 else f"?start={(n - 1) * size}"),
    lambda t, p, place, n: f"/{t.id}/{slug(t.title)}?show={p.id}",
    lambda who: f"/user/{slug(who)}", orders=("sort=votes", "sort=hot"), mark="a",
)  # fmt: skip
DEEP = Addresses(
    "deep", "/forum/",
    lambda b, n, size: f"/forum/{slug(b.category)}/{slug(b.title)}" + ("" if n == 1 else f"/page{n}"),
    lambda t, n, size: f"/forum/{slug(t.board.category)}/{slug(t.board.title)}/{t.id}-{slug(t.title)}"
    + ("" if n == 1 else f"/page{n}"),
    lambda t, p, place, n: f"/forum/{slug(t.board.category)}/{slug(t.board.title)}/{t.id}-{slug(t.title)}?p={p.id}",
    lambda who: f"/member/{number_of(who)}-{slug(who)}", mark="post",
)  # fmt: skip
NUMBER_LAST = Addresses(
    "number last", "/forum",
    lambda b, n, size: f"/forum/{slug(b.title)}-{b.id}" + ("" if n == 1 else f"/{n}"),
    lambda t, n, size: f"/thread/{slug(t.title)}-{t.id}" + ("" if n == 1 else f"/{n}"),
    lambda t, p, place, n: f"/go/post/{p.id}",
    lambda who: f"/people/{slug(who)}-{number_of(who)}", mark="post-",
)  # fmt: skip
PAIRS = Addresses(
    "pairs", "/index.php",
    lambda b, n, size: f"/forum-{b.id}{'' if n == 1 else f'-page-{n}'}.html",
    lambda t, n, size: f"/thread-{t.id}{'' if n == 1 else f'-page-{n}'}.html",
    lambda t, p, place, n: f"/thread-{t.id}-post-{p.id}.html",
    lambda who: f"/user-{number_of(who)}.html", views=("mode=threaded", "action=lastpost"),
    orders=("sortby=subject&order=asc&datecut=9999&prefix=0",), mark="pid",
)  # fmt: skip

NEWER_ADDRESSES = [
    IDS, COMMAS, FILES, BEHIND_SCRIPT, WORD_AND_TITLE, CAPITALS, NEAR, TOPICS_AND_PLACES, DISCUSSIONS, QUESTIONS, DEEP,
    NUMBER_LAST, PAIRS,
]  # fmt: skip
