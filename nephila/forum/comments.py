"""Comments under an article, wherever the page's own names say that there are some.

Authors of pages call them so in their classes and ids all over the web. That is looked for first, and costs next to
nothing on the pages that have none; only inside of what is called so, records with author, date and text are looked
for, even a single one. Knows documents and post reading, no crawl.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from nephila.document import Document
from nephila.forum import words
from nephila.forum.fields import Template
from nephila.forum.locating import Candidate, Located, judge_group, regions_by_template
from nephila.forum.post import Post
from nephila.forum.records import Group, Page, find_groups
from nephila.forum.tree import Node, PageTree
from nephila.native import find

_WORDS = (b"omment", b"comentari")
"""comment, Comment, kommentar, commentaire, commento; comentario, comentário."""
_TAG = re.compile(rb"<([a-z][a-z0-9-]*)\b[^>]*>")
_NAMES = re.compile(rb'\s(?:class|id|itemprop)="([^"]*)"')
_SMALL = frozenset(
    b"a abbr b body button em font form h1 h2 h3 h4 h5 h6 head html i img input label link meta option p select small "
    b"span strong svg textarea time ul ol".split()
)
"""What says `comment` and is none: links to them, their number, the form to write one."""
_RECORD = re.compile(
    r"(?:^|[-_#])(?:"
    r"(?:[ck]omment(?:o|ar|aire)?|comentari[oa]|comentário)[-_]*"
    r"(?:item|body|entry|post|row|single|message|article|card|node|block|box|wrap|wrapper|container|content|inner|main)?"
    r"|[ck]omment(?:s|i|are|aires)[-_]*(?:item|entry|post|row|card))[-_]*$"
)
"""The name of an element that is a comment, rather than of what stands about them: `comment-form`, `has-comments`."""
_ASIDE = re.compile(r"recent|latest|newest|popular")
"""Boxes that show the newest comments of all pages."""
_ASIDE_TAG = re.compile(_ASIDE.pattern.encode())
_DIGITS = re.compile(r"\d+")
_EMPTY = re.compile(rb"\s*</")
"""A place that a script fills later."""
_MARKUP = re.compile(rb"<[^>]*>")
_DATE_LIKE = re.compile(
    rf"\d[:.h/-]\d\d|(?:19|20)\d\d|\d\s?[^\W\d]{{3,12}}|[^\W\d]{{3,12}}\.?\s\d|\d\s?[前年月日天时小分]|"
    rf"{words.TODAY}|{words.YESTERDAY}|{words.NOW}",
    re.IGNORECASE,
)
_BEGINNING = 3000
"""Bytes of a comment that tell its date, if any do."""
_LONGEST_TAG = 1000
_DATED, _NAMED = 0.7, 0.7
_NEAR = 3
_TRIED = 6


def comment_places(document: Document) -> list[int]:
    """Where the elements begin that are called comments; none, where none of them begins with what may hold a date."""
    html = document.layout.markup.html
    places = list(_places(html))
    return places if any(_may_be_dated(html[place : place + _BEGINNING]) for place in places) else []


def may_have_comments(document: Document) -> bool:
    """Whether an element of the page is called a comment, and begins with what may hold a date."""
    return bool(comment_places(document))


def _may_be_dated(beginning: bytes) -> bool:
    text = _MARKUP.sub(b" ", beginning).decode("utf-8", "replace")
    return _DATE_LIKE.search(text) is not None or b"datetime=" in beginning


def _places(html: bytes) -> Iterator[int]:
    """Where the tags begin whose names say so."""
    for word in _WORDS:
        place = find(html, word)
        while place >= 0:
            begin = html.rfind(b"<", max(0, place - _LONGEST_TAG), place)
            tag = _TAG.match(html, begin) if begin >= 0 else None
            if tag is None or tag.end() <= place:
                place = html.find(word, place + 1)
                continue
            named = tag[1] not in _SMALL and not _EMPTY.match(html, tag.end())
            if named and any(map(_is_record, _NAMES.findall(html, begin, tag.end()))):
                yield begin
            place = html.find(word, tag.end())


def _is_record(names: bytes) -> bool:
    return any(_RECORD.search(_DIGITS.sub("", name)) for name in names.decode("utf-8", "replace").lower().split())


@dataclass(slots=True)
class Comments:
    posts: list[Post]
    template: Template


def read_comments(
    document: Document, template: Template | None, now: datetime | None = None, places: Sequence[int] | None = None
) -> Comments | None:
    """The comments of a page; `template`: how the site writes them, where that is known.

    `places`: what `comment_places` says of the page, where that was asked before.
    """
    if places is None:
        places = list(_places(document.layout.markup.html))
    if not places:
        return None
    page = Page(PageTree(document), now or datetime.now(UTC))
    try:
        located = _located(page, _sections(page, places), template)
        found = located.read().posts if located is not None else []
    finally:
        page.tree.let_go()
    posts = [post for post in found if post.text and (post.author or post.when)]
    return Comments(posts, located.template) if located is not None and posts else None


def _sections(page: Page, places: Sequence[int]) -> list[Node]:
    """The outermost elements that say so, but for boxes beside the page's own."""
    found: list[Node] = []
    for place in sorted(set(places)):
        node = page.tree.node_at(place)
        if node is None or (found and node.start < found[-1].stop):
            continue
        if not any(map(_is_aside, (node, *islice(node.ancestors(), _NEAR)))):
            found.append(node)
    return found


def _is_aside(node: Node) -> bool:
    """Whether one of its words says so; where the tag holds none of them, its words need not be looked at."""
    tag = node.source.lower().translate(None, b"0123456789")
    return _ASIDE_TAG.search(tag) is not None and any(map(_ASIDE.search, node.words))


def _located(page: Page, sections: list[Node], template: Template | None) -> Located | None:
    if not any(page.tells_between(node.start, node.stop) for node in sections):
        return None
    if template is not None and (known := _as_known(page, sections, template)) is not None:
        return known
    points = [point for node in sections for point in page.points_between(node.start, node.stop)]
    groups = [group for group in find_groups(page, points, least=1) if _is_of_comments(group)]
    judged = [one for group in groups[:_TRIED] if (one := judge_group(page, group, least=1, mixed=True)) is not None]
    whole = [one for one in judged if _is_whole(one)]
    # Of elements around a single comment the inner one: the outer one may hold the form to write another.
    best = max(whole, key=lambda one: (one.score if len(one.regions) > 1 else 0.0, _depth(one)), default=None)
    return None if best is None else Located(page, best.regions, best.template)


def _depth(one: Candidate) -> int:
    return one.regions[0].node.depth


def _is_whole(one: Candidate) -> bool:
    """Of several that have dates, it is enough that they are called so."""
    return one.dated >= _DATED and (one.named >= _NAMED or len(one.regions) > 1)


def _as_known(page: Page, sections: list[Node], template: Template) -> Located | None:
    regions = [
        region
        for region in regions_by_template(page, template, since=sections[0].start)
        if any(node.start <= region.start < node.stop for node in sections)
    ]
    return Located(page, regions, template) if regions else None


def _is_of_comments(group: Group) -> bool:
    """Whether the records themselves are called comments; a `ul.comments` is, but holds several."""
    return bool(_RECORD.search(group.key.rpartition(".")[2]))
