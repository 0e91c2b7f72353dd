"""Document -> posts: author, date, text, quotes, number, of each. The door to post extraction, for a page alone."""

from __future__ import annotations

from datetime import UTC, datetime

from nephila.document import Document
from nephila.forum.fields import Template
from nephila.forum.locating import find_posts
from nephila.forum.post import PostPage
from nephila.forum.records import Page
from nephila.forum.remarks import read_with_remarks
from nephila.forum.tree import PageTree


def read_posts(
    document: Document, template: Template | None = None, now: datetime | None = None, *, brief: bool = False
) -> PostPage | None:
    """The posts of a page; None when there are none to be seen. `brief`: without their numbers and their Markdown."""
    page = Page(PageTree(document), now or datetime.now(UTC))
    page.brief = brief
    found = find_posts(page, template)
    if found is None:
        page.tree.let_go()
        return None
    return read_with_remarks(found)
