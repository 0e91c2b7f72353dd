"""The fields of posts: which part of each record is its text, which its date (`authors.py`: its author).

Records of one template have the same parts in the same places, so a field is a column: the path of signatures from the
record down to an element. The columns of a page are judged over all its records together, and the choice is kept as the
site's template. Knows records and trees only.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise
from typing import Any

from nephila.forum import words
from nephila.forum.records import DatePoint, Page, Region, span_of
from nephila.forum.tree import Node

_PROSE_TAGS = """
p br blockquote ul ol li pre h1 h2 h3 h4 h5 h6 b i u s a img font em strong code center figure dl dt dd hr
"""
_PROSE = frozenset(_PROSE_TAGS.split())
"""Elements that a writer makes, not a template: a text is not looked for below them."""
_INLINE_TAGS = "b i u s a font em strong center"
_INLINE = frozenset(_INLINE_TAGS.split())
_LEAST = 0.6
"""Share of the text of the records that a column must hold to be looked into."""
_MOST = 0.7
SURE = 6
"""Records that tell a template for good; one of fewer is made anew from a page with more."""
CHECKED = 8
"""Pages that may tell better where the texts are."""
_LABEL = 25
"""Shorter texts are as likely ranks, counts and places as posts."""


@dataclass(slots=True)
class Template:
    """How a site writes its posts; JSON-able."""

    record: str
    """Key of the records' elements."""
    body: tuple[str, ...]
    """Path of signatures from the record to its text."""
    date: tuple[str, ...] | None = None
    date_in_attribute: bool = False
    author: tuple[str, ...] | None = None
    id: str | None = None
    """Where the numbers of the posts stand."""
    lead: tuple[str, ...] | None = None
    """The element of the post that leads a thread where it looks different, and the way from there to its text."""
    around: bool = False
    """The records are what stands around the texts: no element holds one whole."""
    mixed: bool = False
    """Author and date stand in the text's own element, as lines of their own beside the text's."""
    remarks: Template | None = None
    """That of the comments under the posts."""
    seen: int = 1
    """Pages that agreed."""
    records: int = 0
    """Of the page that it was made from."""

    @property
    def is_sure(self) -> bool:
        """Whether enough posts, or enough pages, have told where everything stands."""
        return self.records >= SURE or self.seen >= CHECKED

    def refines(self, other: Template) -> bool:
        """Whether it finds the texts of the same records further down."""
        deeper = self.body[: len(other.body)] == other.body and len(self.body) > len(other.body)
        return deeper and self.record == other.record

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Template:
        def path(name: str) -> tuple[str, ...] | None:
            value = data.get(name)
            return None if value is None else tuple(value)

        return cls(
            record=data["record"],
            body=path("body") or (),
            date=path("date"),
            date_in_attribute=bool(data.get("date_in_attribute")),
            author=path("author"),
            id=data.get("id"),
            lead=path("lead"),
            around=bool(data.get("around")),
            mixed=bool(data.get("mixed")),
            remarks=cls.from_dict(data["remarks"]) if data.get("remarks") else None,
            seen=int(data.get("seen", 1)),
            records=int(data.get("records", 0)),
        )


def path_in(region: Region, node: Node) -> tuple[str, ...]:
    """Signatures from the record down to the node; nameless elements at its top are told by their turn in it."""
    if node in region.paths:
        return region.paths[node]
    path: list[str] = []
    parent = region.node.parent
    current = node
    while current.parent is not None and current.parent is not parent:
        path.append(current.signature)
        current = current.parent
    path.append(top_names(region, current)[0])
    region.paths[node] = tuple(reversed(path))
    return region.paths[node]


def is_at(region: Region, node: Node, path: Sequence[str]) -> bool:
    """Whether the path leads to the node; its last step tells at once of most nodes that it does not."""
    return (len(path) == 1 or node.signature == path[-1]) and path_in(region, node) == path


def top_names(region: Region, top: Node) -> list[str]:
    if top.words:
        return top.names[::-1] if region.declared and top is region.node else top.names
    if top is region.node:
        return [f"{top.name}<1>"]
    turn = sum(1 for node in tops_of(region) if node.start <= top.start)
    return [f"{top.name}<{min(turn, 9)}>"]


