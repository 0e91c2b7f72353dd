"""Real forum programs, crawled with nothing told but the address: every post once, as it is, and nothing changed."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nephila.crawling.state import State
from nephila.fetch.client import Client
from nephila.fetch.identity import client_options
from nephila.fetch.login import Member
from nephila.job import Job
from tests.crawl import crawling
from tests.crawl.crawling import Place, wait_until
from tests.forum.engines import DATABASES, HOME, PASSWORD, RECIPES, USER, Engine, compare, installed, running

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not RECIPES.exists(), reason="the recipes of the forum programs are not on this machine"),
]
LOGIN = f'[login]\nuser = "{USER}"\npassword_env = "FORUM_PASSWORD"\n'
MOST = 1.15
"""Fetches for each page that the content needs, learning included."""


@pytest.fixture(params=DATABASES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with running(installed(request.param)) as one:
        yield one


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("FORUM_PASSWORD", PASSWORD)
    monkeypatch.setattr(crawling, "PATIENCE", 1200)
    return Place(tmp_path)


def fetches(place: Place) -> int:
    """Whatever was answered: pages, redirects, refusals."""
    return int(sum(place.summary["labelled"]["responses"].values()))


def test_guests_get_all_public_posts(engine: Engine, place: Place) -> None:
    done = place.crawl(engine.url)
    assert done.status == 0, done.err
    assert compare(place.records, engine.gold(private=False)) == []
    assert fetches(place) <= MOST * engine.needed(private=False)


def test_members_get_all_posts_and_change_nothing(engine: Engine, place: Place) -> None:
    before = engine.contents()
    done = place.crawl(engine.url, "--job", place.job(LOGIN))
    assert done.status == 0, done.err
    assert compare(place.records, engine.gold(private=True)) == []
    assert fetches(place) <= MOST * engine.needed(private=True)
    assert engine.contents() == before
    assert "the session was lost" not in place.workers_log
    assert asyncio.run(is_logged_in(engine, place))


async def is_logged_in(engine: Engine, place: Place) -> bool:
    """Whether the session that the crawl ended with is a member's still; nobody logs in again for that."""
    login = {"user": USER, "password_env": "FORUM_PASSWORD"}
    job = Job.from_dict({"seeds": [engine.url], "login": login, "http": {"allow_private": True}})
    client, memory = Client(client_options(job)), State(place.state).open_memory()
    member = Member(job, client, memory)
    try:
        await member.enter()
        assert member.logins == 0
        answer = await client.get(engine.url)
        return not await member.lost(engine.url, answer) and USER.encode() in answer.body and member.logins == 0
    finally:
        await client.close()
        await memory.close()


ADD_SPIRIT = """
import django; django.setup()
import datetime as dt
from django.utils import timezone
from spirit.topic.models import Topic
from spirit.comment.models import Comment
from spirit.category.models import Category
now = timezone.now()
public = list(Topic.objects.filter(category__is_private=False).order_by("pk"))
threads = public[:: len(public) // 12][:12]
def add(topic, n):
    when = now + dt.timedelta(seconds=n)
    text = {"comment": f"Fresh {n}", "comment_html": f"<p>Fresh {n}</p>"}
    comment = Comment.objects.create(user=topic.user, topic=topic, date=when, **text)
    Topic.objects.filter(pk=topic.pk).update(last_active=when, comment_count=topic.comment_set.count())
    print(comment.pk)
for n in range(50):
    add(threads[n % 12], n)
for n in range(3):
    category = Category.objects.filter(is_private=False).order_by("pk")[n]
    facts = {"title": f"A new thread {n}", "date": now, "last_active": now}
    add(Topic.objects.create(user=threads[0].user, category=category, **facts), 100 + n)
"""
ADD_FLASKBB = """
import os
from flaskbb import create_app
from flaskbb.extensions import db
from flaskbb.forum.models import Forum, Post, Topic
app = create_app(os.environ["SITE"] + "/flaskbb.cfg", os.environ["SITE"] + "/instance")
with app.test_request_context():
    guest = lambda forum: any(group.role.value == "guest" for group in forum.groups)
    topics = db.session.scalars(db.select(Topic).order_by(Topic.id)).unique()
    public = [topic for topic in topics if guest(topic.forum) and not topic.locked]
    threads = public[:: len(public) // 12][:12]
    for n in range(50):
        topic = threads[n % 12]
        post = Post(content=f"Fresh {n}")
        post.save(user=topic.user, topic=topic)
        print(post.id)
    forums = [forum for forum in db.session.scalars(db.select(Forum).order_by(Forum.id)).unique() if guest(forum)]
    for n in range(3):
        topic = Topic(title=f"A new thread {n}")
        post = Post(content=f"Fresh {100 + n}")
        topic.save(user=threads[0].user, forum=forums[n], post=post)
        print(topic.first_post_id)
"""


