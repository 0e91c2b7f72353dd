"""Posts as records: one a post, with its thread and boards beside it. Knows posts and the Record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nephila.forum.archive import Version
from nephila.forum.post import Post
from nephila.forum.reading import Kind
from nephila.forum.way import Guided
from nephila.record import Record

_EXTRACTOR = "forum"


def post_record(frame: Record, guided: Guided, version: Version, place: int, thread_url: str) -> Record:
    """`frame` is the record of the page that the post stands on; `place` that of the post in its thread."""
    post = version.post
    record = replace(frame, kind="post", title=guided.title, extractor=_EXTRACTOR)
    record.url = (post.permalink if post else None) or f"{thread_url}#{version.id}"
    record.canonical_url = None
    if post is not None:
        record.text = post.text
        record.markdown = post.markdown
        record.author = post.author
        record.published = post.published
    record.post = {
        "id": version.id,
        "position": (post.number or place) if post else None,
        "board": guided.board,
        "thread_id": guided.key.name if guided.key else None,
        "thread_url": thread_url,
        **_told(post),
        "version": version.number,
        "deleted": post is None,
    }
    return record


def _told(post: Post | None) -> dict[str, Any]:
    if post is None:
        return {}
    return {
        "author_url": post.author_url,
        "quotes": [{"author": quote.author, "text": quote.text} for quote in post.quotes],
        "likes": post.likes,
        "depth": post.depth,
        **({"accepted": True} if post.accepted else {}),
    }


def comment_dict(version: Version, place: int, article: str) -> dict[str, Any]:
    """A comment for the record of the article that it stands under, whose address is `article`."""
    post = version.post
    written = _written(post) if post is not None else {}
    told = {"position": place if post else None, "version": version.number, "deleted": post is None}
    return {**written, "id": version.id.removeprefix(f"{article}#"), **told}


def _written(post: Post) -> dict[str, Any]:
    return {
        "id": post.id, "author": post.author, "published": post.published, "text": post.text,
        "markdown": post.markdown, "permalink": post.permalink, **_told(post),
    }  # fmt: skip


def describe(record: Record, guided: Guided) -> None:
    """What the guide knows of a page that is no thread's: a list, or an article with comments."""
    reading = guided.reading
    if reading.kind is Kind.LIST and guided.steered:
        record.kind = "board"
    elif reading.kind is Kind.THREAD and reading.found is not None:
        led = reading.comments and reading.found.regions[0].body is not None and not reading.found.template.around
        posts = reading.found.posts[1:] if led else reading.found.posts
        record.posts = [_written(post) for post in posts] or None
