"""What a thread is called and where it stands: its title, the boards above it. Knows readings and models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from nephila.forum.learning import PAGE, TITLE
from nephila.forum.model import LEAST_STEP, Role, SiteModel
from nephila.forum.reading import Kind, Reading
from nephila.forum.way import Guided

_CUT = re.compile(r"(?:…|\.\.\.)\s*$")
_DEEPEST = 6
_REPLY = re.compile(r"^(?:re|aw|antw|rép|ответ|回复)\s?[:：]\s*", re.IGNORECASE)


def title_of(reading: Reading, told: str | None) -> str | None:
    """The thread's title: as its row told, if that was not cut short, else the heading that agrees with it."""
    told = (told or "").strip() or None
    headings = _headings(reading)
    if told is not None and not _CUT.search(told):
        return told
    begun = _CUT.sub("", told).strip() if told else ""
    for heading in headings:
        if begun and heading.startswith(begun):
            return heading
    page = (reading.page.tree.document.title or "").strip()
    for heading in headings:
        if len(heading) > 3 and heading in page:
            return heading
    return told or (headings[0] if headings else _shown(reading, page) or page or None)


def _shown(reading: Reading, page: str) -> str | None:
    """The longest line before the posts that the page's title begins with: what follows it there is the site's."""
    first = min((post.start for post in reading.found.posts), default=0) if reading.found else 0
    lines = zip(reading.page.texts, reading.page.tree.block_begins, strict=True)
    begun = [text for text, place in lines if place < first and 3 < len(text) < len(page) and page.startswith(text)]
    return max(begun, key=len, default=None)


def heading_of(reading: Reading) -> str | None:
    """What a list calls itself: its first heading before the rows, else the first part of the page's title."""
    first = min((row.start for row in reading.rows), default=0)
    for node in reading.page.tree.nodes:
        if node.name in ("h1", "h2") and node.start < first and node.text:
            return node.text
    title = (reading.page.tree.document.title or "").strip()
    return re.split(r"\s[-|–—·»]\s", title)[0] or None


def _headings(reading: Reading) -> list[str]:
    """Headings before the posts, the highest first."""
    first = min((post.start for post in reading.found.posts), default=0) if reading.found else 0
    nodes = [node for node in reading.page.tree.nodes if node.name in ("h1", "h2", "h3", "h4") and node.start < first]
    away = [
        anchor.node.start
        for anchor in reading.outline.anchors
        if anchor.node.start < first and anchor.address.pattern != reading.address.pattern
    ]
    # The name of the site leads to its first page, on every page; a thread's title at most to the thread itself.
    own = [node for node in nodes if not any(node.start < place < node.stop for place in away)]
    found = sorted(own or nodes, key=lambda node: (node.name, -node.start))
    return [_REPLY.sub("", node.text) for node in found if node.text]


def board_of(reading: Reading, model: SiteModel) -> list[str]:
    """The boards above the thread, from the top: the links before the posts that lead to boards."""
    first = min((post.start for post in reading.found.posts), default=0) if reading.found else 0
    found = []
    for anchor in reading.outline.crumbs or reading.outline.anchors:
        known = model.patterns.get(anchor.address.pattern)
        role = known.role if known is not None else None
        told = role is Role.BOARD and known is not None and known.id_slot is not None
        # In a breadcrumb, what names something is a board before it has been seen to be one.
        told = told or (bool(reading.outline.crumbs) and role is None and bool(anchor.address.values))
        if told and anchor.node.start < first and anchor.text and anchor.text not in found:
            found.append(anchor.text)
    return found if len(found) <= _DEEPEST else []


def board_path(guided: Guided, model: SiteModel, told: Mapping[str, Any]) -> list[str]:
    """Titles of the boards that lead to what a page lists, from the top."""
    crumbs = [
        anchor.text
        for anchor in guided.reading.outline.crumbs
        if anchor.text and (key := model.key(anchor.url)) is not None and key.role is Role.BOARD
        and model.patterns[anchor.address.pattern].id_slot is not None
    ]  # fmt: skip
    if guided.reading.kind is Kind.THREAD:
        return guided.board
    above = [str(name) for name in told.get("b") or []]
    own = told.get("t")
    titled = told.get("o") in (TITLE, PAGE) and own and guided.key is not None and guided.key.role is Role.BOARD
    path = above if told.get("o") == PAGE else [*above, str(own)] if titled else []
    if not path and not crumbs and guided.key is not None and guided.key.role is Role.BOARD:
        return [name for name in (heading_of(guided.reading),) if name and guided.reading.address.path != "/"]
    return path or crumbs


def describe_thread(guided: Guided, model: SiteModel, told: Mapping[str, Any]) -> None:
    """Title, board and place of a page of a thread."""
    guided.title = title_of(guided.reading, told.get("t"))
    guided.thread_url = told.get("u") or guided.reading.outline.url
    guided.board = board_of(guided.reading, model) or [str(name) for name in told.get("b") or []]
    number = guided.number
    known = model.patterns.get(guided.reading.address.pattern)
    offset = known.page_step if known is not None and known.page_step >= LEAST_STEP else None
    before = (number - 1) * offset if offset else model.posts_before(number)
    if before is None:
        before = (number - 1) * (_size_told(guided.reading, number) or 0)
    guided.first = 1 + before
    posts = guided.reading.found.posts if guided.reading.found is not None else []
    answers = bool(posts) and number > 1 and posts[0].number == before  # which of the answers it is
    for post in posts:
        if post.number is not None and (post.number < number or answers):
            post.number = None  # a count of something else: what stands on the third page is not the second post


def _size_told(reading: Reading, number: int) -> int | None:
    """Posts of a page, as the place of the first post on a further page tells."""
    posts = reading.found.posts if reading.found is not None else []
    if not posts or posts[0].place is None:
        return None
    size, rest = divmod(posts[0].place - 1, number - 1)
    return size if not rest and len(posts) <= size <= _MOST_A_PAGE else None


_MOST_A_PAGE = 200
