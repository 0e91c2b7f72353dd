"""What a slot shows of itself, whatever it is called: values, labels beside it, names in the markup, position.

Computed once for each slot of a sample; naming compares it with what is known of fields. Knows slots and shapes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nephila.wrappers.addresses import LABEL, PAGE
from nephila.wrappers.outline import Outline
from nephila.wrappers.shapes import kind_of, label_key, outline_shape, shape_of
from nephila.wrappers.slots import Sample, Slot
from nephila.wrappers.surroundings import Surroundings
from nephila.wrappers.tags import Sort
from nephila.wrappers.tally import Tally, shares

_SIGNS = {
    "h1": {"h1"},
    "heading": {"h1", "h2", "h3", "h4", "h5", "h6"},
    "linked": {"a"},
    "bold": {"b", "strong", "th"},
    "head": {"head", "title", "meta"},
}
_NUMBERS = ("length", "position", "repeats", "in_title", "is_title", "first", *_SIGNS, "spread")
_LENGTH, _POSITION = 0, 1
_LEVELS, _SIGN_LEVELS = 4, 5
"""How far up words in the markup count, and tags."""
_NEAR_HEADLINE = 12
_COMMON, _OFTEN = 0.15, 0.4
_WORDY = frozenset({"phrase", "name", "text", "code", "word"})
_NUMBER = re.compile(r"(\D*)(\d[\d.,]*)(.*)", re.DOTALL)
_DIGIT = re.compile(r"\d")
_LONGEST_COUNT = 40
_ALIKE = 0.7
_AROUND = 0.8
_BESIDE = 0.5
"""What a word of an icon or of a link counts, against one in the class of the element itself."""


Floats = NDArray[np.float64]


@dataclass
class Evidence:
    """One slot, as naming sees it."""

    values: list[str]
    """One a sample page that has it."""
    coverage: float
    labels: Tally
    """Keys of the labels before it, with the share of pages that have each; the closest counts most."""
    markup: Tally
    """Words in classes, ids, itemprops around it, by closeness."""
    kinds: Tally
    length: float
    """Mean logarithm of the number of characters."""
    spread: float
    distinct: float
    in_title: float
    is_title: float
    heading: float
    h1: float
    linked: float
    position: float
    first: float
    head: float
    bold: float
    repeats: float
    firmness: float
    """How far its rules find the same units, 0 to 1."""
    rules: float
    labelled: float
    """Whether a label's rule is among them."""
    purity: float
    """Share of the most frequent kind of value."""
    prefix: str
    """What all values begin with, such as `ISBN: `."""
    attribute: str

    @cached_property
    def shapes(self) -> Tally:
        """Asked of the few slots that naming looks at."""
        return shares(map(shape_of, self._bodies))

    @cached_property
    def outlines(self) -> Tally:
        return shares(map(outline_shape, self._bodies))

    @property
    def _bodies(self) -> list[str]:
        return bodies(self.values, self.prefix)


def bodies(values: list[str], prefix: str) -> list[str]:
    """The values without what all of them begin with."""
    return [value[len(prefix) :] for value in values] if prefix else values


def gather(sample: Sample, slots: Sequence[Slot]) -> list[Evidence]:
    """The evidence of each slot."""
    if not slots:
        return []
    looks = _Looks(sample)
    rows = [[looks.row(page, unit) for page, unit in slot.chosen().items()] for slot in slots]
    numbers = _averages(looks, rows)
    total = len(sample.outlines)
    return [
        _of_slot(slot, [looks.seen[row] for row in own], dict(zip(_NUMBERS, means, strict=True)), total)
        for slot, own, means in zip(slots, rows, numbers.tolist(), strict=True)
    ]


class _Look(NamedTuple):
    """What there is to see of one unit, beside numbers; several slots may ask."""

    value: str
    attribute: str
    labels: list[tuple[str, float]]
    around: _Around
    beside: tuple[str, ...]


