"""A field that is a list of items on a single page: the ingredients of a recipe, its steps. Needs no second page.

The items stand below a heading that is called like the field, or in elements that are; of all such places the one whose
items look most like it is taken. Items are list entries, rows, paragraphs, elements that are alike, or lines; a list
under several smaller headings is one. Knows outlines and the lexicon.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from nephila.wrappers.lexicon import Known, known_field
from nephila.wrappers.outline import Outline
from nephila.wrappers.shapes import label_key
from nephila.wrappers.steps import without_numbers

_FEWEST = 2
_LONGEST_ITEM = 2_000
_LONGEST_LABEL = 60
_ITEMS = {"li": 1.0, "tr": 1.0, "p": 0.85, "dd": 1.0}
"""What is an item, and how far it is believed to be a whole one."""
_ALIKE, _LINES = 0.9, 0.8
BY_LOOK = 0.5
"""How far a place is believed that nothing calls like the field."""
_LEVELS = {f"h{level}": level for level in range(1, 7)} | {"legend": 5, "dt": 6, "summary": 6, "strong": 7, "b": 7}
_UNNAMED = 8
"""The level of a label that is no heading by its tag."""
_UPWARDS = 4
_MOST_PLACES = 60
_SURE = 1.25
"""What a list below a heading counts more than one whose elements have the right name."""
_COMPANY, _NEAR = 1.0, 20.0
"""What a place counts more beside the field before it, and the units that are close."""
_LETTERS = 2
_SENTENCE, _SHORT, _MANY = 30, 120, 15
_ENDS = (".", "!", "。", "！", ")", ".”", '."', "…")
_AT_ONCE = 3
_MEASURED = 0.6
"""Of items that nothing names, the part that has to begin with a number."""
_BEHIND = 6


@dataclass(slots=True)
class Items:
    """Items of one place, and the units of the page that they are."""

    texts: list[str]
    units: range
    linked: float
    """The part of the items that are nothing but a link."""
    covers: float
    """The part of the place's text that they are."""
    trust: float


def find_items(outline: Outline, name: str) -> list[str]:
    """The items of the field on the page, in order; empty when it has none."""
    return find_lists(outline, [name]).get(name, [])


def find_lists(outline: Outline, names: Sequence[str]) -> dict[str, list[str]]:
    """The items of some fields that stand together."""
    return {name: found.texts for name, found in find_sections(outline, names).items()}


def find_sections(outline: Outline, names: Sequence[str]) -> dict[str, Items]:
    """Of each field, the best place: of two, the one that is closer to the fields before it."""
    page = _Page(outline)
    chosen: dict[str, Items] = {}
    for name in names:
        known, best = known_field(name), 0.0
        others = [each.units for each in chosen.values()]
        for found in (*_candidates(page, known), *_by_look(page, known, others)):
            if _in_sentences(known):
                found.texts = without_numbers(found.texts)
            if len(found.texts) < _FEWEST or any(_overlap(found.units, each) for each in others):
                continue
            score = _likely(found, known) * _together(found.units, others)
            if score > best:
                best, chosen[name] = score, found
    return chosen


def measured(items: Sequence[str]) -> float:
    """How far the items are quantities of something."""
    return sum(map(_quantity, items)) / len(items)


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


def _together(units: range, others: Sequence[range]) -> float:
    gaps = [max(units.start - each.stop, each.start - units.stop, 0) for each in others]
    return 1.0 + _COMPANY * math.exp(-min(gaps) / _NEAR) if gaps else 1.0


