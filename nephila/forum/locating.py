"""Where the posts of a page stand: the group of elements that a template made, with what belongs to each.

    tree ──records──▶ groups of elements with dates ──fields──▶ columns: text, date, author ──▶ the best group

A template learned on other pages of the site is tried first: it also finds a single post. Knows nothing of crawling.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from nephila.forum.around import body_steps, regions_around
from nephila.forum.authors import author_column
from nephila.forum.fields import CHECKED, SURE, Column, Template, body_path, date_column, largest, nodes_at
from nephila.forum.lead import steps_to, with_lead
from nephila.forum.making import make_posts
from nephila.forum.post import PROSE, PostPage
from nephila.forum.records import (
    Group,
    Page,
    Region,
    find_groups,
    holds_all,
    keys_of,
    regions_of,
    tag_of,
)
from nephila.forum.tree import DECLARED, Node


@dataclass(slots=True)
class Located:
    """Where the posts of a page stand, before they are read."""

    page: Page
    regions: list[Region]
    template: Template

    def read(self) -> PostPage:
        return make_posts(self.page, self.regions, self.template)

    def beside(self, known: Container[int]) -> tuple[int, int]:
        """Characters of prose that no post holds: before the first post, and behind that.

        Lines that other pages have too do not count; `known` are their digests.
        """
        texts, begins, free = self.page.texts, self.page.tree.block_begins, self.page.free
        first = self.regions[0].start
        before = behind = 0
        for i, text in enumerate(texts):
            if free[i] >= PROSE and hash(text) not in known and not any(r.covers(begins[i]) for r in self.regions):
                before += free[i] if begins[i] < first else 0
                behind += free[i] if begins[i] >= first else 0
        return before, behind

    def inside(self) -> int:
        return sum(self.page.free_between(region) for region in self.regions)


def find_posts(page: Page, template: Template | None = None) -> Located | None:
    known = regions_by_template(page, template) if template is not None else []
    located = Located(page, known, template) if template is not None and known else None
    if located is not None and located.template.seen >= CHECKED and not _has_more(located):
        return located
    best = _best(page)
    if best is None or (located is not None and (len(best.regions) < len(known) or best.quality < _GOOD)):
        return located
    best.template.records = len(best.regions)
    if located is not None and not (_has_more(located) or best.template.refines(located.template)):
        return located
    if located is not None and _same(best.template, located.template):
        located.template.records = best.template.records
        return located
    regions = best.regions if best.template.around else _with_variants(page, best.regions, best.template)
    return Located(page, with_lead(page, regions, best.template), best.template)


def _has_more(located: Located) -> bool:
    """Whether the page tells more of the template than the one that it was made from, which told little."""
    return located.template.records < SURE and len(located.regions) > located.template.records


def _same(one: Template, other: Template) -> bool:
    return (one.record, one.body, one.date, one.author) == (other.record, other.body, other.date, other.author)


def _best(page: Page) -> Candidate | None:
    groups = find_groups(page)[:_TRIED]
    candidates: list[Candidate] = []
    for group in groups:
        if candidates and _is_beyond(max(candidates, key=lambda candidate: candidate.score), group):
            break
        if (candidate := judge_group(page, group)) is not None:
            candidates.append(candidate)
    best = max(candidates, key=lambda candidate: candidate.score, default=None)
    if best is not None:
        for candidate in candidates:
            fuller = candidate.quality > best.quality + _FULLER and candidate.score >= _NEARLY * best.score
            if fuller and holds_all(candidate.group, best.group):
                best = candidate
    if best is None or best.quality < _GOOD:
        around = [one for step, mass in body_steps(page) if (one := _around(page, step, mass)) is not None]
        better = max(around, key=lambda candidate: candidate.score, default=None)
        if better is not None and better.quality >= _GOOD and (best is None or better.score > best.score):
            best = better
    if best is None or best.quality < _POOR:
        best = _mixed(page, groups) or best
    return best


def _is_beyond(best: Candidate, group: Group) -> bool:
    """Whether neither this group nor a later one, which weighs less, can be better, nor fuller."""
    most = _BEST * group.score * len(group.regions) / len(group.regions)
    return most <= best.score and best.quality + _FULLER >= _BEST


def _mixed(page: Page, groups: list[Group]) -> Candidate | None:
    """Records whose text shares its element with author and date; only long ones, for rows of lists are so, too."""
    found = [
        one for group in groups if (one := judge_group(page, group, mixed=True)) is not None and one.template.mixed
    ]
    long = [
        one
        for one in found
        if one.quality >= _GOOD and sum(map(page.free_between, one.regions)) >= _LONG * len(one.regions)
    ]
    return max(long, key=lambda candidate: candidate.score, default=None)


_TRIED = 6
_NEARLY = 0.75
_FULLER = 0.05
"""Of groups that hold each other, the outer one is taken where it holds more names and dates."""
_LONG = 200
_POOR = 0.3
_GOOD = 0.9
_BEST = (0.2 + 1.0) * (0.4 + 1.0)
"""Most records have a date and an author; all have."""


@dataclass(slots=True)
class Candidate:
    group: Group
    regions: list[Region]
    template: Template
    dated: float
    named: float
    """Shares of the records that have a date, an author."""
    quality: float
    score: float


def _around(page: Page, step: str, mass: int) -> Candidate | None:
    """Records made of what stands around their texts."""
    regions = regions_around(page, step)
    if len(regions) < 2:
        return None
    group = Group(step, regions, float(mass), mass)
    return _judged(page, group, regions, Template(step, (step,), around=True))


def regions_by_template(page: Page, template: Template, since: int = 0) -> list[Region]:
    """`since`: where on the page a post that leads the others may stand."""
    if template.around:
        return regions_around(page, template.record, [path for path in (template.author, template.date) if path])
    tag = tag_of(template.record)
    if "." in template.record and ">" not in template.record:
        members = page.tree.all_at(template.record)
    else:
        members = [node for node in page.tree.named(tag) if template.record in keys_of(node)]
    if "." not in template.record:  # told by their place alone: the others there are rows of something else
        members = [node for node in members if page.points_between(node.start, node.stop)]
    regions = [
        region
        for region in regions_of(
            page, members, headed=_is_headed(members, template), declared=template.record.endswith(DECLARED)
        )
        if nodes_at(region, template.body)
    ]
    return with_lead(page, _with_variants(page, regions, template) if members else [], template, since)


def _is_headed(members: list[Node], template: Template) -> bool:
    """Whether the records' elements only head them: their texts stand in what follows."""
    own = {name for node in members for name in (*node.names, f"{node.name}<1>")}
    return template.body[0] not in own


