"""A post, and the posts of a page with where they stood. Shapes only: what reads them is in other files."""

from __future__ import annotations

from dataclasses import dataclass, field

from nephila.forum.dates import When
from nephila.forum.fields import Template
from nephila.forum.quotes import Quote
from nephila.forum.records import Page, Region

PROSE = 80
"""Characters of a line that somebody wrote; labels and notices are shorter."""


@dataclass(slots=True)
class Post:
    """One post as its page shows it."""

    text: str
    markdown: str
    author: str | None = None
    author_url: str | None = None
    when: When | None = None
    published: str | None = None
    """ISO 8601; a day alone where the page tells no more."""
    quotes: list[Quote] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    """Of its page, those that its text and its quotes are in."""
    own: list[int] = field(default_factory=list)
    """Of these, those that it does not quote."""
    id: str | None = None
    """The site's own number of the post."""
    permalink: str | None = None
    number: int | None = None
    """Its place in the thread, where the page tells it."""
    place: int | None = None
    """The smallest of its numbers that counts up by one from post to post."""
    likes: int | None = None
    accepted: bool = False
    """Of a question's answers, the one that the asker took."""
    depth: int = 0
    """Posts that it is nested in."""
    start: int = 0
    stop: int = 0
    free: int = 0
    """Characters of its text that are not in links."""


@dataclass(slots=True)
class PostPage:
    posts: list[Post]
    regions: list[Region]
    template: Template
    page: Page
    text_share: float
    """Of the free text of the page, what the posts hold."""
