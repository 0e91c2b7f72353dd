"""What tells a post from all others of its site: its number, its place in the thread, its permalink.

Numbers stand in attributes and links of every record. Those that differ in every record and grow are the candidates;
1, 2, 3 ... is the place in the thread, not the identity. Knows records and trees only.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from nephila.document import unescape
from nephila.forum.records import Page, Region, span_of
from nephila.forum.tree import Node

_TAGS = re.compile(rb"<(a|input|[a-z][a-z0-9-]*)\b([^>]*)>")
_ATTRIBUTE = re.compile(r'\s(id|name|href|value|data-[\w-]+)="([^"]*)"')
_NUMBER = re.compile(r"([A-Za-z_]*[=/_.#-]*)(\d{1,18})(?![\d])")
_SESSION = re.compile(r"(?<![0-9a-zA-Z])(?=[a-zA-Z]*\d)(?=\d*[a-zA-Z])[0-9a-zA-Z]{16,}(?![0-9a-zA-Z])")
"""Of a visit, not of a post; its digits would hide the numbers before it."""
_SHORTEST_SESSION = 16
_MOMENT = re.compile(r"time|date|stamp")
_SHOWN_NUMBER = re.compile(
    r"^\W{0,3}(?:(?:post|reply|beitrag|message|nr|no|n°)\W{0,3})?#?\s?(\d{1,6})\W{0,2}$", re.IGNORECASE
)
_LIKES = re.compile(r"(?:^|[^a-z])(?:like|thank|vote|score|react|upvote|kudos|rating|points)", re.IGNORECASE)
_LIKES_SOMEWHERE = (b"like", b"thank", b"vote", b"score", b"react", b"kudos", b"rating", b"points")
_COUNT = re.compile(r"^\W*(-?\d{1,7})\b")
ACTION = re.compile(
    r"(?<![a-z])(?:quote|reply|report|edit|delete|remove|like|vote|thank|rate|warn|ban|mark|subscribe|watch|bookmark|"
    r"share\w*|login|logout|register|posting|newreply|multiquote|moderat\w*|flag|react|accept|print|mail|send|pm|do|action)(?![a-z])",
    re.IGNORECASE,
)
_MOST_TAGS = 400
_NUMBERED = re.compile(rb"[0-9\x80-\xff]")
"""What a tag has that holds a number, in whatever script."""
_ACCEPTED_SOMEWHERE = (b"accepted", b"answer", b"solution")
_ACCEPTED = re.compile(
    rb'(?:class|itemprop)="(?:[^"]*[\s_-])?(?:accepted-?answer|is-?accepted|accepted|best-?answer|is-?solution|solution|'
    rb'correct-?answer|chosen-?answer)(?:[\s_-][^"]*)?"',
    re.IGNORECASE,
)


@dataclass(slots=True)
class Identity:
    id: str | None = None
    column: str | None = None
    """Where the number stands."""
    anchor: str | None = None
    """The element's id on the page."""
    link: str | None = None
    number: int | None = None
    likes: int | None = None
    accepted: bool = False
    place: int | None = None
    """A number that counts up by one from post to post, shown or not: its place in the thread, or its identity."""


def identities(page: Page, regions: Sequence[Region], known: str | None, people: Container[str] = ()) -> list[Identity]:
    """`known`: the column that other pages of the site have their numbers in; `people`: where authors' names lead."""
    tables = [_numbers(page, region, people) for region in regions]
    for table, wrappers in zip(tables, _wrappers(regions), strict=True):
        for node in wrappers:
            _note(table, node.source.decode("utf-8", "replace"))
    found = [Identity() for _ in regions]
    column = known if known is not None and all(known in table for table in tables) else _best_column(tables)
    counted = _counted([_shown_numbers(page, region) for region in regions])
    liked = _liked(page, regions)
    for region, table, identity, number in zip(regions, tables, found, counted, strict=True):
        identity.number = number
        identity.likes = _likes(liked, region)
        if column is not None and column in table:
            identity.id = str(table[column][0])
            identity.column = column
            _link_to(region, identity, page)
    for identity, place in zip(found, _places(tables), strict=False):
        identity.place = place
    marked = [i for i, region in enumerate(regions) if _is_accepted(page, region)]
    if 0 < len(marked) < len(regions) / 2:  # on every answer, it is a button to accept it with
        for i in marked:
            found[i].accepted = True
    return found