def judge_group(page: Page, group: Group, least: int = 2, *, mixed: bool = False) -> Candidate | None:
    """`mixed`: author and date may stand in the text's own element; of a list's rows, that would make posts."""
    path = body_path(page, group.regions)
    if path is None and mixed and "." in group.key:
        path = (group.key,)  # one line says it all, and by whom and when
    if path is None:
        return None
    regions = [region for region in group.regions if nodes_at(region, path)]
    if len(regions) < least:
        return None
    return _judged(page, group, regions, Template(group.key, path), mixed=mixed)


def _judged(page: Page, group: Group, regions: list[Region], template: Template, *, mixed: bool = False) -> Candidate:
    bodies = [largest(nodes_at(region, template.body)) for region in regions]
    dates = date_column(page, regions, bodies)
    author = author_column(page, regions, bodies)
    if mixed and (dates is None or dates.coverage < _SELDOM):
        within, names = _columns_within(page, regions, len(template.body) + _BELOW)
        if within is not None:
            template.mixed, dates, author = True, within, names
    if dates is not None:
        template.date, template.date_in_attribute = dates.path, dates.in_attribute
    if author is not None:
        template.author = author.path
    dated = dates.coverage if dates is not None else 0.0
    named = author.coverage if author is not None else 0.0
    quality = (0.2 + dated) * (0.4 + named)
    score = quality * group.score * len(regions) / len(group.regions)
    return Candidate(group, regions, template, dated, named, quality, score)


def _columns_within(page: Page, regions: list[Region], deep: int) -> tuple[Column | None, Column | None]:
    """Dates and names of records whose text has no element of its own; None where most have none, or deeper inside."""
    whole: list[Node | None] = [None] * len(regions)
    dates = date_column(page, regions, whole)
    if dates is None or dates.coverage < _MOSTLY or len(dates.path) > deep:
        return None, None
    names = author_column(page, regions, whole)
    fit = names is not None and names.coverage >= _MOSTLY and len(names.path) <= deep
    return dates, names if fit else None


_BELOW = 4
_SELDOM, _MOSTLY = 0.3, 0.7


def _with_variants(page: Page, regions: list[Region], template: Template) -> list[Region]:
    """Adds records whose outer element differs (the first post, a moderator's) but whose text's element is the same."""
    step = template.body[-1]
    if "." not in step:
        return regions
    taken = {id(node) for region in regions for node in nodes_at(region, template.body)}
    inside = page.tree.all_at(step)
    if sum(any(region.covers(node.start) for region in regions) for node in inside) > 1.5 * len(regions):
        return regions  # the word means other things too
    added: list[Region] = []
    for node in inside:
        if id(node) in taken or any(region.covers(node.start) for region in [*regions, *added]):
            continue
        root = _root_for(node, page, regions)
        if root is not None:
            added.append(Region(root, root.start, root.stop))
            if template.lead is None and root.words and regions and root.stop <= regions[0].start:
                template.lead = (root.names[0], *steps_to(root, node))
    return sorted([*regions, *added], key=lambda region: region.start)


def _root_for(body: Node, page: Page, regions: Sequence[Region]) -> Node | None:
    """The largest element around a text that holds no other record and a date."""
    root = body
    for ancestor in body.ancestors():
        if ancestor.name in ("body", "html", "main") or any(
            ancestor.start <= region.start < ancestor.stop for region in regions
        ):
            break
        root = ancestor
    return root if root is not body and page.points_between(root.start, root.stop) else None
