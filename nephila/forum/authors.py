"""Who wrote each post: the column of names, told by what names of people look like. Knows records and trees only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nephila.forum.fields import Column, path_in
from nephila.forum.records import Page, Region, span_of
from nephila.forum.tree import Node

_NUMBER = re.compile(r"^\W*\d[\d.,:\s]*\W*$")
_AUTHOR_HINT = re.compile(
    r"author|user|nick|poster|member|profile|creator|byline|person|login|autor|usuario|name|who\b", re.IGNORECASE
)
_NOT_AUTHOR_HINT = re.compile(
    r"title|rank|group|role|signature|button|action|date|time|count|stat|badge|tool|menu|online|location|avatar|"
    r"quote|reply|category|tag|subject|permalink|share|like|label|extra|field|react|popup|option|homepage|search",
    re.IGNORECASE,
)
_NAME_LENGTH = 48
_LIKELY_NAME = 0.6


@dataclass(slots=True)
class _Candidate:
    path: tuple[str, ...]
    values: dict[int, tuple[str, str | None]]
    """Record -> text and link."""
    hint: bool
    against: bool
    place: float
    told: bool = False
    """The elements of the records themselves name most of them, in some attribute."""


def author_column(page: Page, regions: Sequence[Region], bodies: Sequence[Node | None]) -> Column | None:
    candidates = _candidates(page, regions, bodies)
    for one in candidates:
        named = sum(text in regions[n].node.attributes.values() for n, (text, _) in one.values.items())
        one.told = named >= 0.8 * len(regions)
    best = max(candidates, key=lambda one: _likely(one, len(regions)), default=None)
    if best is None or _likely(best, len(regions)) <= _LIKELY_NAME:
        return None
    best = _narrowed(best, candidates)
    return Column(best.path, len(best.values) / len(regions))


_MOSTLY = 0.8


def _narrowed(best: _Candidate, candidates: list[_Candidate]) -> _Candidate:
    """The element that holds the name alone, where the one that looks most like it holds a rank as well."""
    inner = [
        one
        for one in candidates
        if len(one.path) > len(best.path)
        and one.path[: len(best.path)] == best.path
        and sum(text.startswith(one.values.get(n, ("?", None))[0]) for n, (text, _) in best.values.items())
        >= _MOSTLY * len(best.values)
        and len({text for text, _ in one.values.values()}) > 1
    ]
    return max(inner, key=lambda one: len(one.path), default=best)


def _candidates(page: Page, regions: Sequence[Region], bodies: Sequence[Node | None]) -> list[_Candidate]:
    found: dict[tuple[str, ...], _Candidate] = {}
    dated = {id(point.node) for point in page.points_between(*span_of(regions)) if not point.attribute}
    for number, (region, body) in enumerate(zip(regions, bodies, strict=True)):
        for order, node in enumerate(names_in(page, region, body)):
            text = node.text
            if id(node) in dated or not _may_name(page, node):
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


def _may_name(page: Page, node: Node) -> bool:
    """Whether its text is neither a number nor a date; the same elements are in the records of several groups."""
    if node not in page.may_name:
        text = node.text
        words = _NUMBER.match(text) is None and any(map(str.isalnum, text))
        page.may_name[node] = words and not (any(map(str.isdigit, text)) and page.reader.read(text) is not None)
    return page.may_name[node]


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
    linked = 0
    tree, nesting = page.tree, page.tree.nesting
    low, high = (0, 0) if body is None else (body.start, body.stop)
    for number in tree.numbers_between(region.start, region.stop):
        # By the numbers alone, as far as they tell: most elements need not be made.
        start = nesting.start[number]
        if low <= start < high or start < linked or nesting.stop[number] - nesting.tag_stop[number] > 600:
            continue
        if region.holes and not region.covers(start):
            continue
        node = tree.node(number)
        if node.name in _CONTROLS:
            continue
        length = len(node.text)
        if not 0 < length <= _NAME_LENGTH:
            continue
        only = _only(node, length) if node.children else None
        if only is not None:
            if not _is_name(node, only):
                continue  # the child is the one
            linked = node.stop  # what is in there differs with the rank
        found.append(node)
    return found


def _only(node: Node, length: int) -> Node | None:
    """The child that holds all of its text."""
    for child in node.children:
        if child.name not in _PICTURES and len(child.text) == length:
            return child
    return None


def _is_name(node: Node, only: Node) -> bool:
    """Whether an element around the only text in it is what the template puts around names: a link, or an inline
    element whose class what is inside only adds to: `username`, `username--staff`."""
    if node.name == "a":
        return "href" in node.attributes
    if node.name != "span" or only.name == "a" or not node.words:
        return False
    return not only.words or only.words[0].startswith(node.words[0])


def _likely(one: _Candidate, records: int) -> float:
    """How much a column looks like names of people."""
    texts = [text for text, _ in one.values.values()]
    coverage = len(texts) / records
    distinct = len(set(texts))
    score = coverage + 0.25 * distinct / len(texts)
    if distinct == 1 and records > 2:
        own = one.hint and len({href for _, href in one.values.values() if href}) == 1
        score -= 0.2 if own or one.told else 0.7  # the same everywhere: a label, or one person alone
    score += 0.4 if one.told else 0.0
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
