"""The fields of posts: which part of each record is its text, its author, its date, its number.

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

from nephila.forum.records import DatePoint, Page, Region
from nephila.forum.tree import Node

_PROSE_TAGS = """
p br blockquote ul ol li pre h1 h2 h3 h4 h5 h6 b i u s a img font em strong code center figure dl dt dd hr
"""
_PROSE = frozenset(_PROSE_TAGS.split())
"""Elements that a writer makes, not a template: a text is not looked for below them."""
_INLINE_TAGS = "b i u s a font em strong center"
_INLINE = frozenset(_INLINE_TAGS.split())
_NUMBER = re.compile(r"^\W*\d[\d.,\s]*\W*$")
_AUTHOR_HINT = re.compile(
    r"author|user|nick|poster|member|profile|creator|byline|person|login|autor|usuario|name|who\b", re.IGNORECASE
)
_NOT_AUTHOR_HINT = re.compile(
    r"title|rank|group|role|signature|button|action|date|time|count|stat|badge|tool|menu|online|location|avatar|"
    r"quote|reply|category|tag|subject|permalink|share|like|label|extra|field|react|popup|option|homepage|search",
    re.IGNORECASE,
)
_LEAST = 0.6
"""Share of the text of the records that a column must hold to be looked into."""
_MOST = 0.7
_NAME_LENGTH = 48
_LABEL = 25
"""Shorter texts are as likely ranks, counts and places as posts."""
_LIKELY_NAME = 0.5


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
    seen: int = 1
    """Pages that agreed."""

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
            seen=int(data.get("seen", 1)),
        )


def path_in(region: Region, node: Node) -> tuple[str, ...]:
    """Signatures from the record down to the node; nameless elements at its top are told by their turn in it."""
    path: list[str] = []
    parent = region.node.parent
    current = node
    while current.parent is not None and current.parent is not parent:
        path.append(current.signature)
        current = current.parent
    path.append(top_names(region, current)[0])
    return tuple(reversed(path))


def top_names(region: Region, top: Node) -> list[str]:
    if top.words:
        return top.names
    if top is region.node:
        return [f"{top.name}<1>"]
    turn = sum(1 for node in tops_of(region) if node.start <= top.start)
    return [f"{top.name}<{min(turn, 9)}>"]


def tops_of(region: Region) -> list[Node]:
    """The elements that make up a region: its own, and the siblings that were given to it."""
    parent = region.node.parent
    if parent is None or (region.start == region.node.start and region.stop == region.node.stop):
        return [region.node]
    return [child for child in parent.children if region.start <= child.start < region.stop]


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
        level = [
            [(child.names, child) for node in nodes for child in node.children if _worth(child)] for nodes in chosen
        ]


def _next_step(
    page: Page, level: list[list[tuple[list[str], Node]]], totals: list[int], sums: list[int], *, first: bool
) -> str | None:
    """The name of the children that hold the text; what stands beside all children counts against it."""
    shares: dict[str, float] = defaultdict(float)
    masses: Counter[str] = Counter()
    holders: Counter[str] = Counter()
    members: Counter[str] = Counter()
    places: dict[str, int] = {}
    filled = sum(total > 0 for total in totals)
    for nodes, total in zip(level, totals, strict=True):
        if not total:
            continue
        found: Counter[str] = Counter()
        for names, node in nodes:
            mass = _mass(page, node, sums)
            if not mass:
                continue
            for place, name in enumerate(names):
                places.setdefault(name, place)
                shares[name] += mass / total
                masses[name] += mass
                found[name] += 1
        holders.update(found.keys())
        members.update(found)
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
    return sums[blocks.stop] - sums[blocks.start] if blocks else 0


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
    dated = {point.place for point in page.points if not point.attribute}
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
            for child in node.children
            if child.is_a(step) and (not region.holes or region.covers(child.start))
        ]
    return level


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
        if score > best_score:
            best, best_score = Column(key[0], len(points) / len(regions), key[1]), score
    return best


def points_of(page: Page, region: Region, body: Node | None) -> list[DatePoint]:
    """The dates of a record outside of its text."""
    return [
        point
        for point in page.points_between(region.start, region.stop)
        if (not region.holes or region.covers(point.place))
        and (body is None or not body.start <= point.place < body.stop)
    ]


# -- the author --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Candidate:
    path: tuple[str, ...]
    values: dict[int, tuple[str, str | None]]
    """Record -> text and link."""
    hint: bool
    against: bool
    place: float


def author_column(page: Page, regions: Sequence[Region], bodies: Sequence[Node | None]) -> Column | None:
    candidates = _candidates(page, regions, bodies)
    best = max(candidates, key=lambda one: _likely(one, len(regions)), default=None)
    if best is None or _likely(best, len(regions)) <= _LIKELY_NAME:
        return None
    return Column(best.path, len(best.values) / len(regions))


def _candidates(page: Page, regions: Sequence[Region], bodies: Sequence[Node | None]) -> list[_Candidate]:
    found: dict[tuple[str, ...], _Candidate] = {}
    dated = {id(point.node) for point in page.points if not point.attribute}
    for number, (region, body) in enumerate(zip(regions, bodies, strict=True)):
        for order, node in enumerate(names_in(page, region, body)):
            text = node.text
            if id(node) in dated or _NUMBER.match(text) or not any(map(str.isalnum, text)):
                continue
            if any(map(str.isdigit, text)) and page.reader.read(text) is not None:
                continue
            path = path_in(region, node)
            if path not in found:
                words = " ".join(
                    f"{n.attributes.get('class', '')} {n.attributes.get('itemprop', '')}" for n in _near(node)
                )
                words += f" {node.attributes.get('rel', '')} {node.attributes.get('href', '')}"
                own = f"{node.attributes.get('class', '')} {node.attributes.get('href', '').partition('?')[0]}"
                own += f" {node.parent.attributes.get('class', '') if node.parent is not None else ''}"
                found[path] = _Candidate(
                    path, {}, bool(_AUTHOR_HINT.search(words)), bool(_NOT_AUTHOR_HINT.search(own)), order
                )
            found[path].values.setdefault(number, (text, node.attributes.get("href")))
    return list(found.values())


def _near(node: Node) -> list[Node]:
    return [node, *([node.parent] if node.parent is not None else [])]


def names_in(page: Page, region: Region, body: Node | None) -> list[Node]:
    """The elements with a short text of their own outside the record's text, in document order."""
    key = (region.start, region.stop, len(region.holes), -1 if body is None else body.start)
    if key not in page.names:
        page.names[key] = _names_in(page, region, body)
    return page.names[key]


