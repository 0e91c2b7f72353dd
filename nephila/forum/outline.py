"""What the links of a page are: the titles of a list's rows, the pages of a list or thread, the way up, the rest.

Read from structure: links of one address pattern at one place of the template are a group; of the groups that stand in
repeated rows, the one with most text on its links names what the rows are about. Numbers that count beside each other
are page numbers. Knows trees of pages and addresses; what the patterns mean is learned elsewhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from urllib.parse import urlsplit

from nephila.forum import words
from nephila.forum.address import Address, read_address
from nephila.forum.records import Page
from nephila.forum.tree import Node
from nephila.urls import host_key, resolve

_INTEGER = re.compile(r"^\W{0,2}(\d{1,5})\W{0,2}$")
_NEXT = re.compile(
    rf"^\W*(?:{words.alternatives(words.NEXT_LABELS)})\W*(?:page|seite|posts?|topics?|›|»)?\W*$", re.IGNORECASE
)
_NEXT_WORD = re.compile(r"(?:^|[\s_-])next(?:$|[\s_-])|pagination-next|nextpage", re.IGNORECASE)
_MOST_LINKS = 3000
_CRUMB = re.compile(r"bread-?crumb|crumb|navbar-?trail|pathway|nav-?path|linktree|navbit", re.IGNORECASE)


@dataclass(slots=True)
class Anchor:
    """A link to the same site."""

    node: Node
    url: str
    """Canonical."""
    text: str
    address: Address
    fragment: str = ""
    unvouched: bool = False
    place: str = ""
    """Signatures around it: where in the template it stands."""


@dataclass(slots=True)
class Row:
    """One row of a list: what it is about, and what may change when something new is in there."""

    anchor: Anchor
    start: int
    stop: int
    facts: str = ""
    """Counts and dates of the row, as text."""
    modified: float | None = None
    """The newest date in it."""
    links: list[str] = field(default_factory=list)
    """Addresses in it that hold a number and are not its title's: most often that of the last post."""


@dataclass(slots=True)
class Outline:
    url: str
    address: Address
    anchors: list[Anchor]
    rows: list[Row] = field(default_factory=list)
    pager: dict[int, Anchor] = field(default_factory=dict)
    """Page number -> link."""
    following: Anchor | None = None
    """The link to the next page."""
    current: int | None = None
    crumbs: list[Anchor] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    """What the rows or posts take of the page."""

    def rest(self) -> list[Anchor]:
        """Links outside of rows, posts, pager."""
        paged = {id(anchor) for anchor in self.pager.values()} | {id(self.following)}
        return [a for a in self.anchors if not self.within(a.node.start) and id(a) not in paged]

    def within(self, place: int) -> bool:
        return any(low <= place < high for low, high in self.spans)


def read_anchors(page: Page, url: str, wild: frozenset[str]) -> list[Anchor]:
    """The links of the page to its own site, in document order."""
    document = page.tree.document
    nodes = [node for node in page.tree.named("a") if b' href="' in node.source][:_MOST_LINKS]
    hrefs = [node.attributes.get("href", "") for node in nodes]
    site = urlsplit(url).netloc
    found = []
    targets = resolve(document.base_url or url, hrefs, encoding=document.encoding)
    for node, href, target in zip(nodes, hrefs, targets, strict=True):
        if target is None or not href or href[0] == "#" or host_key(target) != site:
            continue
        rel = node.attributes.get("rel", "")
        found.append(
            Anchor(
                node,
                target,
                node.text or node.attributes.get("title", ""),
                read_address(target, wild),
                href.partition("#")[2],
                "nofollow" in rel,
                _place(node),
            )
        )
    return found


def _place(node: Node) -> str:
    steps = [node.signature.partition("[")[0]]
    for ancestor, _ in zip(node.ancestors(), range(4), strict=False):
        steps.append(ancestor.signature.partition("[")[0])
    return ">".join(reversed(steps))


# -- rows --------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class LinkGroup:
    """Links of one pattern at one place of the template."""

    pattern: str
    place: str
    anchors: list[Anchor]
    weight: float = 0.0


def title_groups(page: Page, anchors: Iterable[Anchor], spans: list[tuple[int, int]]) -> list[LinkGroup]:
    """Groups of links that may be the titles of rows, the likeliest first."""
    groups: dict[tuple[str, str], list[Anchor]] = defaultdict(list)
    for anchor in anchors:
        if any(low <= anchor.node.start < high for low, high in spans):
            continue
        groups[anchor.address.pattern, anchor.place].append(anchor)
    found = []
    for (pattern, place), members in groups.items():
        texts = {anchor.text for anchor in members if _is_title(anchor.text)}
        urls = {anchor.url for anchor in members}
        if not texts or len(texts) < 0.6 * len(members) or len(urls) < 0.6 * len(members):
            continue
        group = LinkGroup(pattern, place, members)
        group.weight = sum(min(len(text), 60) for text in texts) * _in_rows(page, members)
        found.append(group)
    return sorted(found, key=lambda group: -group.weight)


