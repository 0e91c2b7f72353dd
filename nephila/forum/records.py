"""Repeated records with dates: where on a page the posts (or the rows of a list) stand.

What one template made has one signature. Of all groups of elements that hold dates, the posts are those that hold most
of the page's free text, one date or few in each. Records may nest (answers inside what they answer), and may begin
with an element that only heads them (a table row before the row with the text). Knows trees of pages only.
"""

from __future__ import annotations

import itertools
import sys
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from nephila.document.tags import Flag
from nephila.forum.dates import DateReader, When, stamp
from nephila.forum.telling import MOST, Line, telling_attributes, telling_lines, tells
from nephila.forum.tree import DECLARED, Node, PageTree

_TAGS = "div li tr table tbody article section dl dd ul ol form center fieldset details main p blockquote dt"
_RECORDS = frozenset(_TAGS.split())
"""Elements that may hold a post."""
_ASIDE = int(Flag.CONTROL | Flag.BUTTON)
_DEEPEST = 50
"""Elements above a date that are looked at, and records that one may stand in: more are made to keep a reader busy."""
_NO_LINE = 100_000
"""Bytes of an element that is more than a line with a date."""
_BEYOND = sys.maxsize


@dataclass(slots=True)
class DatePoint:
    place: int
    """In the markup."""
    when: When
    node: Node
    text: str
    attribute: bool


@dataclass(slots=True)
class Region:
    """The stretch of the page that one record takes, less those of the records nested in it."""

    node: Node
    start: int
    stop: int
    holes: list[tuple[int, int]] = field(default_factory=list)
    body: Node | None = None
    """The element of its text, where it is not at the template's place."""
    paths: dict[Node, tuple[str, ...]] = field(default_factory=dict, repr=False)
    """Of elements in it, as far as they were asked for: `fields.path_in`."""
    tops: tuple[tuple[int, int], list[Node]] | None = field(default=None, repr=False)
    """The stretch, and the elements that make it up: `fields.tops_of`."""
    declared: bool = False
    """It is one of those that the page declares: the other words of its element may be no other record's."""

    def covers(self, place: int) -> bool:
        if not self.start <= place < self.stop:
            return False
        if not self.holes:
            return True
        before = bisect_right(self.holes, (place, _BEYOND)) - 1  # they are in order, and apart
        return before < 0 or place >= self.holes[before][1]


def span_of(regions: Sequence[Region]) -> tuple[int, int]:
    """The stretch of the page that holds them all."""
    return min((one.start for one in regions), default=0), max((one.stop for one in regions), default=0)