def _is_accepted(page: Page, region: Region) -> bool:
    """Whether the record is marked as the answer that the asker took."""
    lowered = page.tree.lowered
    if all(lowered.find(word, region.start, region.stop) < 0 for word in _ACCEPTED_SOMEWHERE):
        return False
    marks = _ACCEPTED.finditer(page.tree.html, region.start, region.stop)
    return any(not region.holes or region.covers(mark.start()) for mark in marks)


def _places(tables: Sequence[dict[str, list[int]]]) -> list[int]:
    """The smallest numbers of the records that count up by one."""
    best: list[int] = []
    for column in tables[0] if len(tables) > 1 else ():
        values = [table[column][0] for table in tables if column in table]
        counts = len(values) == len(tables) and all(b - a == 1 for a, b in itertools.pairwise(values))
        if counts and (not best or values < best):
            best = values
    return best


def _numbers(page: Page, region: Region, people: Container[str] = ()) -> dict[str, list[int]]:
    """Column -> numbers, in their order; a column is an attribute with what stands before the number."""
    table: dict[str, list[int]] = defaultdict(list)
    html = page.tree.html
    for count, tag in enumerate(_TAGS.finditer(html, region.start, region.stop)):
        if count > _MOST_TAGS:
            break
        if not _NUMBERED.search(tag[2]) or (region.holes and not region.covers(tag.start())):
            continue
        _note(table, tag[2].decode("utf-8", "replace"), people)
    return table


def _note(table: dict[str, list[int]], source: str, people: Container[str] = ()) -> None:
    """The numbers in the attributes of a tag."""
    for attribute in _ATTRIBUTE.finditer(source):
        name, value = attribute[1], attribute[2]
        if name == "href":
            if unescape(value) in people:
                continue
            head, _, fragment = (_SESSION.sub("", value) if len(value) >= _SHORTEST_SESSION else value).partition("#")
            for match in list(_NUMBER.finditer(head.partition("://")[2] or head))[-4:]:
                table[f"href {match[1]}"].append(int(match[2]))
            value, name = fragment, "fragment"
        if len(value) <= 200 and not _MOMENT.search(name):
            for match in list(_NUMBER.finditer(value))[-2:]:
                table[f"{name} {match[1]}"].append(int(match[2]))


_WRAPPED = 2


def _wrappers(regions: Sequence[Region]) -> list[list[Node]]:
    """The elements around each record that begin with it: they may have its number, and hold the answers to it."""
    found: list[list[Node]] = []
    for region, before in zip(regions, [None, *regions], strict=False):
        own: list[Node] = []
        for node in region.node.ancestors():
            if node.name in ("body", "html") or (before is not None and node.start <= before.start):
                break
            own.append(node)
        found.append(own)
    if found:  # nothing says where the first one's end
        found[0] = found[0][: max(map(len, found[1:]), default=_WRAPPED)]
    return found


def _best_column(tables: Sequence[dict[str, list[int]]]) -> str | None:
    """The column that most others agree with, of those that differ in every record."""
    need = max(1, int(0.9 * len(tables)))
    columns = dict.fromkeys(name for table in tables for name in table)  # a set has another order in each process
    vectors: dict[tuple[int | None, ...], list[str]] = defaultdict(list)
    for name in columns:
        values = tuple(table[name][0] if name in table else None for table in tables)
        there = [value for value in values if value is not None]
        if len(there) >= need and len(set(there)) == len(there):
            vectors[values].append(name)
    if not vectors:
        return None

    def worth(item: tuple[tuple[int | None, ...], list[str]]) -> tuple[float, ...]:
        values, names = item
        there = [value for value in values if value is not None]
        steps = [b - a for a, b in itertools.pairwise(there)]
        counts = all(step == 1 for step in steps) and bool(steps)
        place = counts and max(there) < 5000 and there[0] % 5 < 2
        growing = sum(step > 0 for step in steps) / len(steps) if steps else 1.0
        own = sum(name.split(" ")[0] != "href" for name in names)
        return (not place, round(growing, 1), len(there), min(own, 1), len(names), max(there) > 9)

    values, names = max(vectors.items(), key=worth)
    if values[0] in (0, 1) and not worth((values, names))[0] and len(values) > _FEW_PLACES:
        return None  # places in the thread, and every thread has them
    return min(names, key=lambda name: (_ORDER.get(name.split(" ")[0], 3), name))