class _Around:
    """What the tags around an element say of it. One object for the same tags, so that it can be counted by itself."""

    __slots__ = ("signs", "words")

    def __init__(self, tags: Sequence[Sort]) -> None:
        names = {tag.name for tag in tags}
        weights: dict[str, float] = {}
        for level, tag in enumerate(tags[:_LEVELS]):
            for word in tag.words:
                weights.setdefault(word, 1.0 / (1 + level))
        self.words = tuple(weights.items())
        self.signs = tuple(float(not names.isdisjoint(telling)) for telling in _SIGNS.values())


@lru_cache(maxsize=20_000)
def _around(*tags: Sort) -> _Around:
    """Pages of one template have the same tags around all their values."""
    return _Around(tags)


class _Looks:
    """The units that slots hold, each looked at once."""

    def __init__(self, sample: Sample) -> None:
        common, fixed = _common_texts(sample)
        self._pages = [_Page(outline, common, fixed) for outline in sample.outlines]
        self._rows: dict[int, int] = {}
        self.seen: list[_Look] = []
        self.numbers: list[tuple[float, ...]] = []
        """In the order of `_NUMBERS`, but for the spread."""

    def row(self, page: int, unit: int) -> int:
        found = self._rows.get(page * PAGE + unit)
        if found is None:
            found = self._rows[page * PAGE + unit] = len(self.seen)
            look, numbers = self._pages[page].look(unit)
            self.seen.append(look)
            self.numbers.append(numbers)
        return found


