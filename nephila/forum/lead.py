"""The post that leads a thread, where it looks different from the answers: a question, an article, a first post.

It stands before the first answer, has a date or the kind of author's link that the answers have, and text of its own.
Knows records and trees only.
"""

from __future__ import annotations

import re

from nephila.forum.fields import Template, names_in, nodes_at, path_in
from nephila.forum.records import Page, Region
from nephila.forum.tree import Node

_LEAST_TEXT = 40
_SHARE = 0.7
_TAGS = "div section article main td tr tbody table li ul ol span form center blockquote"
_WRAPPERS = frozenset(_TAGS.split())
_DIGITS = re.compile(r"\d+")


def with_lead(page: Page, regions: list[Region], template: Template) -> list[Region]:
    """The records with the leading post before them, if there is one; how it looks is kept with the template."""
    if template.around:
        return regions
    first = min((region.start for region in regions), default=len(page.tree.html))
    if template.lead is not None:
        known = _known(page, first, template.lead)
        return regions if known is None else [known, *regions]
    if not regions:
        return regions
    root = _find(page, first, _author_shapes(page, regions, template))
    if root is None:
        return regions
    region = Region(root, root.start, root.stop)
    region.body = _body(page, root)
    if region.body is None:
        return regions
    if root.words and region.body is not root:
        template.lead = (root.names[0], *_steps(root, region.body))
    return [region, *regions]


def _steps(root: Node, body: Node) -> list[str]:
    steps = [body.signature]
    for node in body.ancestors():
        if node is root:
            break
        steps.append(node.signature)
    return steps[::-1]


def _known(page: Page, first: int, lead: tuple[str, ...]) -> Region | None:
    """The leading post where others of the site have theirs; it may be short, and have no answers."""
    for node in page.tree.nodes:
        if node.start >= first:
            break
        if node.stop > first or not node.is_a(lead[0]):
            continue
        level = [node]
        for step in lead[1:]:
            level = [child for one in level for child in one.children if child.is_a(step)]
        if level:
            return Region(node, node.start, node.stop, body=level[0])
    return None


def _author_shapes(page: Page, regions: list[Region], template: Template) -> set[str]:
    """The beginnings of the addresses that the answers' authors link to."""
    found: set[str] = set()
    if template.author is None:
        return found
    for region in regions[:10]:
        bodies = nodes_at(region, template.body)
        for node in names_in(page, region, bodies[0] if bodies else None):
            if node.name == "a" and path_in(region, node) == template.author:
                found.add(_shape(node.attributes.get("href", "")))
    found.discard("")
    return found


def _shape(href: str) -> str:
    """Up to the last part, without digits: `/user/`, `member.php?u=`."""
    head = re.split(r"[=/][^=/]*/?$", href.partition("#")[0])[0]
    return _DIGITS.sub("", head)


def _find(page: Page, first: int, shapes: set[str]) -> Node | None:
    """The largest element before the first record that holds an author's link or a date, and text."""
    best: Node | None = None
    for node in page.tree.nodes:
        if node.start >= first:
            break
        if node.stop > first or node.name not in _WRAPPERS:
            continue
        if best is not None and best.holds(node):
            continue
        inside = [point for point in page.points if not point.attribute and node.start <= point.place < node.stop]
        text = page.free_between(Region(node, node.start, node.stop)) - sum(len(point.text) for point in inside)
        if text < _LEAST_TEXT:
            continue
        dated = any(node.start <= point.place < node.stop for point in page.points)
        named = any(
            child.name == "a" and _shape(child.attributes.get("href", "")) in shapes
            for child in page.tree.nodes_between(node.start, node.stop)
        )
        if dated and named:
            best = node
    return best


def _body(page: Page, root: Node) -> Node | None:
    """Down from the root as long as one child holds most of the text."""
    node = root
    total = page.free_between(Region(node, node.start, node.stop))
    while True:
        inside = [(page.free_between(Region(c, c.start, c.stop)), c) for c in node.children if c.name in _WRAPPERS]
        if not inside:
            return node
        mass, child = max(inside, key=lambda pair: pair[0])
        if mass < _SHARE * total or mass < _LEAST_TEXT:
            return node
        node, total = child, mass
