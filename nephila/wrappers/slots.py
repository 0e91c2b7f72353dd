"""Pages of one template -> slots: the places whose content varies, each with rules of several families.

Text that most pages have in the same place is the template; short texts that many pages have, once each, may be labels;
the rest is data. Every key of every unit is a rule; rules that find the same units on the sample pages are one slot.
Linear in the units, and in columns of numbers till the keys that find nothing but the template are left out. Knows
outlines and addresses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain

import numpy as np

from nephila.wrappers.addresses import (
    AFTER,
    ALL,
    ANCHORED,
    BEFORE,
    CLASS,
    ID,
    LABEL,
    OUTER,
    PAGE,
    PATH,
    PROP,
    TAIL,
    Key,
    Keys,
)
from nephila.wrappers.outline import Numbers, Outline, Places
from nephila.wrappers.tags import FIRST, SECOND, SHIFT

TEMPLATE = 0.8
COMMON = 0.15
LONGEST_LABEL = 60
_SAME = 0.7
_PER_FAMILY = {LABEL: 2, CLASS: 2, ID: 2, AFTER: 2}
_LAST_NUMBER = 3
_FEWEST = 0.2
"""Of the pages, the share that a slot has to be on."""
_AT_ODDS = 0.1
_ELECTED = 0.3
_HELD = 0.8
"""A slot whose rules weigh less is a coincidence: half of the slots are, and no field that was looked at was in one."""
_MOST_FIXED = 400


@dataclass(slots=True)
class Slot:
    """One place of the template. `units` is what its rules agree on in the sample."""

    keys: list[Key]
    units: set[int]
    finds: dict[Key, Sequence[int]]
    """Of each key, its unit on each page that has one."""
    support: dict[Key, float] = field(default_factory=dict)

    @property
    def pages(self) -> set[int]:
        return {unit // PAGE for unit in self.units}

    def weight(self, key: Key) -> float:
        """The say of a key: as far as it agreed with the others, and as far as its like lasts."""
        return self.support[key] * trust(key)

    def chosen(self) -> dict[int, int]:
        """Page -> unit, the first where there are several."""
        found: dict[int, int] = {}
        for each in sorted(self.units):
            found.setdefault(each // PAGE, each % PAGE)
        return found


@dataclass(slots=True)
class Sample:
    """The pages that slots are induced from, with what repeats among them."""

    outlines: Sequence[Outline]
    template: set[tuple[int, str]]
    """Place and text of what nearly every page has."""
    labels: set[str]
    varies: list[list[bool]]
    """Of each unit of each page, whether it is none of the template."""

    def fixed(self) -> dict[str, int]:
        """Short texts of the template, and how often a page has each at least."""
        texts = {text for _, text in self.template if len(text) <= LONGEST_LABEL}
        counts = [Counter(text for text in outline.texts if text in texts) for outline in self.outlines]
        least = {text: min(count[text] for count in counts if count[text]) for text in sorted(texts)}
        return dict(list(least.items())[:_MOST_FIXED])


def survey(outlines: Sequence[Outline]) -> Sample:
    """Counts what repeats."""
    placed: Counter[tuple[int, str]] = Counter()
    texts: Counter[str] = Counter()
    once: Counter[str] = Counter()
    placed_texts = [
        [(outline.path[owner], text) for owner, text in zip(outline.owner, outline.texts, strict=True)]
        for outline in outlines
    ]
    for outline, here in zip(outlines, placed_texts, strict=True):
        placed.update(set(here))
        shown = Counter(text for text, kind in zip(outline.texts, outline.attribute, strict=True) if not kind)
        texts.update(shown.keys())
        once.update(text for text, count in shown.items() if count == 1)
    total = len(outlines)
    template = {key for key, count in placed.items() if count >= TEMPLATE * total and count > 1}
    labels = {
        text
        for text, count in texts.items()
        if count >= max(2, COMMON * total)
        and once[text] >= 0.6 * count
        and len(text) <= LONGEST_LABEL
        and any(character.isalpha() for character in text)
    }
    varies = [[each not in template for each in here] for here in placed_texts]
    return Sample(outlines, template, labels, varies)


def find_slots(sample: Sample) -> list[Slot]:
    """The slots, those on most pages first."""
    seed = max(2.0, _FEWEST * len(sample.outlines))
    slots = []
    for each in _merge(_rules(sample, seed), seed):
        keys = _diverse(each)
        if sum(map(trust, keys)) >= _HELD:  # more than that they cannot weigh
            slot = _settled(each, keys)
            if sum(slot.weight(key) for key in keys) >= _HELD:
                slots.append(slot)
    return slots


def _rules(sample: Sample, seed: float) -> list[tuple[list[int], list[Key]]]:
    """The keys that find something that varies, by the units that they find, those of most units first."""
    keys = Keys(sample.outlines, sample.labels)
    unit, hashes = keys.columns.unit, keys.hashes()
    order = np.argsort(hashes)
    begin = np.flatnonzero(np.append(True, np.diff(hashes[order]) != 0)[: len(order)])
    if not len(begin):
        return []
    size = np.diff(np.append(begin, len(order)))
    varies = np.array([flag for flags in sample.varies for flag in flags], dtype=np.int64)
    starts = np.cumsum([0, *map(len, sample.varies)])
    changing = np.add.reduceat(varies[starts[unit // PAGE] + unit % PAGE][order], begin)
    # Others cannot join a slot that is large enough.
    kept = (size >= max(2, _SAME * seed)) & (changing >= np.maximum(2, 0.3 * size))
    found = np.add.reduceat(_scattered(unit[order]), begin)
    turn = np.minimum.reduceat(keys.columns.turn[order], begin)
    rows = np.flatnonzero(kept)[np.argsort(turn[kept])]
    units, first, last = unit[order], begin[rows].tolist(), (begin + size)[rows].tolist()
    sets: dict[int, tuple[list[int], list[Key]]] = {}
    for name, key, start, stop in zip(found[rows].tolist(), keys.at(order[begin[rows]]), first, last, strict=True):
        if name not in sets:
            sets[name] = (sorted(units[start:stop].tolist()), [])
        sets[name][1].append(key)
    return sorted(sets.values(), key=lambda each: (-len(each[0]), -len(each[1])))


def _scattered(units: Places) -> Numbers:
    """Numbers whose sum tells one set of units from another."""
    numbers = (units.astype(np.uint64) + FIRST) * SECOND
    numbers = (numbers ^ (numbers >> SHIFT)) * FIRST
    return np.asarray(numbers ^ (numbers >> SHIFT))


def _merge(rules: Iterable[tuple[list[int], list[Key]]], seed: float) -> list[Slot]:
    slots: list[Slot] = []
    at: dict[int, list[int]] = {}
    for units, keys in rules:
        shared = Counter(chain.from_iterable([at[unit] for unit in units if unit in at]))
        best, best_share = -1, 0.0
        enough = _SAME * len(units)
        for slot, common in shared.items():
            if common >= enough:  # others have too little in common
                share = common / (len(units) + len(slots[slot].units) - common)
                if share > best_share:
                    best, best_share = slot, share
        if best_share >= _SAME and not (_anchored(keys) and _at_odds(units, slots[best])):
            slot_of = slots[best]
            slot_of.keys.extend(keys)
            slot_of.support.update(dict.fromkeys(keys, best_share))
            slot_of.finds.update(dict.fromkeys(keys, units))
        elif len(units) >= seed and (len(keys) > 1 or _lasting(keys[0])):
            for unit in units:
                at.setdefault(unit, []).append(len(slots))
            slots.append(Slot(list(keys), set(units), dict.fromkeys(keys, units), dict.fromkeys(keys, 1.0)))
    return slots


def _anchored(keys: Sequence[Key]) -> bool:
    return any(key[0] in ANCHORED for key in keys)


def _at_odds(units: Sequence[int], slot: Slot) -> bool:
    """Whether both find something on a page, and not the same: a label knows better than those that count."""
    pages = slot.pages
    both = sum(unit // PAGE in pages for unit in units)
    common = sum(unit in slot.units for unit in units)
    return both - common > _AT_ODDS * len(units)


def _lasting(key: Key) -> bool:
    """Whether a key says something by itself: the 17th of a class does not."""
    return key[0] in ANCHORED or abs(key[3]) <= _LAST_NUMBER


def _settled(slot: Slot, keys: list[Key]) -> Slot:
    """The slot with these keys, and the units that they elect, page by page, as they will when they are rules."""
    finds = {key: slot.finds[key] for key in keys}
    if min(slot.support[key] for key in keys) == 1.0:
        return Slot(keys, slot.units, finds, dict.fromkeys(keys, 1.0))
    pages: dict[int, dict[int, float]] = {}
    for key, units in finds.items():
        weight = slot.weight(key)
        for unit in units:
            tally = pages.setdefault(unit // PAGE, {})
            tally[unit] = tally.get(unit, 0.0) + weight
    total = sum(slot.weight(key) for key in keys)
    elected = {
        max(tally, key=lambda unit: (tally[unit], -unit))
        for tally in pages.values()
        if max(tally.values()) >= _ELECTED * total
    }
    support = {}
    for key, units in finds.items():
        common = sum(unit in elected for unit in units)
        support[key] = common / (len(elected) + len(units) - common)
    return Slot(keys, elected or slot.units, finds, support)


_TRUST = {LABEL: 1.0, PROP: 1.0, TAIL: 0.8, AFTER: 0.8, BEFORE: 0.6, CLASS: 0.9, ID: 0.9, OUTER: 0.7, PATH: 0.7}


def trust(key: Key) -> float:
    """How far a key of the family lasts, as simulated redesigns and pages with optional parts showed."""
    return _lasts(key[0], key[3])


@cache
def _lasts(family: str, number: int) -> float:
    # The families that count from the top or the bottom err together where a part before the value is optional.
    far = 1.0 if family in ANCHORED or abs(number) == 1 else 0.4 if abs(number) <= _LAST_NUMBER else 0.25
    if family in (AFTER, BEFORE) and number > 1:
        far = 0.75
    elif family == LABEL and number > 1:  # what is optional may stand between a label and the third value behind it
        far = 0.9 if number <= _LAST_NUMBER else 0.5
    return _TRUST.get(family, 0.6) * far


def _diverse(slot: Slot) -> list[Key]:
    """At most two rules a family, the best ones: a redesign that breaks one breaks its likes."""
    chosen: list[Key] = []
    families: Counter[str] = Counter()
    for key in sorted(slot.keys, key=lambda key: (-slot.support[key], key[3] < 0, abs(key[3]))):
        if families[key[0]] < _PER_FAMILY.get(key[0], 1):
            families[key[0]] += 1
            chosen.append(key)
    return chosen


def vote(slot_keys: Sequence[Key], index: dict[Key, int], weights: Sequence[float] | None = None) -> tuple[int, float]:
    """The unit that most rules find, and their share of the votes; -1 when none finds anything."""
    tally: dict[int, float] = {}
    total = 0.0
    for number, key in enumerate(slot_keys):
        weight = 1.0 if weights is None else weights[number]
        total += weight
        unit = index.get(key)
        if unit is not None:
            tally[unit] = tally.get(unit, 0.0) + weight
    if not tally:
        return -1, 0.0
    unit = max(tally, key=lambda each: (tally[each], -each))
    return unit, tally[unit] / total


__all__ = ["ALL", "Sample", "Slot", "find_slots", "survey", "vote"]
