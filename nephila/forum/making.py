"""Records of a page -> posts: the text of each, its quotes, date, author, number. Knows records and trees only."""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import UTC, timezone
from textwrap import dedent
from typing import NamedTuple

from nephila.content.markdown.blocks import render_markdown
from nephila.document import unescape
from nephila.document.links import Joiner
from nephila.forum import words
from nephila.forum.authors import names_in
from nephila.forum.dates import page_zone
from nephila.forum.fields import CHANGED, Template, is_at, largest, nodes_at, path_in, points_of
from nephila.forum.identity import ACTION, Identity, identities
from nephila.forum.post import Post, PostPage
from nephila.forum.quotes import part_quotes
from nephila.forum.records import DatePoint, Page, Region
from nephila.forum.tree import Node

_ENOUGH = 4
"""Records that tell which of their numbers is the post's own."""


def make_posts(page: Page, regions: list[Region], template: Template) -> PostPage:
    tree = page.tree
    zone = page_zone(tree.document.layout.texts[-60:]) or UTC
    parts = [_parts(page, region, template) for region in regions]
    numbers = _no_numbers(regions) if page.brief else identities(page, regions, template.id, _people(parts))
    if template.id is None and len(regions) >= _ENOUGH:
        template.id = next((identity.column for identity in numbers if identity.column), None)
    whole = zip(regions, parts, numbers, strict=True)
    joiner = Joiner(tree.document.base_url, None)
    posts = [_post(page, region, part, template, identity, zone, joiner) for region, part, identity in whole]
    begins, ends = _sorted_holes(regions)
    for post, region in zip(posts, regions, strict=True):
        post.depth = bisect_right(begins, region.start) - bisect_right(ends, region.start)
    regions, posts = _without_strays(regions, posts)
    total = sum(page.free) or 1
    held = sum(page.free_between(region) for region in regions)
    return PostPage(posts, regions, template, page, held / total)


def _sorted_holes(regions: list[Region]) -> tuple[list[int], list[int]]:
    """Where the records nested in others begin, and where they end."""
    holes = [hole for region in regions for hole in region.holes]
    return sorted(low for low, _ in holes), sorted(high for _, high in holes)


def _no_numbers(regions: list[Region]) -> list[Identity]:
    return [Identity() for _ in regions]


class _Parts(NamedTuple):
    """The elements of a record."""

    body: Node | None
    outside: Node | None
    """What holds neither author nor date: the text."""
    named: Node | None
    """What names the author."""


def _parts(page: Page, region: Region, template: Template) -> _Parts:
    body = _body_of(region, template)
    outside = None if template.mixed else body
    return _Parts(body, outside, _author_node(page, names_in(page, region, outside), region, template))


def _people(parts: list[_Parts]) -> set[str]:
    """Where the names of the authors lead: their numbers are no posts'."""
    found = set()
    for _, _, named in parts:
        link = _link_of(named) if named is not None else None
        if link is not None:
            found.add(link.attributes.get("href", ""))
    return found


def _without_strays(regions: list[Region], posts: list[Post]) -> tuple[list[Region], list[Post]]:
    """Leaves out what has neither date nor author where nearly all others do: advertisements between the posts."""
    whole = [post.when is not None and post.author is not None for post in posts]
    if sum(whole) < 0.7 * len(posts):
        return regions, posts
    kept = [i for i, post in enumerate(posts) if post.when is not None or post.author is not None]
    return [regions[i] for i in kept], [posts[i] for i in kept]


def _post(
    page: Page,
    region: Region,
    parts: _Parts,
    template: Template,
    identity: Identity,
    zone: timezone,
    joiner: Joiner,
) -> Post:
    tree = page.tree
    body, outside, named = parts
    told = _date_point(points_of(page, region, outside), region, template)
    numbers = _blocks_of(page, region, body)
    if template.mixed:
        numbers = _without_heads(page, numbers, [told.node if told is not None else None, named])
    own, quotes = part_quotes(tree, body, numbers)
    post = Post(
        text="\n".join(page.texts[i] for i in own),
        markdown="" if page.brief else dedent(render_markdown(tree.document.blocks.at(numbers), joiner.join)),
        quotes=quotes,
        blocks=numbers,
        own=own,
        id=identity.id,
        permalink=joiner.join(identity.link) if identity.link else None,
        number=identity.number,
        place=identity.place,
        likes=identity.likes,
        accepted=identity.accepted,
        start=region.start,
        stop=region.stop,
        free=sum(page.free[i] for i in numbers),
    )
    if post.permalink is None and identity.anchor and tree.document.url:
        post.permalink = f"{tree.document.url.partition('#')[0]}#{identity.anchor}"
    if told is not None:
        post.when, post.published = told.when, told.when.iso(zone)
    if named is not None:
        post.author, post.author_url = _name(named), _profile(named, joiner)
    return post


def _blocks_of(page: Page, region: Region, body: Node | None) -> list[int]:
    tree = page.tree
    if body is None:
        return []
    begins = tree.block_begins
    found = [i for i in tree.blocks_between(body.start, body.stop) if region.covers(begins[i]) and tree.shown(i)]
    while len(found) > 1 and _tells_a_change(page, found[-1], body):
        found.pop()
    return found


