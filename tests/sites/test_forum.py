"""The forum's pages agree with its gold; its login, sessions and dangerous links behave as real ones do."""

from __future__ import annotations

import json
import re
from collections import Counter
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.sites import Served, forum, serve
from tests.sites.client import ask, words

GOLD = forum.gold()


def member(root: str) -> OpenerDirector:
    """A client with cookies that has logged in through the form."""
    client = build_opener(HTTPCookieProcessor())
    client.open(root)
    page = client.open(root + "login?next=/rules").read().decode()
    token = re.search(r'name="csrf" value="(\w+)"', page)
    assert token
    form = {"csrf": token[1], "ident": forum.USER, "secret": forum.PASSWORD, "next": "/rules"}
    assert client.open(root + "login", urlencode(form).encode()).url == root + "rules"
    return client


def test_the_gold_is_of_the_promised_size() -> None:
    assert len({post.thread_id for post in GOLD}) == 42
    assert 450 < len(GOLD) < 550
    assert len({post.id for post in GOLD}) == len(GOLD)
    assert any(post.private for post in GOLD)
    assert Counter(post.text for post in GOLD)["+1"] > 5
    lengths = Counter(post.thread_id for post in GOLD).values()
    assert {10, 20} <= set(lengths)


def test_thread_pages_say_what_the_gold_says(served: Served) -> None:
    root = served["forum"]
    client = member(root)
    for thread_id in sorted({post.thread_id for post in GOLD}):
        posts = [post for post in GOLD if post.thread_id == thread_id]
        seen = []
        for page in range(1, (len(posts) - 1) // 10 + 2):
            tree = LexborHTMLParser(client.open(f"{root}thread/{thread_id}-x/?page={page}").read())
            for node in tree.css("article.post"):
                for quotation in node.css("blockquote"):
                    quotation.decompose()
                author, text = node.css_first(".who a"), node.css(".post-text p")
                when = node.css_first("time")
                assert author is not None
                assert when is not None
                seen.append((node.id, author.text(), when.text(), "\n".join(line.text() for line in text)))
        wanted = [(f"p{p.id}", p.author, f"{p.published:%Y-%m-%d %H:%M}", p.text) for p in posts]
        assert seen == wanted


def test_members_only_threads_are_hidden_from_guests(served: Served) -> None:
    root = served["forum"]
    private = next(post for post in GOLD if post.private)
    assert ask(root + "board/7-members-room/", patience=10).status == 403
    for path in (f"thread/{private.thread_id}-x/", f"post/{private.id}/"):
        reply = ask(root + path, patience=10)
        assert reply.status == 302
        assert "/login" in str(reply.header("Location"))
    for path in ("", "search?q=", "members", "feed/latest.xml", "member/Odile"):
        assert private.text not in words(ask(root + path, patience=10).body.decode())


def test_a_guest_without_cookies_gets_a_session_id_in_every_link(served: Served) -> None:
    root = served["forum"]
    body = ask(root, patience=10).body.decode()
    links = [href for href in re.findall(r'href="(/[^"]*)"', body) if not href.startswith("/static")]
    assert all(";sid=" in href for href in links)
    again = ask(root.rstrip("/") + links[-1], patience=10)
    assert again.status == 200
    cookie = str(ask(root, patience=10).header("Set-Cookie")).split(";")[0]
    assert ";sid=" not in ask(root, headers={"Cookie": cookie}, patience=10).body.decode()


def test_the_wrong_password_or_token_does_not_log_in(served: Served) -> None:
    root = served["forum"]
    client = build_opener(HTTPCookieProcessor())
    page = client.open(root + "login").read().decode()
    token = re.search(r'name="csrf" value="(\w+)"', page)
    assert token
    form = {"csrf": token[1], "ident": forum.USER, "secret": "guess"}
    assert "Wrong name or password" in client.open(root + "login", urlencode(form).encode()).read().decode()


@pytest.mark.parametrize(("position", "query"), [(1, ""), (10, ""), (11, "?page=2"), (20, "?page=2"), (21, "?page=3")])
def test_permalinks_lead_into_the_thread_page_of_the_post(served: Served, position: int, query: str) -> None:
    cookie = {"Cookie": "lr_sid=0123456789abcdef"}
    post = next(post for post in GOLD if post.position == position and not post.private)
    reply = ask(f"{served['forum']}post/{post.id}/", headers=cookie, patience=10)
    place = rf"/thread/{post.thread_id}-[a-z0-9-]+/{re.escape(query)}#p{post.id}"
    assert re.fullmatch(place, str(reply.header("Location")))


def test_a_logout_link_logs_out_and_changing_links_are_recorded() -> None:
    with serve("forum") as served:
        root = served["forum"]
        client = member(root)
        assert "Complaints go here" in client.open(root + "board/7-members-room/?page=2").read().decode() or (
            "Complaints go here" in client.open(root + "board/7-members-room/").read().decode()
        )
        client.open(root + "vote/10101?v=up")
        client.open(root + "logout")
        state = json.loads(client.open(root + "_control/state").read())
        assert [change["path"] for change in state["state_changing_gets"]] == ["/vote/10101", "/logout"]
        assert "Log in" in client.open(root).read().decode()


def test_a_new_reply_appears_in_its_thread() -> None:
    with serve("forum") as served:
        answer = ask(f"{served['forum']}_control/reply?thread=101&text=Fresh", method="POST", patience=10)
        added = json.loads(answer.body)
        page = (added["position"] - 1) // 10 + 1
        body = ask(f"{served['forum']}thread/101-x/?page={page}", patience=10).body.decode()
    assert f'id="p{added["id"]}"' in body
    assert "Fresh" in body
