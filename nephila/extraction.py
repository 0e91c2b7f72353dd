"""The text of a page: the seam between the room that chooses it and the one that reads posts, which threads need.

`nephila.extract`, the crawl and the evaluation come in here, so that a page has the same text everywhere.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from nephila import content
from nephila.document import Document, parse
from nephila.forum.comments import comment_places, read_comments
from nephila.forum.marks import MOST_BLOCKS, post_marks
from nephila.record import Record

main_content = partial(content.main_content, posts_of=post_marks)
fill = partial(content.fill, posts_of=post_marks)


def extract(html: str | bytes, url: str | None = None, method: str = "auto") -> Record:
    """Title, text, Markdown, author, dates, ... of one page. `url` is its address, which links are joined to.

    Raises InputError for bytes that are no text, and for an unknown method.
    """
    record = Record(url=url or "")
    document = parse(html, url)
    found = fill(record, document, method)
    if found.talk and not found.comments and found.kind != "thread":
        record.comments = _written_comments(document)
    return record


def _written_comments(document: Document) -> list[dict[str, Any]] | None:
    """Comments that the model missed, by the names of their elements: a crawl has them in `posts`, with their marks."""
    if len(document.layout.texts) > MOST_BLOCKS:
        return None
    found = read_comments(document, None, places=comment_places(document))
    posts = found.posts if found is not None else []
    return [{"text": post.text, "author": post.author, "published": post.published} for post in posts] or None
