"""What a slot shows of itself, whatever it is called: values, labels beside it, names in the markup, position.

Computed once for each slot of a sample; naming compares it with what is known of fields. Knows slots and shapes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from nephila.wrappers.addresses import LABEL
from nephila.wrappers.outline import Outline
from nephila.wrappers.shapes import kind_of, label_key, outline_shape, shape_of, words_of
from nephila.wrappers.slots import Sample, Slot
from nephila.wrappers.tally import Tally, shares

_SIGNS = {
    "h1": {"h1"},
    "heading": {"h1", "h2", "h3", "h4", "h5", "h6"},
    "linked": {"a"},
    "bold": {"b", "strong", "th"},
    "head": {"head", "title", "meta"},
}
_LEVELS = 4


@dataclass(slots=True)
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
    shapes: Tally
    outlines: Tally
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


def gather(sample: Sample, slots: Sequence[Slot]) -> list[Evidence]:
    """The evidence of each slot."""
    pages = [_Page(outline) for outline in sample.outlines]
    labels = _common_texts(sample)
    return [_of_slot(slot, pages, labels, len(sample.outlines)) for slot in slots]


class _Page:
    """What the evidence of all slots asks of one page."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.title = " ".join(outline.title.lower().split())
        self.counts = Counter(outline.texts)
        self.markup: dict[int, tuple[tuple[str, float], ...]] = {}
        self.around: dict[int, tuple[str, ...]] = {}
        self.labels: dict[int, list[tuple[str, float]]] = {}
        h1 = [index for index, tag in enumerate(outline.tags) if tag.name == "h1"]
        first_h1 = h1[0] if h1 else -1
        self.h1_unit = next((unit for unit, owner in enumerate(outline.owner) if owner >= first_h1 >= 0), -1)

    def ancestors(self, element: int, levels: int) -> list[int]:
        found: list[int] = []
        while element >= 0 and len(found) < levels:
            found.append(element)
            element = self.outline.parent[element]
        return found

    def signs(self, element: int) -> tuple[str, ...]:
        """What the tags around say of it."""
        known = self.around.get(element)
        if known is None:
            names = {self.outline.tags[each].name for each in self.ancestors(element, 5)}
            known = self.around[element] = tuple(sign for sign, telling in _SIGNS.items() if names & telling)
        return known

    def labels_before(self, unit: int, common: set[str]) -> list[tuple[str, float]]:
        known = self.labels.get(unit)
        if known is None:
            known = self.labels[unit] = _labels_before(self.outline, unit, common)
        return known

    def markup_words(self, element: int) -> tuple[tuple[str, float], ...]:
        known = self.markup.get(element)
        if known is None:
            weights: dict[str, float] = {}
            for level, each in enumerate(self.ancestors(element, _LEVELS)):
                tag = self.outline.tags[each]
                written = f"{tag.mark} {tag.ident} {tag.prop} {tag.attributes.get('data-testid', '')}"
                for word in words_of(written):
                    if len(word) > 1 and not word.isdigit():
                        weights[word] = max(weights.get(word, 0.0), 1.0 / (1 + level))
            known = self.markup[element] = tuple(weights.items())
        return known


def _common_texts(sample: Sample) -> set[str]:
    """Texts that several pages have: what may stand before a value as its label."""
    counts: Counter[str] = Counter()
    for outline in sample.outlines:
        counts.update({text for text in outline.texts if len(text) <= 60})
    least = max(2, 0.15 * len(sample.outlines))
    return {text for text, count in counts.items() if count >= least and any(c.isalpha() for c in text)}


def _of_slot(slot: Slot, pages: list[_Page], common: set[str], total: int) -> Evidence:
    chosen = slot.chosen()
    values, labels, markup = [], Tally(), Tally()
    flags = Tally()
    position, lengths = [], []
    for number, unit in chosen.items():
        page = pages[number]
        outline = page.outline
        value, element = outline.texts[unit], outline.owner[unit]
        values.append(value)
        lengths.append(math.log1p(len(value)))
        for label, weight in page.labels_before(unit, common):
            labels[label] += weight
        for word, weight in page.markup_words(element):
            markup[word] += weight
        _flag(flags, page, unit, element, value)
        position.append(unit / max(1, len(outline.texts)))
    count = len(values)
    prefix = _common_start(values) if count > 1 else ""
    prefix = prefix[: prefix.rfind(":") + 1]
    if prefix:
        labels[label_key(prefix)] += 0.8 * count
    bodies = [value[len(prefix) :] for value in values] if prefix else values
    kinds = shares(kind_of(body) for body in bodies)
    return Evidence(
        values=values,
        coverage=count / total,
        labels=Tally({label: weight / count for label, weight in labels.items() if weight > 0.25 * count}),
        markup=Tally({word: weight / count for word, weight in markup.items() if weight > 0.2 * count}),
        kinds=kinds,
        shapes=shares(shape_of(body) for body in bodies),
        outlines=shares(outline_shape(body) for body in bodies),
        length=fmean(lengths),
        spread=math.sqrt(fmean([(each - fmean(lengths)) ** 2 for each in lengths])),
        distinct=len(set(values)) / count,
        in_title=flags["in_title"] / count,
        is_title=flags["is_title"] / count,
        heading=flags["heading"] / count,
        h1=flags["h1"] / count,
        linked=flags["linked"] / count,
        position=median(position),
        first=flags["first"] / count,
        head=flags["head"] / count,
        bold=flags["bold"] / count,
        repeats=flags["repeats"] / count,
        firmness=fmean(slot.support[key] for key in slot.keys),
        rules=min(1.0, len(slot.keys) / 16),
        labelled=float(any(key[0] == LABEL for key in slot.keys)),
        purity=max(kinds.values()),
        prefix=prefix,
        attribute=pages[next(iter(chosen))].outline.attribute[next(iter(chosen.values()))],
    )


def _common_start(values: list[str]) -> str:
    first, last = min(values), max(values)
    length = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:length]


def _flag(flags: Tally, page: _Page, unit: int, element: int, value: str) -> None:
    low = value.lower()
    if page.title and len(low) > 2 and low in page.title:
        flags["in_title"] += 1
        if page.title.startswith(low):
            flags["is_title"] += 1
    for sign in page.signs(element):
        flags[sign] += 1
    flags["repeats"] += min(3, page.counts[value] - 1)
    if page.h1_unit >= 0:
        flags["first"] += abs(unit - page.h1_unit) < 12


def _labels_before(outline: Outline, unit: int, common: set[str]) -> list[tuple[str, float]]:
    """The closest common texts before the unit; the one just before it counts fully."""
    found: list[tuple[str, float]] = []
    weight = 1.0
    for back in range(unit - 1, max(-1, unit - 8), -1):
        if outline.attribute[back]:
            continue
        text = outline.texts[back]
        if text in common and len(text) > 1:
            key = label_key(text)
            if key:
                found.append((key, weight))
                weight *= 0.4
                if len(found) == 2:
                    break
        else:
            weight *= 0.7
    return found
