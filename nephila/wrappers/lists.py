"""Records of one listing page: product cards, search results, table rows. Needs no second page. Knows outlines.

The children of each element are cut into records at a head, a kind of child that repeats: one child a record, or more
(`<dt>` and `<dd>`, rows that belong together), some of them optional. The cut that explains most of the page's text by
records that are alike, and say more than a menu does, is the list.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from nephila.wrappers.outline import Outline

LEAST = 3
_ALIKE = 0.34
_DEPTH = 4
_MOST_CHILDREN = 2_000
_LONG_ENOUGH = 24
"""Characters that a record says more than a link of a menu by."""
_OUTLIER = 0.72
"""At either end, what is so much less alike than the others are is not a record."""
_FURNITURE = frozenset({"nav", "header", "footer", "select", "head", "form"})


@dataclass(slots=True)
class Span:
    """One record: neighbouring children of one element."""

    elements: list[int]
    units: range


@dataclass(slots=True)
class Listing:
    """The records of a page, in order."""

    parent: int
    records: list[Span]
    score: float


class _Page:
    """The outline as a tree."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        count = len(outline.tags)
        self.children: list[list[int]] = [[] for _ in range(count)]
        for element, parent in enumerate(outline.parent):
            if parent >= 0:
                self.children[parent].append(element)
        self.low, self.high = [len(outline.texts)] * count, [0] * count
        self.length = [0] * count
        self.linked = [0] * count
        for unit, owner in enumerate(outline.owner):
            above = owner
            size = 0 if outline.attribute[unit] else len(outline.texts[unit])
            link = False
            while above >= 0:
                link = link or outline.tags[above].name == "a"
                self.low[above] = min(self.low[above], unit)
                self.high[above] = max(self.high[above], unit + 1)
                self.length[above] += size
                self.linked[above] += size * link
                above = outline.parent[above]
        self._shapes: dict[int, Counter[str]] = {}

    def units(self, elements: Sequence[int]) -> range:
        held = [each for each in elements if self.high[each]]
        return range(min(self.low[each] for each in held), max(self.high[each] for each in held)) if held else range(0)

    def shape(self, element: int) -> Counter[str]:
        """The tags below an element that lead to text, by their path from it."""
        known = self._shapes.get(element)
        if known is None:
            known = Counter()
            outline = self.outline
            start = outline.tags[element].name
            todo = [(element, start, 0)]
            while todo:
                each, path, depth = todo.pop()
                tag = outline.tags[each]
                if self.high[each] or tag.name in ("img", "a"):
                    known[f"{path}.{tag.mark}"] += 1
                    if depth < _DEPTH:
                        todo.extend(
                            (child, f"{path}/{outline.tags[child].name}", depth + 1)
                            for child in self.children[each][:60]
                        )
            self._shapes[element] = known
        return known


def find_listing(outline: Outline) -> Listing | None:
    """The main list of the page; None when it has none."""
    page = _Page(outline)
    total = sum(len(text) for unit, text in enumerate(outline.texts) if not outline.attribute[unit]) or 1
    best: Listing | None = None
    for parent, children in enumerate(page.children):
        if not LEAST <= len(children) <= _MOST_CHILDREN or page.length[parent] < 0.02 * total:
            continue
        if _in_furniture(outline, parent):
            continue
        for records in _cuts(page, children):
            listing = _judged(page, parent, records, total)
            if listing is not None and (best is None or listing.score > best.score):
                best = listing
    return best


def _in_furniture(outline: Outline, element: int) -> bool:
    while element >= 0:
        if outline.tags[element].name in _FURNITURE:
            return outline.tags[element].name != "form"
        element = outline.parent[element]
    return False