class _Page:
    """An outline, and which units are in which element."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        links = [each for each, tag in enumerate(outline.tags) if tag.name == "a"]
        inside = {inner for link in links for inner in range(link, outline.end[link])}
        self.linked = [owner in inside for owner in outline.owner]
        count = len(outline.tags)
        self.first, self.last = [len(outline.texts)] * count, [0] * count
        for unit, owner in enumerate(outline.owner):
            above = owner
            while above >= 0 and self.last[above] != unit + 1:
                self.first[above] = min(self.first[above], unit)
                self.last[above] = unit + 1
                above = outline.parent[above]

    def units(self, element: int) -> list[int]:
        """The texts in the element."""
        kinds = self.outline.attribute
        return [unit for unit in range(self.first[element], self.last[element]) if not kinds[unit]]

    def children(self, element: int) -> list[int]:
        parent = self.outline.parent
        return [each for each in range(element + 1, self.outline.end[element]) if parent[each] == element]

    def items(self, parts: Sequence[Sequence[int]], total: int, trust: float) -> Iterator[Items]:
        """What the units of each item say, when there are enough."""
        texts = self.outline.texts
        kept = [part for part in parts if part]
        if len(kept) < _FEWEST:
            return
        said = [" ".join([texts[unit] for unit in part])[:_LONGEST_ITEM] for part in kept]
        linked = sum(all(self.linked[unit] for unit in part) for part in kept) / len(kept)
        covers = min(1.0, sum(map(len, said)) / max(1, total))
        yield Items(said, range(kept[0][0], kept[-1][-1] + 1), linked, covers, trust)


def _candidates(page: _Page, known: Known) -> Iterator[Items]:
    """Lists of items at the places that are called like the field."""
    outline = page.outline
    alike: dict[int, list[int]] = {}
    named: list[int] = []
    for element, tag in enumerate(outline.tags):
        if page.last[element] and any(
            word in known.words or word.removesuffix("s") in known.words for word in tag.sort.words
        ):
            alike.setdefault(outline.path[element], []).append(element)
            named.append(element)
    for element in named[:_MOST_PLACES]:
        yield from _lists_in(page, [element], 1.0)
    for same in alike.values():
        if len(same) >= _FEWEST:
            yield from _lists_in(page, same, 1.0)
            yield from page.items([page.units(each) for each in same], 0, 1.0)
    for unit, text in enumerate(outline.texts):
        if len(text) <= _LONGEST_LABEL and not outline.attribute[unit] and _is_label(label_key(text), known):
            yield from _behind(page, unit)


def _by_look(page: _Page, known: Known, others: Sequence[range]) -> Iterator[Items]:
    """Places without a name: lists of quantities; and of sentences, what follows the field before them."""
    outline = page.outline
    if not _in_sentences(known):
        for element, tag in enumerate(outline.tags):
            if tag.name in ("ul", "table") and page.last[element]:
                for found in _lists_in(page, [element], BY_LOOK):
                    if measured(found.texts) >= _MEASURED:
                        yield found
    elif others:
        last = others[-1].stop - 1
        for element in _upwards(outline, outline.owner[last], _UPWARDS + 2):
            around = outline.parent[element]
            if around < 0 or outline.tags[around].name in ("body", "html"):
                return
            behind = [each for each in page.children(around) if each >= outline.end[element] and page.last[each]]
            yield from _lists_in(page, behind[:_BEHIND], BY_LOOK)


def _is_label(key: str, known: Known) -> bool:
    return key in known.labels or any(
        key.startswith(f"{label} ") or key.endswith(f" {label}") for label in known.labels
    )


def _level(page: _Page, element: int) -> int:
    """Of a heading, or of what is nothing but one."""
    for _ in range(3):
        level = _LEVELS.get(page.outline.tags[element].name)
        if level is not None:
            return level
        inner = page.children(element)
        if len(inner) != 1:
            break
        element = inner[0]
    return _UNNAMED


def _behind(page: _Page, unit: int) -> Iterator[Items]:
    """The lists in what follows the heading: beside it, or beside what it is in, up to the next heading like it."""
    outline = page.outline
    heading = outline.owner[unit]
    level = min((_LEVELS.get(outline.tags[each].name, _UNNAMED) for each in _upwards(outline, heading, 3)), default=8)
    for _ in range(_UPWARDS):
        around = outline.parent[heading]
        if around < 0 or outline.tags[around].name in ("body", "html"):
            return
        section: list[int] = []
        for element in page.children(around):
            if element < outline.end[heading] or not page.last[element]:
                continue
            if _level(page, element) <= min(level, 6):
                break
            section.append(element)
        lists = list(_lists_in(page, section, _SURE)) if section else []
        if lists:
            yield from lists
            return
        heading = around


def _upwards(outline: Outline, element: int, most: int) -> list[int]:
    found: list[int] = []
    while element >= 0 and len(found) < most:
        found.append(element)
        element = outline.parent[element]
    return found


def _lists_in(page: _Page, places: Sequence[int], trust: float) -> Iterator[Items]:
    """The ways to read items out of some elements: by each kind of item, by elements that are alike, by lines."""
    outline = page.outline
    inside = [each for place in places for each in range(place, outline.end[place]) if page.last[each]]
    total = sum(len(outline.texts[unit]) for place in places for unit in page.units(place)) or 1
    for kind, whole in _ITEMS.items():
        yield from page.items([page.units(each) for each in _leaves(outline, inside, kind)], total, trust * whole)
    alike: dict[int, list[int]] = {}
    for element in inside:
        if outline.tags[element].name in ("div", "span", "label", "article", "section"):
            alike.setdefault(outline.path[element], []).append(element)
    for same in alike.values():
        if len(same) >= _FEWEST and all(outline.end[a] <= b for a, b in pairwise(same)):
            yield from page.items([page.units(each) for each in same], total, trust * _ALIKE)
    for element in inside:
        lines = [unit for unit in page.units(element) if outline.owner[unit] == element]
        if len(lines) >= _FEWEST and outline.tags[element].name not in ("ul", "ol", "table", "tr", "dl"):
            yield from page.items([[unit] for unit in lines], total, trust * _LINES)


def _leaves(outline: Outline, inside: Sequence[int], kind: str) -> list[int]:
    """The elements of a kind that hold no other of it."""
    items = [each for each in inside if outline.tags[each].name == kind]
    following = [*items[1:], len(outline.tags)]
    return [a for a, b in zip(items, following, strict=False) if b >= outline.end[a]]


def _in_sentences(known: Known) -> bool:
    return known.kinds[:1] == ("text",)


def _likely(found: Items, known: Known) -> float:
    """How far the items look like the field: short with quantities, or sentences; more of them say more."""
    items = found.texts
    if _in_sentences(known):
        fitting = sum(len(item) >= _SENTENCE for item in items) / len(items)
        like = 0.5 + 0.5 * sum(item.endswith(_ENDS) for item in items) / len(items)
    else:
        fitting = sum(len(item) <= _SHORT and _has_word(item) for item in items) / len(items)
        like = 0.3 + measured(items)
    distinct = len(set(items)) / len(items)
    size = math.sqrt(min(len(items), _MANY))
    return fitting**2 * like * distinct * size * (1 - 0.9 * found.linked) * math.sqrt(found.covers) * found.trust


def _quantity(item: str) -> float:
    """1 for what begins with a number, less for what has one."""
    digits = [place for place, character in enumerate(item) if character.isnumeric()]
    return 0.0 if not digits else 1.0 if digits[0] <= _AT_ONCE else 0.5


def _has_word(item: str) -> bool:
    """Not a quantity alone."""
    return sum(map(str.isalpha, item)) >= _LETTERS