_CONTROLS = frozenset({"button", "option", "select", "label", "form", "textarea"})
_PICTURES = frozenset({"img", "i", "br"})


def _names_in(page: Page, region: Region, body: Node | None) -> list[Node]:
    found = []
    low, high = (0, 0) if body is None else (body.start, body.stop)
    for node in page.tree.nodes_between(region.start, region.stop):
        if low <= node.start < high or node.stop - node.tag_stop > 600 or node.name in _CONTROLS:
            continue
        if region.holes and not region.covers(node.start):
            continue
        length = len(node.text)
        if not 0 < length <= _NAME_LENGTH:
            continue
        if any(child.name not in _PICTURES and len(child.text) == length for child in node.children):
            continue  # the child is the one
        found.append(node)
    return found


def _likely(one: _Candidate, records: int) -> float:
    """How much a column looks like names of people."""
    texts = [text for text, _ in one.values.values()]
    coverage = len(texts) / records
    distinct = len(set(texts))
    score = coverage
    if distinct == 1 and records > 2:
        score -= 0.7  # the same everywhere: a label
    if not one.hint and not any(href for _, href in one.values.values()):
        score -= 0.2
    links = [href for _, href in one.values.values() if href]
    if links:
        pairs = {(text, href) for text, href in one.values.values() if href}
        by_link = len({href for _, href in pairs})
        score += 0.25 * len(links) / len(texts)
        # A name leads to one profile, and each profile has one name.
        score += 0.2 if by_link == len({text for text, href in pairs if href}) else -0.2
        if any(href.startswith(("#", "javascript:", "mailto:")) for href in links):
            score -= 0.4
    first_words = Counter(text.split()[0] for text in texts if " " in text)
    if (
        distinct > 1
        and first_words
        and first_words.most_common(1)[0][1] >= 0.7 * len(texts)
        and distinct > 0.5 * len(texts)
    ):
        score -= 0.5  # "Posts by Anna", "Posts by Bert": about a name
    score += 0.35 if one.hint else 0.0
    score -= 0.3 if re.match(r"(?:dt|dd|th|li)\b", one.path[-1]) else 0.0
    score -= 0.3 if one.against else 0.0
    words = sum(len(text.split()) for text in texts) / len(texts)
    score -= 0.08 * max(0.0, words - 2)
    score -= sum(text.endswith((":", "…", "...")) for text in texts) / len(texts) * 0.4
    return score - 0.01 * min(one.place, 20)
