"""One page of a site that may be a forum: what it is, its posts, and its links by what they are. Knows no crawl.

    document ──posts──▶ a thread's page?  ──outline──▶ rows, pages, way up ──▶ Reading

What the address patterns of the site mean comes from its `SiteModel`, which learns from each reading.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from statistics import mean

from nephila.document import Document
from nephila.forum.address import Address, extends
from nephila.forum.likeness import looks_like_posts
from nephila.forum.locating import Located, find_posts
from nephila.forum.model import FOLLOWED, Role, SiteModel
from nephila.forum.outline import (
    Anchor,
    LinkGroup,
    Outline,
    Row,
    read_anchors,
    read_crumbs,
    read_pager,
    rows_of,
    title_groups,
)
from nephila.forum.post import PostPage
from nephila.forum.records import Page
from nephila.forum.remarks import read_with_remarks
from nephila.forum.tree import PageTree
from nephila.forum.wild import learn_wild


class Kind(StrEnum):
    THREAD = "thread"
    LIST = "board"
    OTHER = "other"


@dataclass(slots=True)
class Reading:
    kind: Kind
    outline: Outline
    page: Page
    found: PostPage | None = None
    """The posts, of a thread's page."""
    rows: list[Row] = field(default_factory=list)
    """Rows of a list whose titles lead to boards or threads, or may do so."""
    candidates: list[LinkGroup] = field(default_factory=list)
    """Groups of titles whose pattern has no role yet."""
    doubtful: list[LinkGroup] = field(default_factory=list)
    """Groups of links in rows that have a title already: which of them are the titles may prove later."""
    comments: bool = False
    """The posts stand under an article: a comment section, not a forum's thread."""

    @property
    def address(self) -> Address:
        return self.outline.address


def read(
    document: Document, url: str, model: SiteModel, fetched_at: float, known: Container[int] = (), *, whole: bool = True
) -> Reading:
    """`known`: digests of lines that other pages of the site have too; `whole`: comments under an article as well."""
    now = datetime.fromtimestamp(fetched_at, UTC)
    page = Page(PageTree(document), now, model.day_first)
    model.day_first = page.reader.day_first
    located = find_posts(page, model.template)
    article = located is not None and located.template is not model.template and _is_article(located, known)
    found = read_with_remarks(located) if located is not None and (whole or not article) else None
    thread = found is not None and (found.template is model.template or looks_like_posts(found))
    if article and not whole:
        return Reading(Kind.OTHER, Outline(url, model.address(url), []), page, comments=True)
    anchors = read_anchors(page, url, model.wild)
    wild = learn_wild(model.wild, page, url, anchors) if model.evidence.seen <= _LEARNS_WORDS else model.wild
    if wild != model.wild:
        model.wild = wild
        anchors = read_anchors(page, url, wild)
    outline = Outline(url, model.address(url), anchors)
    if thread and found is not None:
        outline.spans = [(post.start, post.stop) for post in found.posts]
        reading = Reading(Kind.THREAD, outline, page, found, comments=article)
    else:
        reading = Reading(Kind.OTHER, outline, page, comments=article)
        if not article or model.forum:
            _read_list(reading, model)
            reading.comments = article and reading.kind is Kind.OTHER
    read_pager(outline)
    read_crumbs(outline)
    return reading


_LEARNS_WORDS = 200
"""Pages of a site that may tell which words of its addresses are names."""
_LEAST_SAID = 40
"""Characters of a comment on the average that are neither names nor links."""
_LEAST_BEFORE = 150
_LEAST_BESIDE = 200
_BESIDE = 0.25
_LONG_LEAD = 1500
_LEADS = 3.0


def _is_article(located: Located, known: Container[int]) -> bool:
    """Whether the posts are comments on something longer, which is no post itself."""
    if located.inside() < _LEAST_SAID * len(located.regions):
        return False  # the rows of a box beside it: the newest posts, threads alike
    before, behind = located.beside(known)
    if before > _LEAST_BEFORE or before + behind > max(_LEAST_BESIDE, _BESIDE * located.inside()):
        return True
    first, *others = located.regions
    if first.body is None or located.template.around or not others:
        return False
    lengths = [located.page.free_between(region) for region in others]
    return located.page.free_between(first) > max(_LONG_LEAD, _LEADS * mean(lengths))


