"""The prior database: what is known of fields from sites seen before, and from what Nephila ships.

A field's profile says how sites label it, what they call it in their markup, what its values look like and which values
it had, and where it stands on a page. Every site whose fields were accepted adds to it. Knows evidence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nephila.wrappers.evidence import Evidence
from nephila.wrappers.shapes import words_of
from nephila.wrappers.tally import Tally

NUMBERS = (
    "length",
    "spread",
    "distinct",
    "in_title",
    "is_title",
    "heading",
    "h1",
    "linked",
    "position",
    "first",
    "head",
    "bold",
    "repeats",
    "coverage",
)
"""The parts of the evidence that are numbers, as a profile averages them."""
_MOST_VALUES = 5_000


@dataclass(slots=True)
class Profile:
    """What is known of one field."""

    name: str
    sites: float = 0.0
    labels: Tally = field(default_factory=Tally)
    """Key of a label -> sites that had it (a share where some pages had it)."""
    words: Tally = field(default_factory=Tally)
    """Words of the labels."""
    markup: Tally = field(default_factory=Tally)
    kinds: Tally = field(default_factory=Tally)
    shapes: Tally = field(default_factory=Tally)
    outlines: Tally = field(default_factory=Tally)
    values: Tally = field(default_factory=Tally)
    value_words: Tally = field(default_factory=Tally)
    numbers: list[float] = field(default_factory=lambda: [0.0] * len(NUMBERS))

    def add(self, slots: list[Evidence], values: set[str]) -> None:
        """One more site: the slots that hold the field there, the best first, and the values that were found."""
        self.sites += 1
        share = 1 / len(slots)
        labels = Tally()
        markup = Tally()
        for slot in slots:
            labels.widen(slot.labels)
            markup.widen(slot.markup)
            for own, theirs in ((self.kinds, slot.kinds), (self.shapes, slot.shapes), (self.outlines, slot.outlines)):
                own.add(theirs, share)
            for index, name in enumerate(NUMBERS):
                self.numbers[index] += getattr(slot, name) * share
        for label, part in labels.items():
            self.labels[label] += min(part, 1.0)
        words = Tally()
        for label, part in labels.items():
            for word in label.split():
                words[word] = max(words[word], min(part, 1.0))
        self.words.add(words)
        self.markup.add(markup)
        for value in sorted(values)[: _MOST_VALUES - len(self.values)]:
            self.values[value.lower()] += 1
        self.value_words.add(dict.fromkeys({word for value in values for word in words_of(value)}, 1.0))

    def merge(self, other: Profile, most_values: int = _MOST_VALUES) -> None:
        """Adds what another profile of the field knows."""
        self.sites += other.sites
        for name in ("labels", "words", "markup", "kinds", "shapes", "outlines", "value_words"):
            getattr(self, name).add(getattr(other, name))
        for value, count in list(other.values.items())[: max(0, most_values - len(self.values))]:
            self.values[value] += count
        self.numbers = [mine + theirs for mine, theirs in zip(self.numbers, other.numbers, strict=True)]

    def to_dict(self, *, with_values: bool = True) -> dict[str, Any]:
        """For storing; without the values, when they may not be passed on."""
        data = {name: getattr(self, name) for name in self.__slots__}
        if not with_values:
            data["values"] = {}
            data["value_words"] = {}
        return {name: dict(part) if isinstance(part, Tally) else part for name, part in data.items()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Profile:
        known: dict[str, Any] = {name: part for name, part in data.items() if name in cls.__slots__}
        for name, part in known.items():
            if isinstance(part, dict):
                known[name] = Tally(part)
        return cls(**known)
