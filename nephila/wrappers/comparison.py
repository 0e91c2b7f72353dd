"""How well a slot fits a field: the numbers that the naming model weighs. Knows evidence and profiles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nephila.wrappers.evidence import Evidence
from nephila.wrappers.lexicon import Known
from nephila.wrappers.prior import NUMBERS, Profile
from nephila.wrappers.shapes import words_of

Floats = NDArray[np.float64]

_SIMILARITIES = (
    "label",
    "label words",
    "name in label",
    "name in markup",
    "markup",
    "values",
    "value words",
    "kinds",
    "shapes",
    "outlines",
)
_OWN = (
    "coverage",
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
    "length",
    "repeats",
    "firmness",
    "rules",
    "labelled",
    "purity",
)
FEATURES: tuple[str, ...] = (
    *_SIMILARITIES,
    *(f"best {name}" for name in _SIMILARITIES),
    *(f"off {name}" for name in NUMBERS),
    *(f"own {name}" for name in _OWN),
    "attribute",
    "has label",
    "headline",
    "known kind",
    "prior sites",
    "labelled prior",
    "constant prior",
)


class Rarity:
    """How much a word says: rare among the slots of a site, it says more. And the numbers that any field asks for."""

    def __init__(self, slots: Sequence[Evidence]) -> None:
        self.numbers = np.array([[getattr(slot, name) for name in NUMBERS] for slot in slots]).reshape(-1, len(NUMBERS))
        self.own = np.array([[getattr(slot, name) for name in _OWN] for slot in slots]).reshape(-1, len(_OWN))
        self._total = len(slots) + 1
        self._markup = Counter(word for slot in slots for word in slot.markup)
        self._labels = Counter(word for slot in slots for label in slot.labels for word in set(label.split()))

    def markup(self, word: str) -> float:
        return math.log(self._total / (1 + self._markup[word])) if self._markup[word] < self._total else 0.0

    def label(self, word: str) -> float:
        return math.log(self._total / (1 + self._labels[word])) if self._labels[word] < self._total else 0.0


def compare(slots: Sequence[Evidence], profile: Profile, known: Known, rarity: Rarity) -> Floats:
    """A row for each slot."""
    similar = np.array([_similarities(slot, profile, known, rarity) for slot in slots]).reshape(-1, len(_SIMILARITIES))
    best = similar.max(axis=0, initial=1e-6)
    sites = max(profile.sites, 1.0)
    numbers = rarity.numbers
    usual = np.array(profile.numbers) / sites
    off = np.abs(numbers - usual) if profile.sites else np.zeros_like(numbers)
    labelled = min(1.0, max(profile.labels.values(), default=0.0) / sites)
    constant = max(profile.kinds.values(), default=0.0) / sites
    rest = np.array(
        [
            [
                float(bool(slot.attribute)),
                float(bool(slot.labels)),
                float(known.headline),
                _kind(slot, known),
                min(sites, 8.0) if profile.sites else 0.0,
                labelled,
                constant,
            ]
            for slot in slots
        ]
    ).reshape(-1, 7)
    return np.hstack([similar, similar / best * (similar > 0), off, rarity.own, rest])


def _similarities(slot: Evidence, profile: Profile, known: Known, rarity: Rarity) -> list[float]:
    sites = max(profile.sites, 1.0)
    return [
        max((min(part, 1.0) * profile.labels[label] / sites for label, part in slot.labels.items()), default=0.0),
        max((part * _label_words(label, profile, rarity) for label, part in slot.labels.items()), default=0.0),
        max((part * _synonym(label, known) for label, part in slot.labels.items()), default=0.0),
        max((part for word, part in slot.markup.items() if word in known.words), default=0.0),
        _cosine(slot.markup, profile.markup, rarity),
        _known_values(slot, profile),
        _known_words(slot, profile),
        _common(slot.kinds, profile.kinds, sites),
        _common(slot.shapes, profile.shapes, sites),
        _common(slot.outlines, profile.outlines, sites),
    ]


def likeness(slot: Evidence, known: Known) -> tuple[float, float]:
    """How far the labels before a slot, and the words in its markup, are those of the field."""
    return (
        max((min(part, 1.0) * _synonym(label, known) for label, part in slot.labels.items()), default=0.0),
        max((part for word, part in slot.markup.items() if word in known.words), default=0.0),
    )


def _kind(slot: Evidence, known: Known) -> float:
    """The share of values whose kind is one that the field is known for; the first kind counts most."""
    return sum(slot.kinds[kind] / (1 + 0.3 * rank) for rank, kind in enumerate(known.kinds))


def _label_words(label: str, profile: Profile, rarity: Rarity) -> float:
    words = label.split()
    if profile.words.keys().isdisjoint(words):
        return 0.0
    total = sum(1 + rarity.label(word) for word in words)
    return sum((1 + rarity.label(word)) * min(1.0, profile.words[word] / max(profile.sites, 1.0)) for word in words) / (
        total or 1.0
    )


def _synonym(label: str, known: Known) -> float:
    """Whether the label is one of the field's, or has such a word in it; more words say something else as well."""
    if label in known.labels:
        return 1.0
    words = label.split()
    inside = max(
        (len(each.split()) for each in known.labels if each in label and f" {each} " in f" {label} "), default=0
    )
    return 0.7 * inside / len(words) if words else 0.0


def _cosine(slot: Mapping[str, float], profile: Mapping[str, float], rarity: Rarity) -> float:
    if not slot or not profile:
        return 0.0
    common = sum(part * profile[word] * rarity.markup(word) for word, part in slot.items() if word in profile)
    if not common:
        return 0.0
    mine = math.sqrt(sum(part * part * rarity.markup(word) for word, part in slot.items()))
    theirs = math.sqrt(sum(part * part * max(rarity.markup(word), 0.5) for word, part in profile.items()))
    return common / (mine * theirs) if mine and theirs else 0.0


def _known_values(slot: Evidence, profile: Profile) -> float:
    if not profile.values:
        return 0.0
    return sum(value.lower() in profile.values for value in slot.values) / len(slot.values)


def _known_words(slot: Evidence, profile: Profile) -> float:
    if not profile.value_words:
        return 0.0
    total = 0.0
    for value in slot.values:
        words = words_of(value)[:12]
        total += sum(word in profile.value_words for word in words) / len(words) if words else 0.0
    return total / len(slot.values)


def _common(slot: Mapping[str, float], profile: Mapping[str, float], sites: float) -> float:
    return sum(min(part, profile[item] / sites) for item, part in slot.items() if item in profile) if profile else 0.0