def _cuts(page: _Page, children: list[int]) -> list[list[list[int]]]:
    """The ways to cut the children into records: at each kind of child that repeats."""
    tags = page.outline.tags
    held = [child for child in children if page.high[child] or tags[child].name in ("br", "hr", "img", "a")]
    kinds: dict[tuple[str, str], list[int]] = {}
    for place, child in enumerate(held):
        if page.high[child]:
            kinds.setdefault((tags[child].name, ""), []).append(place)
            if tags[child].mark:
                kinds.setdefault((tags[child].name, tags[child].mark), []).append(place)
    cuts: list[list[list[int]]] = []
    for places in kinds.values():
        if len(places) < LEAST:
            continue
        cuts.append([[held[place]] for place in places])
        if len(places) < len(held):
            cuts.append(_segments(held, places))
    return cuts


def _segments(held: list[int], places: list[int]) -> list[list[int]]:
    """From each head to the next; the last one is as long as the others are."""
    sizes = [after - before for before, after in pairwise(places)]
    usual = Counter(sizes).most_common(1)[0][0]
    ends = [*places[1:], min(len(held), places[-1] + usual)]
    return [held[start:end] for start, end in zip(places, ends, strict=True)]


def _judged(page: _Page, parent: int, records: list[list[int]], total: int) -> Listing | None:
    shapes = [sum((page.shape(element) for element in record), Counter[str]()) for record in records]
    typical = _typical(shapes)
    kept = [
        (record, alike)
        for record, shape in zip(records, shapes, strict=True)
        if (alike := _alike(shape, typical)) >= _ALIKE and any(page.length[element] for element in record)
    ]
    kept = _trimmed(page, kept)
    if len(kept) < LEAST:
        return None
    lengths = [sum(page.length[element] for element in record) for record, _ in kept]
    linked = sum(page.linked[element] for record, _ in kept for element in record)
    covered = sum(lengths) / total
    mean = sum(lengths) / len(lengths)
    # A menu is nothing but links, and short ones.
    plain = 1 - linked / max(1, sum(lengths))
    says = min(1.0, mean / _LONG_ENOUGH) * (0.25 + min(0.75, 2 * plain))
    regular = sum(alike for _, alike in kept) / len(kept)
    has_link = sum(_has_link(page, record) for record, _ in kept) / len(kept)
    spread = len(kept) / len(records)
    parts = sum(sum(shape.values()) for shape in shapes) / len(shapes)
    score = math.sqrt(covered) * says * regular * (0.4 + 0.6 * has_link) * math.sqrt(spread) * math.log1p(len(kept))
    score *= min(1.0, 0.4 + parts / 10)
    spans = [Span(record, page.units(record)) for record, _ in kept]
    return Listing(parent, spans, score)


def _trimmed(page: _Page, kept: list[tuple[list[int], float]]) -> list[tuple[list[int], float]]:
    """Without what only looks like a record: bars and headings above and below the list, rows between its parts."""
    if not kept:
        return kept
    marks = Counter(page.outline.tags[record[0]].mark for record, _ in kept)
    mark, count = marks.most_common(1)[0]
    if count >= 0.7 * len(kept):
        kept = [each for each in kept if page.outline.tags[each[0][0]].mark == mark]
    links = [_has_link(page, record) for record, _ in kept]
    if sum(links) >= 0.6 * len(links):
        kept = [each for each, has in zip(kept, links, strict=True) if has]
    usual = median(alike for _, alike in kept)
    while len(kept) > LEAST and kept[-1][1] < _OUTLIER * usual:
        kept = kept[:-1]
    while len(kept) > LEAST and kept[0][1] < _OUTLIER * usual:
        kept = kept[1:]
    return kept


def _has_link(page: _Page, record: list[int]) -> bool:
    tags, end = page.outline.tags, page.outline.end
    return any(tags[each].name == "a" for element in record for each in range(element, end[element]))


def _typical(shapes: list[Counter[str]]) -> Counter[str]:
    """What most records have."""
    counts: Counter[str] = Counter()
    for shape in shapes:
        counts.update(shape.keys())
    most = max(counts.values(), default=1)
    return Counter({path: 1 for path, count in counts.items() if count >= 0.5 * most})


def _alike(shape: Counter[str], typical: Counter[str]) -> float:
    common = sum(1 for path in typical if path in shape)
    return 2 * common / (len(typical) + len(shape)) if typical or shape else 0.0