def _averages(looks: _Looks, rows: Sequence[Sequence[int]]) -> Floats:
    """Of each slot, its `_NUMBERS`: the means of what its units have; of the position, the one in the middle."""
    every = np.array(looks.numbers)
    sizes = np.array([len(own) for own in rows])
    begin = np.cumsum(sizes) - sizes
    flat = np.array([row for own in rows for row in own])
    sums = np.add.reduceat(every[flat], begin, axis=0) / sizes[:, None]
    length = every[flat, _LENGTH]
    spread = np.sqrt(np.add.reduceat((length - np.repeat(sums[:, _LENGTH], sizes)) ** 2, begin) / sizes)
    place = every[flat, _POSITION]
    ordered = place[np.lexsort((place, np.repeat(np.arange(len(rows)), sizes)))]
    sums[:, _POSITION] = (ordered[begin + (sizes - 1) // 2] + ordered[begin + sizes // 2]) / 2
    return np.column_stack([sums, spread])


class _Page:
    """What the evidence of all slots asks of one page."""

    def __init__(self, outline: Outline, common: set[str], fixed: set[str]) -> None:
        self.outline = outline
        self._surroundings = Surroundings(outline, common, fixed)
        self._chains: dict[int, tuple[Sort, ...]] = {-1: ()}
        self.title = " ".join(outline.title.lower().split())
        self.counts = Counter(outline.texts)
        h1 = [index for index, tag in enumerate(outline.tags) if tag.name == "h1"]
        first_h1 = h1[0] if h1 else -1
        self.h1_unit = next((unit for unit, owner in enumerate(outline.owner) if owner >= first_h1 >= 0), -1)

    def look(self, unit: int) -> tuple[_Look, tuple[float, ...]]:
        outline, around = self.outline, _around(*self._tags_around(self.outline.owner[unit]))
        value = outline.texts[unit]
        seen = _Look(
            value, outline.attribute[unit], self._surroundings.labels(unit), around, self._surroundings.words(unit)
        )
        numbers = (
            math.log1p(len(value)),
            unit / len(outline.texts),
            min(3, self.counts[value] - 1),
            *self._flags(unit, value.lower()),
            *around.signs,
        )
        return seen, numbers

    def _tags_around(self, element: int) -> tuple[Sort, ...]:
        """The closest first. What is around an element is around many."""
        found = self._chains.get(element)
        if found is None:
            above = self._tags_around(self.outline.parent[element])
            found = self._chains[element] = (self.outline.tags[element].sort, *above[: _SIGN_LEVELS - 1])
        return found

    def _flags(self, unit: int, low: str) -> tuple[bool, bool, bool]:
        """Whether it is in the title, at its begin, and near the headline."""
        in_title = bool(self.title) and len(low) > 2 and low in self.title
        near = self.h1_unit >= 0 and abs(unit - self.h1_unit) < _NEAR_HEADLINE
        return in_title, in_title and self.title.startswith(low), near


def _common_texts(sample: Sample) -> tuple[set[str], set[str]]:
    """Texts that several pages have, which may be the label of what follows; and those that many have."""
    counts: Counter[str] = Counter()
    for outline in sample.outlines:
        counts.update({text for text in outline.texts if len(text) <= 60})
    least, often = (max(2, share * len(sample.outlines)) for share in (_COMMON, _OFTEN))
    common = {text for text, count in counts.items() if count >= least and any(c.isalpha() for c in text)}
    return common, {text for text in common if counts[text] >= often}


def _of_slot(slot: Slot, seen: Sequence[_Look], numbers: dict[str, float], total: int) -> Evidence:
    values = [look.value for look in seen]
    count = len(values)
    labels = Tally()
    for look in seen:
        for label, weight in look.labels:
            labels[label] = labels.get(label, 0.0) + weight
    prefix = _common_start(values) if count > 1 else ""
    prefix = prefix[: prefix.rfind(":") + 1]
    if prefix:
        labels[label_key(prefix)] += _AROUND * count
    kinds = shares(map(kind_of, bodies(values, prefix)))
    if max(kinds, key=kinds.__getitem__) in _WORDY:
        label, counted = _counted(values)
        if label:
            labels[label] = max(labels.get(label, 0.0), _AROUND * count)
            kinds = shares(map(kind_of, counted))
    return Evidence(
        values=values,
        coverage=count / total,
        labels=Tally({label: weight / count for label, weight in labels.items() if weight > 0.25 * count}),
        markup=_words(seen),
        kinds=kinds,
        distinct=len(set(values)) / count,
        firmness=fmean([slot.support[key] for key in slot.keys]),
        rules=min(1.0, len(slot.keys) / 16),
        labelled=float(any(key[0] == LABEL for key in slot.keys)),
        purity=max(kinds.values()),
        prefix=prefix,
        attribute=seen[0].attribute,
        **numbers,
    )


def _words(seen: Sequence[_Look]) -> Tally:
    """The words of the markup, and those beside, with the part of the units that have each."""
    count = len(seen)
    markup, beside = Tally(), Tally()
    for around, times in Counter([look.around for look in seen]).items():
        for word, weight in around.words:
            markup[word] = markup.get(word, 0.0) + weight * times
    for words, times in Counter([look.beside for look in seen if look.beside]).items():
        for word in words:
            beside[word] = beside.get(word, 0.0) + _BESIDE * times
    if beside:
        markup.widen(beside)
    return Tally({word: weight / count for word, weight in markup.items() if weight > 0.2 * count})


def _counted(values: list[str]) -> tuple[str, list[str]]:
    """What is written around the number of nearly all values alike, and the numbers: `12 reviews`, `4.5 out of 5`."""
    if not _DIGIT.search(values[0]) and not _DIGIT.search(values[-1]):
        return "", []
    matches = [match for value in values if len(value) <= _LONGEST_COUNT and (match := _NUMBER.match(value))]
    if len(matches) < max(3, _ALIKE * len(values)):
        return "", []
    (before, after), count = Counter((match[1], match[3]) for match in matches).most_common(1)[0]
    label = label_key(f"{before} {after}")
    if count < _ALIKE * len(values) or sum(map(str.isalpha, label)) < 3:
        return "", []
    return label, [match[2] for match in matches]


def _common_start(values: list[str]) -> str:
    first, last = min(values), max(values)
    length = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:length]