def _tells_a_change(page: Page, block: int, body: Node) -> bool:
    """Whether the line, the last of a text, is the template's: when it was edited, and by whom."""
    place = page.tree.block_begins[block]
    node = page.tree.element_at(place)
    following = page.tree.block_begins[block + 1 : block + 2]
    dated = bool(page.points_between(place, min([body.stop, *following])))
    if not dated or len(page.texts[block]) > _LONGEST_HEAD:
        return False
    if node is not body and _CHANGE.match(page.texts[block]):
        return True
    while node is not None and node is not body:
        if any(CHANGED.search(word) for word in node.words):
            return True
        node = node.parent
    return False


_CHANGE = re.compile(rf"^\W*(?:{words.alternatives(words.CHANGES)})", re.IGNORECASE)


def _without_heads(page: Page, numbers: list[int], heads: list[Node | None]) -> list[int]:
    """The blocks that are neither the lines of author and date nor links alone (answer, report)."""
    begins = page.tree.block_begins
    lines = {bisect_right(begins, node.tag_stop) - 1 for node in heads if node is not None}
    return [
        i
        for i in numbers
        if page.free[i] > _UNLINKED * len(page.texts[i]) and not (i in lines and len(page.texts[i]) <= _LONGEST_HEAD)
    ]


_LONGEST_HEAD = 160
_UNLINKED = 0.2


def _body_of(region: Region, template: Template) -> Node | None:
    if region.body is not None:
        return region.body
    found = largest(nodes_at(region, template.body))
    if found is not None:
        return found
    body = template.body[-1]
    inside = [node for node in region.node.walk() if node.is_a(body) and region.covers(node.start)]
    return largest(inside)


def _date_point(points: list[DatePoint], region: Region, template: Template) -> DatePoint | None:
    chosen = None
    if template.date is not None:
        same = [p for p in points if is_at(region, p.node, template.date)]
        tail = [p for p in points if p.node.signature == template.date[-1]]
        for candidates in (same, tail):
            exact = [p for p in candidates if p.attribute == template.date_in_attribute]
            if exact or candidates:
                chosen = (exact or candidates)[0]
                break
    if chosen is None and points:
        chosen = points[0]
    if chosen is not None and (not chosen.when.precise or chosen.when.relative):
        # Beside "3 hours ago" the exact moment often stands in an attribute of the same element.
        near = [p for p in points if p.when.precise and not p.when.relative and _beside(p.node, chosen.node)]
        chosen = near[0] if near else chosen
    return chosen


def _beside(one: Node, other: Node) -> bool:
    return one is other or one.parent is other or other.parent is one


def _author_node(page: Page, names: list[Node], region: Region, template: Template) -> Node | None:
    if template.author is None:
        return None
    same = [node for node in names if is_at(region, node, template.author)]
    return next(iter(same or _in_its_place(page, region, template.author, names)), None)


_EMPHASIS = re.compile(rb"</?(?:b|i|u|em|strong|font)\b[^>]*>")
_TAG = re.compile(rb"<[^>]*>")
_COUNTS = re.compile(r"\d[\d.,]*")


def _name(node: Node) -> str:
    """The text of an author's element, without a count that stands in an element of its own behind it."""
    inside = _TAG.sub(b" ", _EMPHASIS.sub(b"", node.page.html[node.tag_stop : node.stop]))
    text = " ".join(unescape(inside.decode("utf-8", "replace")).split())
    for inner in node.children:
        if _COUNTS.fullmatch(inner.text) and text.endswith(f" {inner.text}"):
            text = text.removesuffix(inner.text).rstrip()
    return text or node.text


def _link_of(node: Node) -> Node | None:
    link = node if node.name == "a" else next((a for a in node.ancestors() if a.name == "a"), None)
    return link or next((n for n in node.walk() if n.name == "a" and n.attributes.get("href")), None)


def _profile(node: Node, joiner: Joiner) -> str | None:
    link = _link_of(node)
    href = link.attributes.get("href") if link is not None else None
    return joiner.join(href) if href else None


def _in_its_place(page: Page, region: Region, path: tuple[str, ...], names: list[Node]) -> list[Node]:
    """The name of a guest, who has no profile, or of the staff, who have another class: what stands in its place."""
    usable = [node for node in names if any(map(str.isalnum, node.text)) and not _is_control(node)]
    named = path[-1].partition(".")[2]
    alike = [node for node in usable if named and named in node.words]
    if alike:
        return alike
    held = [node for node in usable if path_in(region, node) == path[:-1] and not _tells_a_date(page, node)]
    if held:
        return held
    for keep in (len(path) - 1, 2, 1):
        tail = path[-1 - keep : -1]
        found = [node for node in usable if tail and path_in(region, node)[-1 - keep : -1] == tail]
        if found:
            return found
    return []


def _tells_a_date(page: Page, node: Node) -> bool:
    inside = page.points_between(node.start, node.stop)
    return page.reader.read(node.text) is not None or any(p.node is node or node.holds(p.node) for p in inside)


def _is_control(node: Node) -> bool:
    href = node.attributes.get("href", "")
    return href.startswith(("#", "javascript:")) or (bool(href) and bool(ACTION.fullmatch(node.text)))