_FEW_PLACES = 2
_ORDER = {"id": 0, "data-post-id": 0, "name": 1, "fragment": 2, "href": 4, "value": 5}


def _link_to(region: Region, identity: Identity, page: Page) -> None:
    """A link to the post itself, and the element that has its number for an id."""
    number = identity.id or ""
    best: tuple[int, str] | None = None
    for node in page.tree.tags_with((number.encode(),), region.start, region.stop):
        if region.holes and not region.covers(node.start):
            continue
        if identity.anchor is None and node.name != "input":
            for name in ("id", "name"):
                if _holds(value := node.attributes.get(name, ""), number):
                    identity.anchor = value
        href = node.attributes.get("href", "") if node.name == "a" else ""
        if _holds(href, number) and not ACTION.search(href) and _is_here(href, page):
            worth = _worth(node, href)
            if best is None or worth > best[0]:
                best = (worth, href)
    identity.link = best[1] if best is not None and not best[1].startswith("#") else None
    identity.anchor = identity.anchor or region.node.attributes.get("id")


def _holds(value: str, number: str) -> bool:
    """Whether the number stands in there, and is no part of a longer one."""
    place = value.find(number)
    while place >= 0:
        behind = place + len(number)
        if not value[max(0, place - 1) : place].isdecimal() and not value[behind : behind + 1].isdecimal():
            return True
        place = value.find(number, place + 1)
    return False


def _is_here(href: str, page: Page) -> bool:
    """Not a link to another site that names this one, as share buttons do."""
    head, slashes, rest = href.partition("//")
    return not slashes or "/" in head or rest.startswith(urlsplit(page.tree.document.url or "").netloc + "/")


def _worth(node: Node, href: str) -> int:
    text = node.text
    return 2 * (bool(_SHOWN_NUMBER.match(text)) or node.name == "time") + ("#" in href) + (len(text) < 40)


def _shown_numbers(page: Page, region: Region) -> dict[int, bool]:
    """The numbers that a record shows on lines of their own, and whether a sign says that they count posts."""
    texts, begins = page.texts, page.tree.block_begins
    found: dict[int, bool] = {}
    for i in page.tree.blocks_between(region.start, region.stop):
        if region.covers(begins[i]) and len(texts[i]) < 24 and (match := _SHOWN_NUMBER.match(texts[i])):
            found[int(match[1])] = found.get(int(match[1]), False) or not texts[i].isdigit()
    return found


def _counted(shown: Sequence[dict[int, bool]]) -> list[int | None]:
    """Of the numbers shown, those that count up by one from post to post; the others are likes, ranks, votes."""
    if len(shown) == 1:
        return [1 if 1 in shown[0] else None]
    runs = []
    for turn, start in enumerate(shown[0] if shown else ()):
        marks = [numbers.get(start + n) for n, numbers in enumerate(shown)]
        told = all(marks) or start == 1 or len(shown) >= _ENOUGH_SHOWN
        if start > 0 and told and None not in marks:
            runs.append((all(marks), start == 1, -turn, start))
    if not runs:
        return [None] * len(shown)
    start = max(runs)[-1]
    return [start + n for n in range(len(shown))]


_ENOUGH_SHOWN = 4
"""Fewer bare numbers may follow each other by chance."""


def _liked(page: Page, regions: Sequence[Region]) -> list[tuple[int, int]]:
    """Where on the page a count of likes stands, and the count."""
    tags = page.tree.tags_with(_LIKES_SOMEWHERE, *span_of(regions))
    return [
        (node.start, int(match[1]))
        for node in tags
        if node.stop - node.tag_stop < 400
        and _LIKES.search(node.attributes.get("class", ""))
        and (match := _COUNT.match(node.text)) is not None
    ]


def _likes(liked: list[tuple[int, int]], region: Region) -> int | None:
    return next((count for place, count in liked if region.covers(place)), None)