def tops_of(region: Region) -> list[Node]:
    """The elements that make up a region: its own, and the siblings that were given to it."""
    parent = region.node.parent
    if parent is None or (region.start == region.node.start and region.stop == region.node.stop):
        return [region.node]
    if region.tops is None or region.tops[0] != (region.start, region.stop):
        tops = [child for child in parent.children if region.start <= child.start < region.stop]
        region.tops = (region.start, region.stop), tops
    return region.tops[1]


# -- the text ----------------------------------------------------------------------------------------------------------


def body_path(page: Page, regions: Sequence[Region]) -> tuple[str, ...] | None:
    """Where the free text of the records is, as deep as one column holds most of it in most records."""
    weights = _weights(page, regions)
    sums = [0, *accumulate(weights)]
    path: tuple[str, ...] = ()
    level: list[list[tuple[list[str], Node]]] = [
        [(top_names(region, node), node) for node in tops_of(region)] for region in regions
    ]
    totals = [sum(_mass(page, node, sums) for _, node in nodes) for nodes in level]
    while True:
        step = _next_step(page, level, totals, sums, first=not path)
        if step is None:
            return path or None
        path = (*path, step)
        chosen = [[node for names, node in nodes if step in names] for nodes in level]
        totals = [
            sum(_mass(page, node, sums) for node in nodes) or bool(total)
            for nodes, total in zip(chosen, totals, strict=True)
        ]
        level = [[pair for node in nodes for pair in _named_children(node)] for nodes in chosen]


def _named_children(node: Node) -> list[tuple[list[str], Node]]:
    """The children with what they can be called; what one is called first, no other is called as well: beside
    `message`, a `signature message` is a signature."""
    children = [child for child in node.children if _worth(child)]
    first = {child.names[0] for child in children if child.words}
    return [([name for n, name in enumerate(child.names) if not n or name not in first], child) for child in children]


def _next_step(
    page: Page, level: list[list[tuple[list[str], Node]]], totals: list[int], sums: list[int], *, first: bool
) -> str | None:
    """The name of the children that hold the text; what stands beside all children counts against it."""
    shares: dict[str, float] = defaultdict(float)
    masses: dict[str, int] = defaultdict(int)
    holders: dict[str, int] = defaultdict(int)
    members: dict[str, int] = defaultdict(int)
    places: dict[str, int] = {}
    filled = sum(total > 0 for total in totals)
    for nodes, total in zip(level, totals, strict=True):
        if not total:
            continue
        found: set[str] = set()
        for names, node in nodes:
            mass = _mass(page, node, sums)
            if not mass:
                continue
            for place, name in enumerate(names):
                places.setdefault(name, place)
                shares[name] += mass / total
                masses[name] += mass
                members[name] += 1
            found.update(names)
        for name in found:
            holders[name] += 1
    usable = [name for name in shares if holders[name] >= 0.6 * filled and shares[name] >= _LEAST * filled]
    if not usable and first is False:  # short posts beside long portraits of their authors
        usable = [n for n in shares if holders[n] >= 0.8 * filled and masses[n] >= _MOST * sum(totals)]
    # One element a record; a word that also names what stands beside the text (a signature) will do if need be.
    usable = [n for n in usable if members[n] <= 1.1 * holders[n]] or [
        n for n in usable if members[n] <= 1.5 * holders[n]
    ]
    top = max((shares[name] for name in usable), default=0.0)
    if not usable:
        return None
    best = min((name for name in usable if shares[name] >= 0.97 * top), key=lambda name: (members[name], places[name]))
    tag = re.split(r"[.\[<]", best)[0]
    if tag == "blockquote" and shares[best] >= 0.9 * filled and holders[best] >= 0.9 * filled:
        return best  # every text is in one: no quote, but what the template puts around it
    if tag in _INLINE and "." in best:
        return best  # left open by mistake, it holds all that follows
    return None if tag in _PROSE and not first else best


def _mass(page: Page, node: Node, sums: list[int]) -> int:
    blocks = page.tree.blocks_between(node.start, node.stop)
    # A line that only begins in there may go on behind it.
    return min(sums[blocks.stop] - sums[blocks.start], node.stop - node.tag_stop) if blocks else 0