_LEAST_TOLD = 0.5
"""Share of the rows with a date or a count that makes links a list of something."""


def _read_list(reading: Reading, model: SiteModel) -> None:
    groups = [
        group
        for group in title_groups(reading.page, reading.outline.anchors, [])
        if not _is_box(model, group, reading.address.pattern)
    ]
    own = reading.address.pattern
    known = [group for group in groups if _role(model, group) in FOLLOWED and not extends(own, group.pattern)]
    rows: list[Row] = []
    for anchors in _by_place(model, known):
        rows += rows_of(reading.page, anchors)
    threads = [row for row in rows if _role_of(model, row.anchor) is Role.THREAD]
    for group in _first_in_rows(reading.page, groups[:_CONSIDERED]):
        if _role(model, group) is not None or len(group.anchors) < 2 or extends(own, group.pattern):
            continue
        told = rows_of(reading.page, group.anchors)
        if sum(bool(row.facts) for row in told) < _LEAST_TOLD * len(told):
            continue
        if _inside(told, rows):
            reading.doubtful.append(group)
            continue
        reading.candidates.append(group)
        rows += told
    rows = [row for row in rows if not any(_holds(row, other) for other in rows)]
    reading.rows = rows
    reading.outline.spans = [(row.start, row.stop) for row in rows if row.facts]
    if threads or reading.candidates or sum(bool(row.facts) for row in rows) >= 2:
        reading.kind = Kind.LIST


_BOXES_KEPT = 2000


def _is_box(model: SiteModel, group: LinkGroup, pattern: str) -> bool:
    """Whether pages of another kind have the very same links at the same place: the newest posts, a menu."""
    digest = hash((group.place, *(anchor.url for anchor in group.anchors)))
    if len(model.boxes) < _BOXES_KEPT:
        return model.boxes.setdefault(digest, pattern) != pattern
    return model.boxes.get(digest, pattern) != pattern


def _by_place(model: SiteModel, groups: list[LinkGroup]) -> list[list[Anchor]]:
    """The titles that stand at one place of the template, whatever their addresses: further pages, other boards."""
    places: dict[tuple[str, Role | None], list[Anchor]] = defaultdict(list)
    for group in groups:
        places[group.place, _role(model, group)] += group.anchors
    return [
        sorted(anchors, key=lambda anchor: anchor.node.start)
        for (_, role), anchors in places.items()
        if len(anchors) > 1 or role is Role.THREAD
    ]


_CONSIDERED = 6


def _first_in_rows(page: Page, groups: list[LinkGroup]) -> list[LinkGroup]:
    """Of links that share their rows, those that stand first: a title comes before the last post's."""
    ordered = list(groups)
    for heavy in groups:
        rows = [row for row in rows_of(page, heavy.anchors) if row.stop > row.start]
        for light in groups:
            if light is heavy or light.weight < _LIGHTEST * heavy.weight or len(light.anchors) < 2:
                continue
            ahead = sum(
                any(row.start <= anchor.node.start < row.anchor.node.start for anchor in light.anchors) for row in rows
            )
            if ahead >= 0.8 * len(rows) and ordered.index(light) > ordered.index(heavy):
                ordered.remove(light)
                ordered.insert(ordered.index(heavy), light)
    return ordered


_LIGHTEST = 0.2


def _holds(row: Row, other: Row) -> bool:
    """A row that holds another is none: nothing says where it ends."""
    return row is not other and row.start <= other.start and other.stop < row.stop


def _inside(rows: list[Row], others: list[Row]) -> bool:
    """Whether most of the links stand in rows that have a title already: last posts, authors."""
    within = sum(any(other.start <= row.anchor.node.start < other.stop for other in others) for row in rows)
    return within > 0.5 * len(rows)


def _role(model: SiteModel, group: LinkGroup) -> Role | None:
    known = model.patterns.get(group.pattern)
    return None if known is None else known.role


def _role_of(model: SiteModel, anchor: Anchor) -> Role | None:
    known = model.patterns.get(anchor.address.pattern)
    return None if known is None else known.role
