"""Pages of one template -> slots: the places whose content varies, each with rules of several families.

Text that most pages have in the same place is the template; short texts that many pages have, once each, may be labels;
the rest is data. Every key of every unit is a rule; rules that find the same units on the sample pages are one slot.
Linear in the units. Knows outlines and addresses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nephila.wrappers.addresses import (
    AFTER,
    ALL,
    ANCHORED,
    BEFORE,
    CLASS,
    ID,
    LABEL,
    OUTER,
    PATH,
    PROP,
    TAIL,
    Key,
    page_keys,
)
from nephila.wrappers.outline import Outline

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
_PAGE = 1 << 20


@dataclass(slots=True)
class Slot:
    """One place of the template. `units` is what its rules agree on in the sample: page * 2**20 + unit."""

    keys: list[Key]
    units: set[int]
    support: dict[Key, float] = field(default_factory=dict)

    @property
    def pages(self) -> set[int]:
        return {unit // _PAGE for unit in self.units}

    def weight(self, key: Key) -> float:
        """The say of a key: as far as it agreed with the others, and as far as its like lasts."""
        return self.support[key] * trust(key)

    def chosen(self) -> dict[int, int]:
        """Page -> unit, the first where there are several."""
        found: dict[int, int] = {}
        for each in sorted(self.units):
            found.setdefault(each // _PAGE, each % _PAGE)
        return found


@dataclass(slots=True)
class Sample:
    """The pages that slots are induced from, with what repeats among them."""

    outlines: Sequence[Outline]
    template: set[tuple[int, str]]
    """Place and text of what nearly every page has."""
    labels: set[str]
    keys: list[dict[Key, int]]
    """Of each page, key -> unit."""

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
    for outline in outlines:
        path, owner = outline.path, outline.owner
        placed.update({(path[owner[unit]], text) for unit, text in enumerate(outline.texts)})
        here = Counter(text for unit, text in enumerate(outline.texts) if not outline.attribute[unit])
        texts.update(here.keys())
        once.update(text for text, count in here.items() if count == 1)
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
    return Sample(outlines, template, labels, [page_keys(outline, labels) for outline in outlines])


def find_slots(sample: Sample) -> list[Slot]:
    """The slots, those on most pages first."""
    where: dict[Key, list[int]] = {}
    variable: set[int] = set()
    for number, (outline, keys) in enumerate(zip(sample.outlines, sample.keys, strict=True)):
        base = number * _PAGE
        path, owner, template = outline.path, outline.owner, sample.template
        for unit, text in enumerate(outline.texts):
            if (path[owner[unit]], text) not in template:
                variable.add(base + unit)
        for key, unit in keys.items():
            if key in where:
                where[key].append(base + unit)
            else:
                where[key] = [base + unit]
    seed = max(2.0, _FEWEST * len(sample.outlines))
    sets: dict[tuple[int, ...], list[Key]] = {}
    for key, units in where.items():
        if len(units) >= _SAME * seed and len(units) > 1:  # others cannot join a slot that is large enough
            sets.setdefault(tuple(units), []).append(key)
    settled = (_settled(slot, where) for slot in _merge(sets, variable, seed))
    return [slot for slot in settled if sum(slot.weight(key) for key in slot.keys) >= _HELD]


def _merge(sets: dict[tuple[int, ...], list[Key]], variable: set[int], seed: float) -> list[Slot]:
    slots: list[Slot] = []
    at: dict[int, list[int]] = {}
    for units, keys in sorted(sets.items(), key=lambda item: (-len(item[0]), -len(item[1]))):
        changing = sum(unit in variable for unit in units)
        if changing < 2 or changing < 0.3 * len(units):
            continue
        shared: Counter[int] = Counter(slot for unit in units for slot in at.get(unit, ()))
        best, best_share = -1, 0.0
        for slot, common in shared.items():
            share = common / (len(units) + len(slots[slot].units) - common)
            if share > best_share:
                best, best_share = slot, share
        if best_share >= _SAME and not (_anchored(keys) and _at_odds(units, slots[best])):
            slot_of = slots[best]
            slot_of.keys.extend(keys)
            slot_of.support.update(dict.fromkeys(keys, best_share))
        elif len(units) >= seed and (len(keys) > 1 or _lasting(keys[0])):
            for unit in units:
                at.setdefault(unit, []).append(len(slots))
            slots.append(Slot(list(keys), set(units), dict.fromkeys(keys, 1.0)))
    return slots


def _anchored(keys: Sequence[Key]) -> bool:
    return any(key[0] in ANCHORED for key in keys)


def _at_odds(units: Sequence[int], slot: Slot) -> bool:
    """Whether both find something on a page, and not the same: a label knows better than those that count."""
    pages = slot.pages
    both = sum(unit // _PAGE in pages for unit in units)
    common = sum(unit in slot.units for unit in units)
    return both - common > _AT_ODDS * len(units)


def _lasting(key: Key) -> bool:
    """Whether a key says something by itself: the 17th of a class does not."""
    return key[0] in ANCHORED or abs(key[3]) <= _LAST_NUMBER


def _settled(slot: Slot, where: Mapping[Key, Sequence[int]]) -> Slot:
    """The slot with its best keys, and the units that these elect, page by page, as they will when they are rules."""
    keys = _diverse(slot)
    if min(slot.support[key] for key in keys) == 1.0:
        return Slot(keys, slot.units, dict.fromkeys(keys, 1.0))
    pages: dict[int, dict[int, float]] = {}
    for key in keys:
        weight = slot.weight(key)
        for unit in where[key]:
            tally = pages.setdefault(unit // _PAGE, {})
            tally[unit] = tally.get(unit, 0.0) + weight
    total = sum(slot.weight(key) for key in keys)
    elected = {
        max(tally, key=lambda unit: (tally[unit], -unit))
        for tally in pages.values()
        if max(tally.values()) >= _ELECTED * total
    }
    support = {}
    for key in keys:
        common = sum(unit in elected for unit in where[key])
        support[key] = common / (len(elected) + len(where[key]) - common)
    return Slot(keys, elected or slot.units, support)


_TRUST = {LABEL: 1.0, PROP: 1.0, TAIL: 0.8, AFTER: 0.8, BEFORE: 0.6, CLASS: 0.9, ID: 0.9, OUTER: 0.7, PATH: 0.7}


def trust(key: Key) -> float:
    """How far a key of the family lasts, as simulated redesigns and pages with optional parts showed."""
    family, _, _, number = key
    # The families that count from the top or the bottom err together where a part before the value is optional.
    far = 1.0 if family in ANCHORED or abs(number) == 1 else 0.4 if abs(number) <= _LAST_NUMBER else 0.25
    if family in (AFTER, BEFORE) and number > 1:
        far = 0.75
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
