"""The post that leads a thread, where it looks different from the answers: a question, an article, a first post.

It stands before the first answer, has a date or the kind of author's link that the answers have, and text of its own.
Knows records and trees only.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from nephila.forum.authors import names_in
from nephila.forum.fields import Template, is_at, nodes_at
from nephila.forum.records import Page, Region
from nephila.forum.tree import Node

_LEAST_TEXT = 20
_SHARE = 0.7
_LONGEST_BYLINE = 160
_TAGS = "div section article main td tr tbody table li ul ol span form center blockquote"
_WRAPPERS = frozenset(_TAGS.split())
_HEADINGS = frozenset({"h1", "h2", "h3"})
_BARE_LINKS = ("http://", "https://", "www.")
_DIGITS = re.compile(r"\d+")


def with_lead(page: Page, regions: list[Region], template: Template, since: int = 0) -> list[Region]:
    """The records with the leading post before them, if there is one; how it looks is kept with the template.

    `since`: where on the page it may stand.
    """
    if template.around:
        return regions
    first = min((region.start for region in regions), default=len(page.tree.html))
    if template.lead is not None:
        known = _known(page, since, first, template)
        return regions if known is None else [known, *regions]
    if not regions:
        return regions
    shapes = _author_shapes(page, regions, template)
    root = _find(page, since, first, shapes, template.author[-1].partition(".")[2] if template.author else "")
    if root is None:
        return regions
    region = Region(root, root.start, root.stop)
    region.body = _body(page, root, _bylines(page, root, shapes))
    if region.body is None:
        return regions
    if root.words and region.body is not root:
        template.lead = (root.names[0], *steps_to(root, region.body))
    return [region, *regions]


def steps_to(root: Node, body: Node) -> list[str]:
    steps = [body.signature]
    for node in body.ancestors():
        if node is root:
            break
        steps.append(node.signature)
    return steps[::-1]


def _known(page: Page, since: int, first: int, template: Template) -> Region | None:
    """The leading post where others of the site have theirs; it may be short, and have no answers."""
    lead = template.lead or ()
    for node in page.tree.all_at(lead[0]):
        if not (since <= node.start and node.stop <= first):
            continue
        level = [node]
        for depth, step in enumerate(lead[1:], 1):
            below = [child for one in level for child in one.children if child.is_a(step)]
            if not below:
                if depth < _LEAST_STEPS:
                    break
                template.lead = lead[:depth]  # what another writer had put there
                return Region(node, node.start, node.stop, body=level[0])
            level = below
        else:
            return Region(node, node.start, node.stop, body=level[0])
    return None


_LEAST_STEPS = 2


def _author_shapes(page: Page, regions: list[Region], template: Template) -> set[str]:
    """The beginnings of the addresses that the answers' authors link to."""
    found: set[str] = set()
    if template.author is None:
        return found
    for region in regions[:10]:
        bodies = nodes_at(region, template.body)
        for node in names_in(page, region, bodies[0] if bodies else None):
            if node.name == "a" and is_at(region, node, template.author):
                found.add(_shape(node.attributes.get("href", "")))
    found.discard("")
    return found


def _shape(href: str) -> str:
    """Up to the last part, without digits: `/user/`, `member.php?u=`, `/space-uid-.html`."""
    whole = href.partition("#")[0]
    head = re.split(r"[=/][^=/]*/?$", whole)[0]
    # `/space-uid-12.html`: the last part is the first, too.
    return _DIGITS.sub("", head or (whole if _DIGITS.search(whole) else ""))


def _find(page: Page, since: int, first: int, shapes: set[str], word: str) -> Node | None:
    """The largest element before the first record that holds a date, text, and an author: by where the name leads,
    or, of a guest, by the `word` in its class."""
    best: Node | None = None
    named = [
        child.start
        for child in page.tree.nodes_between(since, first)
        if (child.name == "a" and _shape(child.attributes.get("href", "")) in shapes) or (word and word in child.words)
    ]
    for node in page.tree.nodes_between(since, first) if named else ():
        if node.stop > first or node.name not in _WRAPPERS or (best is not None and best.holds(node)):
            continue
        names = bisect_left(named, node.stop) > bisect_left(named, node.start)
        if not names or not page.points_between(node.start, node.stop):
            continue
        if _written(page, node, _bylines(page, node, shapes)) >= _LEAST_TEXT:
            best = node
    return best


def _bylines(page: Page, root: Node, shapes: set[str]) -> set[int]:
    """The lines that tell who wrote it and when, and what it is called."""
    places = [point.place for point in page.points_between(root.start, root.stop)]
    places += [
        node.start if node.name == "a" else node.tag_stop
        for node in page.tree.nodes_between(root.start, root.stop)
        if node.name in _HEADINGS or (node.name == "a" and _shape(node.attributes.get("href", "")) in shapes)
    ]
    begins = page.tree.block_begins
    lines = {max(bisect_right(begins, place) - 1, 0) for place in places}
    return {i for i in lines if len(page.texts[i]) <= _LONGEST_BYLINE}


def _written(page: Page, node: Node, bylines: set[int]) -> int:
    """Characters that somebody wrote; an address that stands there as such is somebody's, too."""
    return sum(
        len(page.texts[i]) if page.texts[i].startswith(_BARE_LINKS) else page.free[i]
        for i in page.tree.blocks_between(node.start, node.stop)
        if i not in bylines
    )


def _body(page: Page, root: Node, bylines: set[int]) -> Node | None:
    """Down from the root as long as one child holds most of the text."""
    node = root
    total = _written(page, node, bylines)
    while True:
        inside = [(_written(page, child, bylines), child) for child in node.children if child.name in _WRAPPERS]
        if not inside:
            return node
        mass, child = max(inside, key=lambda pair: pair[0])
        if mass < _SHARE * total or mass < _LEAST_TEXT:
            return node
        node, total = child, mass
