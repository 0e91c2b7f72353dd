"""Which blocks of a page are of its posts, for the room that chooses a page's main text. Knows posts only."""

from __future__ import annotations

import numpy as np

from nephila.content.talk.posts import Mark, Marks
from nephila.document import Document
from nephila.forum.post import Post, PostPage
from nephila.forum.posts import read_posts

MOST_BLOCKS = 4000
"""Of a page that is read for posts or comments besides its text: a second's work."""
_LEAST_SHARE = 0.3
"""Of the page's free text, what posts must hold: less is a box beside something else."""


def post_marks(document: Document) -> Marks | None:
    """Of each block, whether it is written in a post, quoted there, beside that, or outside; None without posts."""
    if len(document.layout.texts) > MOST_BLOCKS:
        return None
    found = read_posts(document, brief=True)
    if found is None:
        return None
    try:
        return _marks(found) if found.text_share >= _LEAST_SHARE and are_dated(found.posts) else None
    finally:
        found.page.tree.let_go()


def _marks(found: PostPage) -> Marks:
    tree = found.page.tree
    begins = tree.block_begins
    marks = np.full(len(begins), Mark.OUTSIDE, dtype=np.uint8)
    for region in found.regions:
        for block in tree.blocks_between(region.start, region.stop):
            if region.covers(begins[block]):
                marks[block] = Mark.BESIDE
    for post in found.posts:
        marks[post.blocks] = Mark.QUOTED
        marks[post.own] = Mark.WRITTEN
    return marks


def are_dated(posts: list[Post]) -> bool:
    """Whether most posts tell when they were written: what does not may be anything that comes again on the page."""
    return 2 * sum(post.when is not None for post in posts) > len(posts)