def _is_title(text: str) -> bool:
    return len(text) >= 2 and any(map(str.isalpha, text)) and not _INTEGER.match(text)


def _in_rows(page: Page, members: list[Anchor]) -> float:
    """More for links beside dates and counts, each in a row of its own; less for a bare menu."""
    if len(members) == 1:
        return 0.3
    rows = rows_of(page, members)
    told = sum(bool(row.facts) for row in rows) / len(rows)
    return 0.3 + told


def rows_of(page: Page, members: list[Anchor]) -> list[Row]:
    """For each title the largest element around it that holds no other title, and what that says.

    The same titles are asked for again, by those who weigh them and by those who read them. Links that were read again,
    because their addresses are understood otherwise by now, are others.
    """
    titles = tuple(map(id, members))  # the rows keep them alive
    if titles not in page.rows:
        page.rows[titles] = _rows_of(page, members)
    return list(page.rows[titles])


def _rows_of(page: Page, members: list[Anchor]) -> list[Row]:
    starts = sorted(anchor.node.start for anchor in members)
    nodes = []
    for anchor in members:
        node = anchor.node
        for ancestor in anchor.node.ancestors():
            inside = bisect_left(starts, ancestor.stop) - bisect_left(starts, ancestor.start)
            if (
                inside > 1
                or ancestor.name in ("body", "html", "main")
                or (len(starts) == 1 and ancestor.name in _ROW_END)
            ):
                break
            node = ancestor
        nodes.append(node)
    ends = _ends(page, nodes)
    return [_row(page, anchor, node.start, end) for anchor, node, end in zip(members, nodes, ends, strict=True)]


def _ends(page: Page, nodes: list[Node]) -> list[int]:
    """Where the rows end: behind their elements, or, where the dates stand in what follows those, before the next."""
    stops = [node.stop for node in nodes]
    parent = nodes[0].parent if nodes else None
    if len(nodes) < 2 or parent is None or any(node.parent is not parent for node in nodes):
        return stops
    if any(page.points_between(node.start, node.stop) for node in nodes):
        return stops
    reach = [*(node.start for node in nodes[1:]), parent.stop]
    told = all(start < end and page.points_between(start, end) for start, end in zip(stops, reach, strict=True))
    return reach if told else stops


_ROW_END = frozenset({"table", "ul", "ol", "section", "main"})
_ALONE = 2
"""Steps up from the title of a list's only row: nothing says where the row ends."""
_FACT = re.compile(r"\d")
_LINKS = 12
"""Of a row, beside its title."""


def _row(page: Page, anchor: Anchor, start: int, stop: int) -> Row:
    row = Row(anchor, start, stop)
    begins, texts = page.tree.block_begins, page.texts
    facts = [
        texts[i]
        for i in page.tree.blocks_between(start, stop)
        if not anchor.node.start <= begins[i] < anchor.node.stop and len(texts[i]) <= 80 and _FACT.search(texts[i])
    ]
    hrefs = [
        href
        for inner in page.tree.links_between(start, stop)
        if inner is not anchor.node and _FACT.search(href := inner.attributes.get("href", ""))
    ]
    # Canonical: a session in the address is no news, nor does it make a fact of a link that has no other number.
    links = (url for url in resolve(anchor.url, hrefs[: 2 * _LINKS]) if url is not None)
    row.links = [url for url in links if _FACT.search(url.partition("://")[2].partition("/")[2])][:_LINKS]
    points = page.points_between(start, stop)
    exact = [p for p in points if not p.when.relative]
    if exact:
        newest = max(point.when.moment.replace(tzinfo=None) for point in exact)
        row.modified = (newest - _EPOCH).total_seconds()
    told = [fact for fact in facts if not any(p.when.relative and p.text == fact for p in points)]
    row.facts = " | ".join([*told, *(p.text for p in exact if p.attribute)])
    if not row.facts and points:
        row.facts = "~"
    return row


_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - naive on both sides


# -- page numbers ------------------------------------------------------------------------------------------------------


def read_pager(outline: Outline) -> None:
    """The links to the other pages of this list or thread."""
    numbered: dict[int, list[tuple[int, Anchor]]] = defaultdict(list)
    for anchor in outline.anchors:
        match = _INTEGER.match(anchor.text)
        if not match or outline.within(anchor.node.start):
            continue
        if _same_thing(outline.address, anchor.address) or _counts(outline.address, anchor.address, int(match[1])):
            members = numbered[id(_holder(anchor.node))]
            pair = (int(match[1]), anchor)
            # Of two pages, each names but the other: above and below the list one holder has the same link twice.
            if not any(known == pair[0] and other.url == anchor.url for known, other in members):
                members.append(pair)
    for members in numbered.values():
        numbers = [number for number, _ in members]
        if len(set(numbers)) < len(numbers) or not _fits(members, outline):
            continue
        for number, anchor in members:
            outline.pager.setdefault(number, anchor)
    _read_following(outline)