def test_a_later_crawl_fetches_what_is_new(engine: Engine, place: Place) -> None:
    assert place.crawl(engine.url).status == 0
    known = len(place.records)
    added = engine.python(ADD_SPIRIT if engine.name == "spirit" else ADD_FLASKBB).split()
    done = place.crawl(engine.url, "--recrawl")
    assert done.status == 0, done.err
    fresh = [record for record in place.records[known:] if record.kind == "post"]
    assert sorted(str((record.post or {})["id"]) for record in fresh) == sorted(added)
    assert fetches(place) <= 40


def test_a_session_that_is_lost_is_begun_again(place: Place) -> None:
    with running(installed("spirit")) as engine:
        crawl = place.start(engine.url, "--job", place.job(LOGIN))
        for share in (0.2, 0.45, 0.7):
            crawl.wait_for_records(int(share * len(engine.gold(private=True))))
            wait_until(lambda: engine.forget_sessions() > 0)
        assert crawl.end() == 0, crawl.err
        assert compare(place.records, engine.gold(private=True)) == []


@pytest.mark.parametrize("name", DATABASES)
def test_a_wrong_password_is_one_clear_line(name: str, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_PASSWORD", "not the password")
    with running(installed(name)) as engine:
        done = place.crawl(engine.url, "--job", place.job(LOGIN))
    assert done.status != 0
    assert "not the password" not in done.err
    said = [line for line in done.err.splitlines() if USER in line and "FORUM_PASSWORD" in line]
    assert len(said) == 1, done.err


@pytest.mark.parametrize(("name", "posts", "threads"), [("spirit", 7, 12), ("flaskbb", 25, 30)])
def test_other_contents_and_page_lengths(name: str, posts: int, threads: int, place: Place) -> None:
    engine = installed(name, HOME / "other", "--boards", "8", "--threads", "23", "--maxposts", "70", "--seed", "31")
    _set_page_lengths(engine, posts, threads)
    with running(engine):
        done = place.crawl(engine.url)
        assert done.status == 0, done.err
        assert compare(place.records, engine.gold(private=False)) == []
        assert fetches(place) <= MOST * engine.needed(private=False, posts=posts, threads=threads)


def _set_page_lengths(engine: Engine, posts: int, threads: int) -> None:
    table, names = {
        "spirit": ("djconfig_config", ("comments_per_page", "topics_per_page")),
        "flaskbb": ("settings", ("POSTS_PER_PAGE", "TOPICS_PER_PAGE")),
    }[engine.name]
    with closing(sqlite3.connect(engine.database.with_suffix(".pristine"))) as sql, sql:
        for name, value in zip(names, (posts, threads), strict=True):
            if not sql.execute(f"UPDATE {table} SET value = ? WHERE key = ?", (str(value), name)).rowcount:
                sql.execute(f"INSERT INTO {table} (key, value) VALUES (?, ?)", (name, str(value)))


def test_a_crawl_that_is_killed_loses_nothing(place: Place) -> None:
    with running(installed("spirit")) as engine:
        crawl = place.start(engine.url)
        for share in (0.1, 0.4, 0.7):
            crawl.wait_for_records(int(share * len(engine.gold(private=False))))
            crawl.process.kill()
            crawl.end()
            time.sleep(1)
            crawl = place.start(engine.url)
        assert crawl.end() == 0, crawl.err
        assert compare(place.records, engine.gold(private=False)) == []
