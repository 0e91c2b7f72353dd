"""Short comments under the posts of a page, as sites of questions and answers have them: records within records.

They have a template of their own, which is kept with that of the posts. Only what has a date, an author of the same
kind as the posts', and words of somebody is taken; who liked or changed a post is not. Knows records and posts.
"""

from __future__ import annotations

import re
from collections import Counter
from statistics import mean

from nephila.forum import words
from nephila.forum.fields import Template, largest, nodes_at, path_in
from nephila.forum.lead import author_shapes, shape_of
from nephila.forum.locating import Candidate, Located, judge_group, regions_by_template
from nephila.forum.making import make_posts
from nephila.forum.post import Post, PostPage
from nephila.forum.records import DatePoint, Page, Region, find_groups
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
    regions = _inside(regions_by_template(located.page, template.remarks), found, template)
    return _merged(found, _read(located.page, regions, template.remarks)) if regions else found


def _learn(page: Page, found: PostPage, template: Template) -> Template | None:
    points = _left_over(page, found, template)
    if len(points) < 2:
        return None
    shapes = author_shapes(page, found.regions, template)
    for group in find_groups(page, points)[:_TRIED] if shapes else ():
        judged = judge_group(page, group, mixed=True)
        if judged is not None and _are_remarks(page, judged, found, template, shapes):
            return judged.template
    return None


def _left_over(page: Page, found: PostPage, template: Template) -> list[DatePoint]:
    """Dates in the posts that are neither theirs nor in their texts, of kinds that one has several of and another none."""
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


def _are_remarks(page: Page, judged: Candidate, found: PostPage, template: Template, shapes: set[str]) -> bool:
    if min(judged.dated, judged.named) < _ALL or len(_inside(judged.regions, found, template)) < len(judged.regions):
        return False
    under = [sum(outer.covers(region.start) for region in judged.regions) for outer in found.regions]
    if max(under) < 2 or all(under):
        return False  # what each post has once is a part of it
    posts = make_posts(page, judged.regions, judged.template).posts
    people = [post for post in posts if shape_of(_path(post.author_url)) in shapes]
    said = [_own(region, judged.template, post) for region, post in zip(judged.regions, posts, strict=False)]
    told = sum(bool(_NOTE.match(text)) for text in said) < len(said) / 2
    return len(people) >= _ALL * len(posts) / 2 and told and mean(map(len, said)) >= _LEAST_WRITTEN


def _path(url: str | None) -> str:
    return "/" + (url or "").partition("://")[2].partition("/")[2]


def _inside(regions: list[Region], found: PostPage, template: Template) -> list[Region]:
    """Those of the regions that stand in a post, beside its text."""
    held = []
    for region in regions:
        for outer in found.regions:
            body = _body(outer, template)
            apart = body is None or region.stop <= body.start or body.stop <= region.start
            if outer.start < region.start and region.stop <= outer.stop and apart and outer.covers(region.start):
                held.append(region)
                break
    return held


def _read(page: Page, regions: list[Region], template: Template) -> PostPage:
    read = make_posts(page, regions, template)
    for post, region in zip(read.posts, read.regions, strict=True):
        own = _own(region, template, post)
        if own != post.text:
            post.text = post.markdown = own
    return read


def _own(region: Region, template: Template, post: Post) -> str:
    """What was written; where it shares its line with name and date, what its own element holds."""
    body = _body(region, template)
    return body.text if body is not None and body.name in _INLINE else post.text


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
