"""Comments under an article, for the article's record: each once, with its version where it was edited.

The seam between the pipeline and the forum room for pages that are no forum's. Knows how each site writes its comments,
once a page of it has told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from nephila.crawling.novelty import digest
from nephila.document import Document
from nephila.forum import Archive, Comments, Post, Template, comment_dict, comment_places, read_comments
from nephila.page import Page
from nephila.urls import host_key

_SITES = 10_000
_LONG_BLOCKS = 2000
"""Blocks of a page that takes its time: the loop has leases to renew meanwhile."""


@dataclass(frozen=True, slots=True)
class Commented:
    posts: list[dict[str, Any]]
    digest: int
    """Of what was written: equal on two visits when the comments are."""


class Commenting:
    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._templates: dict[str, Template] = {}

    async def comments(self, page: Page, document: Document) -> Commented | None:
        places = comment_places(document)
        if not places:
            return None
        host = host_key(page.final_url)
        found = await self._read(host, document, page.fetched_at, places)
        if found is None:
            return None
        article = _article(page, document)
        _identify(found.posts, article)
        versions = await self._archive.enter(host, f"comments {article}", 1, page.final_url, found.posts, 1)
        posts = [comment_dict(version, place, article) for place, version in enumerate(versions, 1)]
        there = [f"{version.id} {version.number}" for version in versions if version.post is not None]
        return Commented(posts, digest("\n".join(there)))

    async def _read(self, host: str, document: Document, fetched_at: float, places: Sequence[int]) -> Comments | None:
        now = datetime.fromtimestamp(fetched_at, UTC)
        read = partial(read_comments, document, self._templates.get(host), now, places)
        found = await asyncio.to_thread(read) if len(document.layout.texts) > _LONG_BLOCKS else read()
        if found is not None and len(found.posts) > 1 and len(self._templates) < _SITES:
            self._templates.setdefault(host, found.template)
        return found


def _article(page: Page, document: Document) -> str:
    """The address that the comments belong to, under whichever the page was seen."""
    own = page.final_url.partition("#")[0]
    canonical = (document.relations.canonical or "").partition("#")[0]
    # A site whose pages all name its front page for their own says nothing of them.
    said = urlsplit(canonical)
    return canonical if said.path.strip("/") and said.hostname == urlsplit(own).hostname else own


def _identify(posts: Sequence[Post], article: str) -> None:
    """A comment is told by its own mark on the page, else by who wrote it when; numbers may count anew on each page."""
    for post in posts:
        told = post.when is not None and not post.when.relative
        mark = (post.permalink or "").partition("#")[2] or post.permalink
        post.id = f"{article}#{mark or f'{post.author} {post.published if told else post.text[:200]}'}"