def _worth(node: Node) -> bool:
    return node.stop > node.tag_stop


def _weights(page: Page, regions: Sequence[Region]) -> list[int]:
    """The free text of each block, less where the same is said in other records: labels, ranks, signatures."""
    weights = [0] * len(page.texts)
    said: Counter[str] = Counter()
    places: list[int] = []
    begins = page.tree.block_begins
    for region in regions:
        own = {}
        for i in page.tree.blocks_between(region.start, region.stop):
            if not region.holes or region.covers(begins[i]):
                own[page.texts[i]] = True
                places.append(i)
        said.update(own)
    low, high = span_of(regions)
    dated = {point.place for point in page.points_between(low, high) if not point.attribute}
    for i in places:
        if begins[i] in dated and len(page.texts[i]) <= 120:
            continue
        times = said[page.texts[i]]
        free = page.free[i] if len(page.texts[i]) >= _LABEL else (page.free[i] + 2) // 3
        weights[i] = free if times == 1 else free // (2 * times)
    return weights


def nodes_at(region: Region, path: Sequence[str]) -> list[Node]:
    """The elements of a region at the end of a path."""
    if region.body is not None:
        return [region.body]
    level = [node for node in tops_of(region) if path[0] in top_names(region, node)]
    for step in path[1:]:
        level = [
            child
            for node in level
            for child in _children_at(node, step)
            if not region.holes or region.covers(child.start)
        ]
    return level


def _children_at(node: Node, step: str) -> list[Node]:
    found = [child for child in node.children if child.is_a(step)]
    if len(found) < 2:
        return found
    return [child for child in found if child.signature == step] or found


def largest(nodes: Sequence[Node]) -> Node | None:
    return max(nodes, key=lambda node: node.stop - node.start, default=None)


# -- the date ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    path: tuple[str, ...]
    coverage: float
    """Share of the records that have it."""
    in_attribute: bool = False


def date_column(page: Page, regions: Sequence[Region], bodies: Sequence[Node | None]) -> Column | None:
    """The column of dates that most records have, in the order of the records if there is one, the most exact."""
    columns: dict[tuple[tuple[str, ...], bool], dict[int, DatePoint]] = defaultdict(dict)
    for number, (region, body) in enumerate(zip(regions, bodies, strict=True)):
        for point in points_of(page, region, body):
            columns[path_in(region, point.node), point.attribute].setdefault(number, point)
    best: Column | None = None
    best_score = 0.0
    for key, points in columns.items():
        moments = [points[number].when.moment.replace(tzinfo=None) for number in sorted(points)]
        pairs = list(pairwise(moments))
        ordered = sum(a <= b for a, b in pairs) / len(pairs) if pairs else 0.5
        distinct = len(set(moments)) / len(moments)
        precise = sum(point.when.precise for point in points.values()) / len(points)
        score = len(points) / len(regions) * (1 + 0.8 * ordered + 0.3 * distinct) + 0.4 * precise
        score -= 0.7 if any(CHANGED.search(step) for step in key[0][1:]) else 0.0
        score -= 0.7 * sum(bool(_NOT_WRITTEN.search(point.text)) for point in points.values()) / len(points)
        if score > best_score:
            best, best_score = Column(key[0], len(points) / len(regions), key[1]), score
    return best


CHANGED = re.compile(r"edit(?:ed|$|[^a-z])|modif|updated|joined|registered", re.IGNORECASE)
"""Of what the template calls so, a date is not that of the post."""
_NOT_WRITTEN = re.compile(rf"^\W*(?:{words.alternatives(words.OTHER_DATES)})", re.IGNORECASE)


def points_of(page: Page, region: Region, body: Node | None) -> list[DatePoint]:
    """The dates of a record outside of its text; what somebody wrote is not even read for them."""
    if body is None:
        found = page.points_between(region.start, region.stop)
    else:
        found = page.points_between(region.start, min(region.stop, body.start))
        found += page.points_between(max(region.start, body.stop), region.stop)
    return [point for point in found if region.covers(point.place)] if region.holes else found