class Page:
    """A tree with what was found on it: date points, free text of each block."""

    def __init__(self, tree: PageTree, now: datetime | None = None, day_first: bool | None = None) -> None:
        self.tree = tree
        self.reader = DateReader(now or datetime.now(UTC), day_first)
        layout = tree.document.layout
        self.texts = layout.texts
        aside = _ASIDE | tree.hides
        flags, blocks = layout.flags, zip(layout.texts, layout.container, layout.link_lengths, strict=True)
        self.free = [0 if flags[holder] & aside else max(0, len(text) - linked) for text, holder, linked in blocks]
        self._sums = [0, *itertools.accumulate(self.free)]
        self._lines = self._telling_lines()
        self._line_places = [line.place for line in self._lines]
        self._read_lines: dict[int, DatePoint | None] = {}
        self.names: dict[tuple[int, int, int, int], list[Node]] = {}
        """Short texts by the region that they stand in: `authors.names_in` keeps them here."""
        self.may_name: dict[Node, bool] = {}
        """`authors` keeps here which of them may name somebody."""
        self.rows: dict[tuple[int, ...], list[Any]] = {}
        """`outline` keeps here the rows of titles, by the links' own identities."""
        self.brief = False
        """Only where posts stand is wanted: their numbers and their Markdown, a fifth of the time, are not made."""

    @cached_property
    def points(self) -> list[DatePoint]:
        """All dates of the page, in document order."""
        return [point for number in range(len(self._lines)) if (point := self._point(number)) is not None]

    @cached_property
    def _places(self) -> list[int]:
        return [point.place for point in self.points]

    def points_between(self, start: int, stop: int) -> list[DatePoint]:
        if "points" in self.__dict__:
            return self.points[bisect_left(self._places, start) : bisect_left(self._places, stop)]
        # To read a date takes its time: where comments are looked for, those of the article are never asked for.
        numbers = range(bisect_left(self._line_places, start), bisect_left(self._line_places, stop))
        return [point for number in numbers if (point := self._point(number)) is not None]

    def tells_between(self, start: int, stop: int) -> bool:
        """Whether a date is told there: the first that can be read is enough."""
        numbers = range(bisect_left(self._line_places, start), bisect_left(self._line_places, stop))
        return any(self._point(number) is not None for number in numbers)

    def _telling_lines(self) -> list[Line]:
        """What may tell a date, in document order; learns in which order this page writes day and month."""
        lines = telling_lines(self.tree)
        self.reader.learn_order(line.text for line in lines)
        return sorted([*lines[:MOST], *telling_attributes(self.tree)], key=lambda line: line.place)

    def _point(self, number: int) -> DatePoint | None:
        if number not in self._read_lines:
            self._read_lines[number] = self._read_point(self._lines[number])
        return self._read_lines[number]

    def _read_point(self, line: Line) -> DatePoint | None:
        if line.attribute:
            when = stamp(line.text) or (self.reader.read(line.text) if tells(line.text) else None)
        else:
            when = self.reader.read(line.text)
        node = self.tree.element_at(line.place) if when is not None else None
        if when is None or node is None:
            return None
        return DatePoint(line.place, when, node if line.attribute else self._told_in(node), line.text, line.attribute)

    def _told_in(self, node: Node) -> Node:
        """A line may begin with something else, such as the author: the element that holds its date."""
        for _ in range(3):
            if node.parent is None or node.stop - node.start > _NO_LINE or self.reader.read(node.text) is not None:
                break
            node = node.parent
        return node

    def free_from(self, blocks: range) -> int:
        return self._sums[blocks.stop] - self._sums[blocks.start] if blocks else 0

    def free_between(self, region: Region) -> int:
        begins = self.tree.block_begins
        if not region.holes:
            return self.free_from(self.tree.blocks_between(region.start, region.stop))
        return sum(
            self.free[i] for i in self.tree.blocks_between(region.start, region.stop) if region.covers(begins[i])
        )


@dataclass(slots=True)
class Group:
    """Elements of one signature, and the regions that are theirs."""

    key: str
    regions: list[Region]
    score: float
    mass: int


def keys_of(node: Node) -> list[str]:
    """What tells the elements of one template: each word of the class; of nameless ones, those above them."""
    if node.words:
        return node.names
    if "-" in node.name:
        return [node.name]
    above = [ancestor.names[0].partition("[")[0] for ancestor, _ in zip(node.ancestors(), range(2), strict=False)]
    key = ">".join([*reversed(above), node.name])
    # A row may hold a table with rows of its own: they are no records of the same kind.
    return [f"{key}^{sum(a.name == 'table' for a in node.ancestors())}" if node.name in _TABLED else key]


def tag_of(key: str) -> str:
    """The tag of the elements that a key tells."""
    return key.rpartition(">")[2].partition("^")[0].partition(".")[0]


_TABLED = frozenset({"table", "tbody", "tr"})


def find_groups(page: Page, points: Sequence[DatePoint] | None = None, least: int = 2) -> list[Group]:
    """Groups of two records or more, the best first; `points`: the dates that count, where not all of the page do."""
    dated: dict[int, list[DatePoint]] = defaultdict(list)
    nodes: dict[int, Node] = {}
    for point in page.points if points is None else points:
        for node in itertools.islice(itertools.chain([point.node], point.node.ancestors()), _DEEPEST):
            if node.name in ("body", "html"):
                break
            if node.name in _RECORDS or "-" in node.name:
                nodes[id(node)] = node
            dated[id(node)].append(point)
    by_key: dict[str, list[Node]] = defaultdict(list)
    for node in nodes.values():
        for key in keys_of(node):
            by_key[key].append(node)
    # Several words of a class may name the very same elements.
    once = {tuple(map(id, members)): key for key, members in reversed(by_key.items())}
    groups = [
        group
        for key in once.values()
        if (members := by_key[key])
        and len(members) >= least
        and (group := _group(page, key, members, dated, least)) is not None
    ]
    return sorted(groups, key=lambda group: (-group.score, group.regions[0].node.depth))