def _read_following(outline: Outline) -> None:
    """The link to the next page: by its word, its class, or, without a text, by an address that counts one further."""
    silent: list[tuple[int, Anchor]] = []
    paged = {anchor.address.pattern for anchor in outline.pager.values()}
    for anchor in outline.anchors:
        if outline.within(anchor.node.start):
            continue
        if not _same_thing(outline.address, anchor.address) and anchor.address.pattern not in paged:
            continue
        if anchor.url == outline.url:
            continue
        named = f"{anchor.node.attributes.get('class', '')} {anchor.node.attributes.get('rel', '')}"
        if anchor.node.parent is not None:
            named += f" {anchor.node.parent.attributes.get('class', '')}"
        further = _further(outline.address, anchor.address)
        if not further:
            continue
        # Where a number names the last row that was shown, it may fall from page to page.
        if _NEXT.match(anchor.text) or _NEXT_WORD.search(named):
            outline.following = anchor
            return
        if further > 0 and not any(map(str.isalnum, anchor.text)):
            silent.append((further, anchor))
    if silent:
        outline.following = min(silent, key=lambda pair: pair[0])[1]


def _further(own: Address, other: Address) -> int | None:
    """By how much the one number grows in which two addresses differ; a number that is new counts from its first."""
    if own.pattern == other.pattern:
        differing = [(a, b) for a, b in zip(own.values, other.values, strict=True) if a != b]
        if len(differing) == 1 and differing[0][0].isdigit() and differing[0][1].isdigit():
            return int(differing[0][1]) - int(differing[0][0])
        return None
    extra = list(other.values)
    for value in own.values:
        if value in extra:
            extra.remove(value)
    return int(extra[0]) if len(extra) == 1 and extra[0].isdigit() and len(extra[0]) < 6 else None


def _holder(node: Node) -> Node:
    """The element around a run of page links: the first that is no mere wrapping of one."""
    for ancestor in node.ancestors():
        links = sum(child.name == "a" for child in ancestor.walk())
        if links > 1:
            return ancestor
    return node


def _fits(members: list[tuple[int, Anchor]], outline: Outline) -> bool:
    """Page numbers lead to addresses that differ in one value, which grows with the number."""
    if len(members) == 1:
        return members[0][1].url != outline.url
    patterns = {anchor.address.pattern for _, anchor in members}
    if len(patterns) > 2:
        return False
    common = max(patterns, key=lambda p: sum(a.address.pattern == p for _, a in members))
    series = [(n, a.address.values) for n, a in sorted(members, key=lambda m: m[0]) if a.address.pattern == common]
    if len(series) < 2:
        return True
    return any(_grows([values[slot] for _, values in series]) for slot in range(len(series[0][1])))


def _grows(values: list[str]) -> bool:
    return all(value.isdigit() for value in values) and all(int(a) < int(b) for a, b in pairwise(values))


def _same_thing(one: Address, other: Address) -> bool:
    """Whether an address may be another page of the same list or thread: the same path but for a page's part."""
    a, b = one.path.rstrip("/"), other.path.rstrip("/")
    if a != b:
        short, long = sorted((a, b), key=len)
        if not long.startswith(short) or long[len(short) :].count("/") > 2:
            base_a, base_b = re.sub(r"/[^/]*\{#\}[^/]*$", "", a), re.sub(r"/[^/]*\{#\}[^/]*$", "", b)
            if base_a != base_b:
                return False
            if base_a in ("", a, b):
                return _adds_number(one, other) or _adds_number(other, one)
    return one.values[:1] == other.values[:1] or not one.values or _shared(one, other)


def _adds_number(one: Address, other: Address) -> bool:
    """Whether an address has all that another has, and a number: `/t12-title`, `/t12p20-title`."""
    rest = list(other.values)
    for value in one.values:
        if value not in rest:
            return False
        rest.remove(value)
    return bool(one.values) and len(rest) == 1 and rest[0].isdigit()


def _counts(own: Address, other: Address, number: int) -> bool:
    """Whether two addresses differ in the page alone, of a list that has no number itself: `/newest?page=2`."""
    if own.pattern != other.pattern or len(own.values) != 1 or "{" in own.path:
        return False
    return other.values[0].isdigit() and int(other.values[0]) in (number, number - 1)


def _shared(one: Address, other: Address) -> bool:
    return bool(set(one.values) & set(other.values))


# -- the way up -------------------------------------------------------------------------------------------------------


def _is_crumb(node: Node) -> bool:
    named = " ".join(node.attributes.get(name, "") for name in ("class", "id", "aria-label"))
    return _CRUMB.search(named) is not None


def read_crumbs(outline: Outline) -> None:
    """The links of the breadcrumb, from the top down: what is named so, else the links of the title's neighbourhood."""
    known: dict[int, bool] = {}  # a menu's links all stand in the same elements
    for anchor in outline.anchors:
        for ancestor, _ in zip(anchor.node.ancestors(), range(5), strict=False):
            if ancestor.index not in known:
                known[ancestor.index] = _is_crumb(ancestor)
            if known[ancestor.index]:
                if not outline.crumbs or anchor.node.start - outline.crumbs[-1].node.stop < 600:
                    outline.crumbs.append(anchor)
                break
