"""What tells a post from all others of its site: its number, its place in the thread, its permalink.

Numbers stand in attributes and links of every record. Those that differ in every record and grow are the candidates;
1, 2, 3 ... is the place in the thread, not the identity. Knows records and trees only.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from nephila.forum.records import Page, Region
from nephila.forum.tree import Node

_TAGS = re.compile(rb"<(a|input|[a-z][a-z0-9-]*)\b([^>]*)>")
_ATTRIBUTE = re.compile(r'\s(id|name|href|value|data-[\w-]+)="([^"]*)"')
_NUMBER = re.compile(r"([A-Za-z_]*[=/_.#-]*)(\d{1,18})(?![\d])")
_SHOWN_NUMBER = re.compile(
    r"^\W{0,3}(?:(?:post|reply|beitrag|message|nr|no|n°)\W{0,3})?#?\s?(\d{1,6})\W{0,2}$", re.IGNORECASE
)
_LIKES = re.compile(r"(?:^|[^a-z])(?:like|thank|vote|score|react|upvote|kudos|rating|points)", re.IGNORECASE)
_COUNT = re.compile(r"^\W*(-?\d{1,7})\b")
ACTION = re.compile(
    r"(?<![a-z])(?:quote|reply|report|edit|delete|remove|like|vote|thank|rate|warn|ban|mark|subscribe|watch|bookmark|"
    r"share\w*|login|logout|register|posting|newreply|multiquote|moderat\w*|flag|react|accept|print|mail|send|pm|do|action)(?![a-z])",
    re.IGNORECASE,
)
_MOST_TAGS = 400
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


def identities(page: Page, regions: Sequence[Region], known: str | None) -> list[Identity]:
    """`known`: the column that other pages of the site have their numbers in."""
    tables = [_numbers(page, region) for region in regions]
    found = [Identity() for _ in regions]
    column = known if known is not None and all(known in table for table in tables) else _best_column(tables)
    for region, table, identity in zip(regions, tables, found, strict=True):
        identity.number = _shown_number(page, region)
        identity.likes = _likes(page, region)
        if column is not None and column in table:
            identity.id = str(table[column][0])
            identity.column = column
            _link_to(region, identity, page)
    _check_numbers(found)
    for identity, place in zip(found, _places(tables), strict=False):
        identity.place = place
    marked = [i for i, region in enumerate(regions) if _is_accepted(page, region)]
    if 0 < len(marked) < len(regions) / 2:  # on every answer, it is a button to accept it with
        for i in marked:
            found[i].accepted = True
    return found


def _is_accepted(page: Page, region: Region) -> bool:
    """Whether the record is marked as the answer that the asker took."""
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


def _numbers(page: Page, region: Region) -> dict[str, list[int]]:
    """Column -> numbers, in their order; a column is an attribute with what stands before the number."""
    table: dict[str, list[int]] = defaultdict(list)
    html = page.tree.html
    for count, tag in enumerate(_TAGS.finditer(html, region.start, region.stop)):
        if count > _MOST_TAGS:
            break
        if region.holes and not region.covers(tag.start()):
            continue
        source = tag[2].decode("utf-8", "replace")
        for attribute in _ATTRIBUTE.finditer(source):
            name, value = attribute[1], attribute[2]
            if name == "href":
                head, _, fragment = value.partition("#")
                for match in list(_NUMBER.finditer(head.partition("://")[2] or head))[-4:]:
                    table[f"href {match[1]}"].append(int(match[2]))
                value, name = fragment, "fragment"
            if len(value) <= 200:
                for match in list(_NUMBER.finditer(value))[-2:]:
                    table[f"{name} {match[1]}"].append(int(match[2]))
    return table


def _best_column(tables: Sequence[dict[str, list[int]]]) -> str | None:
    """The column that most others agree with, of those that differ in every record."""
    need = max(1, int(0.9 * len(tables)))
    columns = {name for table in tables for name in table}
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
        place = counts and max(there) < 5000 and (there[0] - 1) % 5 == 0
        growing = sum(step > 0 for step in steps) / len(steps) if steps else 1.0
        own = sum(name.split(" ")[0] != "href" for name in names)
        return (not place, round(growing, 1), len(there), min(own, 1), len(names), max(there) > 9)

    values, names = max(vectors.items(), key=worth)
    return min(names, key=lambda name: (_ORDER.get(name.split(" ")[0], 3), name))


_ORDER = {"id": 0, "data-post-id": 0, "name": 1, "fragment": 2, "href": 4, "value": 5}


def _link_to(region: Region, identity: Identity, page: Page) -> None:
    """A link to the post itself, and the element that has its number for an id."""
    wanted = re.compile(rf"(?<!\d){identity.id}(?!\d)")
    best: tuple[int, str] | None = None
    for node in page.tree.nodes_between(region.start, region.stop):
        if region.holes and not region.covers(node.start):
            continue
        if identity.anchor is None:
            for name in ("id", "name"):
                value = node.attributes.get(name, "") if b" " + name.encode() + b'="' in node.source else ""
                if value and node.name != "input" and wanted.search(value):
                    identity.anchor = value
        href = node.attributes.get("href", "") if node.name == "a" else ""
        if href and wanted.search(href) and not ACTION.search(href) and _is_here(href, page):
            worth = _worth(node, href)
            if best is None or worth > best[0]:
                best = (worth, href)
    identity.link = best[1] if best is not None and not best[1].startswith("#") else None
    identity.anchor = identity.anchor or region.node.attributes.get("id")


def _is_here(href: str, page: Page) -> bool:
    """Not a link to another site that names this one, as share buttons do."""
    head, slashes, rest = href.partition("//")
    return not slashes or "/" in head or rest.startswith(urlsplit(page.tree.document.url or "").netloc + "/")


def _worth(node: Node, href: str) -> int:
    text = node.text
    return 2 * (bool(_SHOWN_NUMBER.match(text)) or node.name == "time") + ("#" in href) + (len(text) < 40)


def _shown_number(page: Page, region: Region) -> int | None:
    texts, begins = page.texts, page.tree.block_begins
    for i in page.tree.blocks_between(region.start, region.stop):
        if region.covers(begins[i]) and len(texts[i]) < 24 and (match := _SHOWN_NUMBER.match(texts[i])):
            return int(match[1])
    return None


def _check_numbers(found: Sequence[Identity]) -> None:
    """Numbers that do not count up by one from post to post are something else."""
    shown = [identity.number for identity in found]
    good = all(a is not None and b is not None and b - a == 1 for a, b in itertools.pairwise(shown))
    if not good or (len(shown) == 1 and shown[0] not in (1, None)):
        for identity in found:
            identity.number = None


def _likes(page: Page, region: Region) -> int | None:
    for node in page.tree.nodes_between(region.start, region.stop):
        if b"class=" in node.source and region.covers(node.start) and _LIKES.search(node.attributes.get("class", "")):
            match = _COUNT.match(node.text) if node.stop - node.tag_stop < 400 else None
            if match is not None:
                return int(match[1])
    return None