def holds_all(outer: Group, inner: Group) -> bool:
    """Whether the records of a group hold those of another one to one."""
    if not 0.8 <= len(outer.regions) / len(inner.regions) <= 1.25:
        return False
    if outer.regions[0].node.depth >= inner.regions[0].node.depth:
        return False
    held = sum(any(region.node.holds(other.node) for region in outer.regions) for other in inner.regions)
    return held >= 0.8 * len(inner.regions)


def _group(page: Page, key: str, members: list[Node], dated: dict[int, list[DatePoint]], least: int) -> Group | None:
    members.sort(key=lambda node: node.start)
    regions = regions_of(page, members, declared=key.endswith(DECLARED))
    filled, repeats, mass = 0, [], 0
    for region in regions:
        points, holes = dated[id(region.node)], region.holes
        nodes = {id(point.node): point.node for point in points if not holes or region.covers(point.place)}
        text = page.free_between(region) if nodes else 0
        if text:
            columns = [node.signature for node in nodes.values()]
            filled += 1
            repeats.append(1 if len(columns) == 1 else max(map(columns.count, columns)))
            mass += min(text, 4000)
    if filled < least:
        return None
    # Two dates of a kind in a record are ordinary (written, edited); more are records within.
    repeats.sort()
    crowd = (repeats[len(repeats) // 2] + repeats[(len(repeats) - 1) // 2]) / 2
    return Group(key, regions, mass * (filled / len(regions)) / (crowd if crowd > 2 else 1), mass)


def regions_of(page: Page, members: list[Node], *, headed: bool = False, declared: bool = False) -> list[Region]:
    """The regions of the elements: what is nested is cut out, and what lies between siblings is shared out.

    `headed`: the elements are known to be the heads of what follows them.
    """
    regions: list[Region] = []
    around: list[Region] = []
    for node in members:
        while around and node.start >= around[-1].stop:
            around.pop()
        if len(around) >= _DEEPEST:
            return []
        if around:
            around[-1].holes.append((node.start, node.stop))
        regions.append(Region(node, node.start, node.stop, declared=declared))
        around.append(regions[-1])
    _share_out(page, regions, headed=headed)
    _with_anchors(regions)
    return regions


def _with_anchors(regions: list[Region]) -> None:
    """An empty `<a name="12">` right before an element is the mark of that one, not the end of what comes before."""
    for before, region in zip([None, *regions], regions, strict=False):
        siblings = region.node.parent.children if region.node.parent is not None else []
        place = next((i for i, node in enumerate(siblings) if node is region.node), 0)
        mark = siblings[place - 1] if place else None
        if mark is None or mark.name != "a" or mark.text or not (mark.attributes.keys() & {"name", "id"}):
            continue
        region.start = mark.start
        if before is not None and before.stop > mark.start > before.start:
            before.stop = mark.start


def _share_out(page: Page, regions: list[Region], *, headed: bool) -> None:
    """Gives each record the siblings behind it, where the text is there: a heading row and the row that it heads."""
    by_parent: dict[int, list[Region]] = defaultdict(list)
    for region in regions:
        if region.node.parent is not None:
            by_parent[id(region.node.parent)].append(region)
    for siblings in by_parent.values():
        if len(siblings) < 2 and not headed:
            continue
        inside = sum(page.free_between(region) for region in siblings)
        gaps = [Region(a.node, a.stop, b.start) for a, b in itertools.pairwise(siblings)]
        between = sum(page.free_between(gap) for gap in gaps)
        if (between <= inside and not headed) or any(gap.stop < gap.start for gap in gaps):
            continue
        if not headed and _are_alternating(siblings):
            continue
        parent = siblings[0].node.parent
        last_stop = parent.stop if parent is not None else siblings[-1].stop
        for region, stop in zip(siblings, [*(later.start for later in siblings[1:]), last_stop], strict=True):
            region.stop = stop


def _are_alternating(siblings: list[Region]) -> bool:
    """Whether what stands between the elements is of their kind, and only every other one has the word in question."""
    parent = siblings[0].node.parent
    own = set.intersection(*(set(region.node.words) for region in siblings))
    if parent is None or not own:
        return False
    taken = {id(region.node) for region in siblings}
    others = [child for child in parent.children if id(child) not in taken and child.name == siblings[0].node.name]
    return sum(bool(own & set(child.words)) for child in others) >= len(siblings) / 2
