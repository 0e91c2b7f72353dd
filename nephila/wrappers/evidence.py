"""What a slot shows of itself, whatever it is called: values, labels beside it, names in the markup, position.

Computed once for each slot of a sample; naming compares it with what is known of fields. Knows slots and shapes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from statistics import fmean, median
from typing import NamedTuple

from nephila.wrappers.addresses import LABEL, PAGE
from nephila.wrappers.outline import Outline
from nephila.wrappers.shapes import kind_of, label_key, outline_shape, shape_of
from nephila.wrappers.slots import Sample, Slot
from nephila.wrappers.surroundings import labels_around, words_beside
from nephila.wrappers.tags import Sort
from nephila.wrappers.tally import Tally, shares

_SIGNS = {
    "h1": {"h1"},
    "heading": {"h1", "h2", "h3", "h4", "h5", "h6"},
    "linked": {"a"},
    "bold": {"b", "strong", "th"},
    "head": {"head", "title", "meta"},
}
_LEVELS, _SIGN_LEVELS = 4, 5
"""How far up words in the markup count, and tags."""
_NEAR_HEADLINE = 12
_COMMON, _OFTEN = 0.15, 0.4
_WORDY = frozenset({"phrase", "name", "text", "code", "word"})
_NUMBER = re.compile(r"(\D*)(\d[\d.,]*)(.*)", re.DOTALL)
_LONGEST_COUNT = 40
_ALIKE = 0.7
_AROUND = 0.8
_BESIDE = 0.5
"""What a word of an icon or of a link counts, against one in the class of the element itself."""


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
    common, fixed = _common_texts(sample)
    pages = [_Page(outline, common, fixed) for outline in sample.outlines]
    looks: dict[int, _Look] = {}
    for slot in slots:
        for each in slot.units:
            if each not in looks:
                page, unit = divmod(each, PAGE)
                looks[each] = pages[page].look(unit)
    return [_of_slot(slot, looks, len(sample.outlines)) for slot in slots]


class _Look(NamedTuple):
    """What there is to see of one unit; several slots may ask."""

    value: str
    attribute: str
    length: float
    labels: list[tuple[str, float]]
    around: _Around
    beside: tuple[str, ...]
    flags: tuple[str, ...]
    repeats: int
    position: float


class _Around(NamedTuple):
    """What the tags around an element say of it."""

    signs: tuple[str, ...]
    words: tuple[tuple[str, float], ...]


class _Page:
    """What the evidence of all slots asks of one page."""

    def __init__(self, outline: Outline, common: set[str], fixed: set[str]) -> None:
        self.outline, self._common, self._fixed = outline, common, fixed
        self.title = " ".join(outline.title.lower().split())
        self.counts = Counter(outline.texts)
        h1 = [index for index, tag in enumerate(outline.tags) if tag.name == "h1"]
        first_h1 = h1[0] if h1 else -1
        self.h1_unit = next((unit for unit, owner in enumerate(outline.owner) if owner >= first_h1 >= 0), -1)

    def look(self, unit: int) -> _Look:
        outline = self.outline
        value = outline.texts[unit]
        return _Look(
            value=value,
            attribute=outline.attribute[unit],
            length=math.log1p(len(value)),
            labels=labels_around(outline, unit, self._common, self._fixed),
            around=_around(*self._tags_around(outline.owner[unit])),
            beside=words_beside(outline, unit),
            flags=tuple(self._flags(unit, value.lower())),
            repeats=min(3, self.counts[value] - 1),
            position=unit / max(1, len(outline.texts)),
        )

    def _tags_around(self, element: int) -> list[Sort]:
        """The closest first."""
        tags, parent = self.outline.tags, self.outline.parent
        found: list[Sort] = []
        while element >= 0 and len(found) < _SIGN_LEVELS:
            found.append(tags[element].sort)
            element = parent[element]
        return found

    def _flags(self, unit: int, low: str) -> Iterator[str]:
        if self.title and len(low) > 2 and low in self.title:
            yield "in_title"
            if self.title.startswith(low):
                yield "is_title"
        if self.h1_unit >= 0 and abs(unit - self.h1_unit) < _NEAR_HEADLINE:
            yield "first"


@lru_cache(maxsize=20_000)
def _around(*tags: Sort) -> _Around:
    """Pages of one template have the same tags around all their values."""
    names = {tag.name for tag in tags}
    weights: dict[str, float] = {}
    for level, tag in enumerate(tags[:_LEVELS]):
        for word in tag.words:
            weights.setdefault(word, 1.0 / (1 + level))
    return _Around(tuple(sign for sign, telling in _SIGNS.items() if names & telling), tuple(weights.items()))


def _common_texts(sample: Sample) -> tuple[set[str], set[str]]:
    """Texts that several pages have, which may be the label of what follows; and those that many have."""
    counts: Counter[str] = Counter()
    for outline in sample.outlines:
        counts.update({text for text in outline.texts if len(text) <= 60})
    least, often = (max(2, share * len(sample.outlines)) for share in (_COMMON, _OFTEN))
    common = {text for text, count in counts.items() if count >= least and any(c.isalpha() for c in text)}
    return common, {text for text in common if counts[text] >= often}


def _of_slot(slot: Slot, looks: Mapping[int, _Look], total: int) -> Evidence:
    seen = [looks[page * PAGE + unit] for page, unit in slot.chosen().items()]
    labels, markup, beside = Tally(), Tally(), Tally()
    for look in seen:
        for label, weight in look.labels:
            labels[label] = labels.get(label, 0.0) + weight
        for word, weight in look.around.words:
            markup[word] = markup.get(word, 0.0) + weight
        for word in look.beside:
            beside[word] = beside.get(word, 0.0) + _BESIDE
    markup.widen(beside)
    flags = Counter(flag for look in seen for flag in (*look.around.signs, *look.flags))
    values = [look.value for look in seen]
    count = len(values)
    lengths = [look.length for look in seen]
    length = fmean(lengths)
    prefix = _common_start(values) if count > 1 else ""
    prefix = prefix[: prefix.rfind(":") + 1]
    if prefix:
        labels[label_key(prefix)] += 0.8 * count
    kinds = shares(map(kind_of, bodies(values, prefix)))
    if max(kinds, key=kinds.__getitem__) in _WORDY:
        label, numbers = _counted(values)
        if label:
            labels[label] = max(labels.get(label, 0.0), _AROUND * count)
            kinds = shares(map(kind_of, numbers))
    return Evidence(
        values=values,
        coverage=count / total,
        labels=Tally({label: weight / count for label, weight in labels.items() if weight > 0.25 * count}),
        markup=Tally({word: weight / count for word, weight in markup.items() if weight > 0.2 * count}),
        kinds=kinds,
        length=length,
        spread=math.sqrt(fmean([(each - length) ** 2 for each in lengths])),
        distinct=len(set(values)) / count,
        in_title=flags["in_title"] / count,
        is_title=flags["is_title"] / count,
        heading=flags["heading"] / count,
        h1=flags["h1"] / count,
        linked=flags["linked"] / count,
        position=median([look.position for look in seen]),
        first=flags["first"] / count,
        head=flags["head"] / count,
        bold=flags["bold"] / count,
        repeats=sum(look.repeats for look in seen) / count,
        firmness=fmean(slot.support[key] for key in slot.keys),
        rules=min(1.0, len(slot.keys) / 16),
        labelled=float(any(key[0] == LABEL for key in slot.keys)),
        purity=max(kinds.values()),
        prefix=prefix,
        attribute=seen[0].attribute,
    )


def _counted(values: list[str]) -> tuple[str, list[str]]:
    """What is written around the number of nearly all values alike, and the numbers: `12 reviews`, `4.5 out of 5`."""
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
