"""What a thread is called and where it stands: its title, the boards above it. Knows readings and models."""

from __future__ import annotations

import re

from nephila.forum.model import Role, SiteModel
from nephila.forum.reading import Reading

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
