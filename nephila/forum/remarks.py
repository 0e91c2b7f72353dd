"""Short comments under the posts of a page, as sites of questions and answers have them: records within records.

They have a template of their own, which is kept with that of the posts. Only what has a date, an author and words of
somebody, and stands under some posts more often than under others, is taken. Knows records and posts.
"""

from __future__ import annotations

import re
from collections import Counter
from statistics import mean

from nephila.forum import words
from nephila.forum.fields import Template, largest, nodes_at, path_in
from nephila.forum.locating import Candidate, Located, judge_group
from nephila.forum.making import make_posts
from nephila.forum.post import Post, PostPage
from nephila.forum.records import DatePoint, Page, Region, find_groups, keys_of, regions_of, tag_of
from nephila.forum.tree import Node

_TRIED = 4
_ALL = 0.8
_LEAST_WRITTEN = 12
_INLINE = frozenset({"span", "q", "em", "i", "b", "font"})
_NOTE = re.compile(rf"^\W*(?:{words.alternatives(words.CHANGES)})", re.IGNORECASE)


def read_with_remarks(located: Located) -> PostPage:
    """The posts of a page, and what stands under them as posts of their own."""
    found = located.read()
    template = located.template
    if template.remarks is None:
        template.remarks = _learn(located.page, found, template)
    if template.remarks is None:
        return found
    regions = _inside(_regions(located.page, template.remarks), found, template)
    return _merged(found, _read(located.page, regions, template.remarks)) if regions else found


def _regions(page: Page, template: Template) -> list[Region]:
    tag = tag_of(template.record)
    members = [node for node in page.tree.nodes if node.name == tag and template.record in keys_of(node)]
    return [region for region in regions_of(page, members) if nodes_at(region, template.body)]


def _learn(page: Page, found: PostPage, template: Template) -> Template | None:
    points = _left_over(page, found, template)
    if len(points) < 2:
        return None
    groups = [group for group in find_groups(page, points) if _are_under(group.regions, found, template)]
    for group in groups[:_TRIED]:
        judged = judge_group(page, group, mixed=True)
        if judged is not None and _are_remarks(page, judged):
            return judged.template
    return None


def _left_over(page: Page, found: PostPage, template: Template) -> list[DatePoint]:
    """Dates in the posts that are neither theirs nor in their texts, of kinds that one has several of."""
    left: list[list[DatePoint]] = []
    for region in found.regions:
        points = [p for p in page.points_between(region.start, region.stop) if region.covers(p.place)]
        body = _body(region, template) if len(points) > 2 else None
        left.append([p for p in points if body is None or not body.start <= p.place < body.stop])
    counts = [Counter(point.node.signature for point in points) for points in left]
    several = {kind for count in counts for kind, times in count.items() if times > 1}
    several = {kind for kind in several if min(count[kind] for count in counts) <= 1}
    return [
        point
        for points, region in zip(left, found.regions, strict=True)
        for point in points
        if point.node.signature in several and path_in(region, point.node) != template.date
    ]


def _body(region: Region, template: Template) -> Node | None:
    return region.body or largest(nodes_at(region, template.body))


def _are_under(regions: list[Region], found: PostPage, template: Template) -> bool:
    """Whether the records stand in posts, several in one of them: what each post has once is a part of it, and what
    only one has is a box beside it."""
    if len(_inside(regions, found, template)) < len(regions):
        return False
    under = [sum(outer.covers(region.start) for region in regions) for outer in found.regions]
    return max(under) > 1 and min(under) <= 1 and sum(map(bool, under)) > 1


def _are_remarks(page: Page, judged: Candidate) -> bool:
    if min(judged.dated, judged.named) < _ALL:
        return False
    posts = make_posts(page, judged.regions, judged.template).posts
    said = [_own(page, region, judged.template, post) for region, post in zip(judged.regions, posts, strict=False)]
    noted = sum(bool(_NOTE.match(text)) for text in said)
    return noted < len(said) / 2 and mean(map(len, said)) >= _LEAST_WRITTEN


def _inside(regions: list[Region], found: PostPage, template: Template) -> list[Region]:
    """Those of the regions that stand in a post, beside its text."""
    held = []
    outers = [(outer, _body(outer, template)) for outer in found.regions] if regions else []
    for region in regions:
        for outer, body in outers:
            apart = body is None or region.stop <= body.start or body.stop <= region.start
            if outer.start < region.start and region.stop <= outer.stop and apart and outer.covers(region.start):
                held.append(region)
                break
    return held


def _read(page: Page, regions: list[Region], template: Template) -> PostPage:
    read = make_posts(page, regions, template)
    for post, region in zip(read.posts, read.regions, strict=True):
        own = _own(page, region, template, post)
        if own != post.text:
            post.text = post.markdown = own
    return read


def _own(page: Page, region: Region, template: Template, post: Post) -> str:
    """What was written; where it shares its line with name and date, what an element without these holds."""
    body = _body(region, template)
    if not template.mixed:
        return body.text if body is not None and body.name in _INLINE else post.text
    apart = [
        node.text
        for node in region.node.walk()
        if node is not region.node
        and node.name != "a"
        and not any(p.node is node or node.holds(p.node) for p in page.points_between(node.start, node.stop))
        and (post.author or "\n") not in node.text
    ]
    return max(apart, key=len, default=post.text)


def _merged(found: PostPage, remarks: PostPage) -> PostPage:
    for post, region in zip(remarks.posts, remarks.regions, strict=True):
        outer = next(one for one, around in zip(found.posts, found.regions, strict=True) if around.covers(region.start))
        post.depth, post.number = outer.depth + 1, None
    pairs = [*zip(found.posts, found.regions, strict=True), *zip(remarks.posts, remarks.regions, strict=True)]
    pairs.sort(key=lambda pair: pair[1].start)
    posts, regions = [post for post, _ in pairs], [region for _, region in pairs]
    for post in posts:
        post.number = None
    return PostPage(posts, regions, found.template, found.page, found.text_share)
