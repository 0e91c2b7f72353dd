"""Which slot is which field: a first look at each slot alone, a second one at where the others ended up.

The model weighs how well a slot fits a field in each channel (`comparison`): a logistic regression and boosted trees,
averaged. It knows channels, not fields, so that one model serves every vertical; what a field is, its profile says.
The second look adds the company: fields of one record stand close together. Slots are not forced to be of one field.
Knows evidence, profiles and numbers.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nephila.content.trees.forest import FEATURE, THRESHOLD, VALUE, Forest
from nephila.wrappers.comparison import Floats, Rarity, compare
from nephila.wrappers.evidence import Evidence
from nephila.wrappers.lexicon import Known
from nephila.wrappers.prior import Profile
from nephila.wrappers.slots import Slot

WEIGHTS = Path(__file__).parent / "weights" / "naming.npz"
MOST_CANDIDATES = 300
FAR = 300.0
"""Units between two slots that are never on one page."""


Looks = Mapping[str, tuple[Floats, Floats]]
"""Field -> features and probability of each slot."""


class Scorer:
    """One look: features in, probabilities out."""

    def __init__(self, weights: Mapping[str, NDArray[np.generic]], prefix: str) -> None:
        self._mean, self._scale, self._linear = (
            np.asarray(weights[f"{prefix}.{name}"], np.float64) for name in ("mean", "scale", "linear")
        )
        forest = Forest.from_weights({name: weights[f"{prefix}.{name}"] for name in (FEATURE, THRESHOLD, VALUE)})
        if forest is None:
            raise ValueError(f"no trees in the weights of {prefix}")
        self._forest = forest

    def __call__(self, rows: Floats) -> Floats:
        if not len(rows):
            return np.zeros(0)
        scores = ((rows - self._mean) / self._scale) @ self._linear[1:] + self._linear[0]
        linear = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
        return np.asarray((linear + self._forest.probabilities(rows.astype(np.float32))) / 2, np.float64)


class Namer:
    """Both looks."""

    def __init__(self, weights: Mapping[str, NDArray[np.generic]]) -> None:
        self._first, self._second = Scorer(weights, "first"), Scorer(weights, "second")

    def name(self, candidates: Candidates, fields: Sequence[tuple[Known, Profile]]) -> dict[str, Floats]:
        """Of each field, the probability of each slot to be it, seen in the company of the others."""
        return self.together(candidates, self.look(candidates, fields))

    def look(self, candidates: Candidates, fields: Sequence[tuple[Known, Profile]]) -> Looks:
        """The first look: each field alone."""
        return {name: (rows, self._first(rows)) for name, rows in first_rows(candidates, fields).items()}

    def together(self, candidates: Candidates, looks: Looks) -> dict[str, Floats]:
        """The second."""
        rows = {name: each for name, (each, _) in looks.items()}
        first = {name: each for name, (_, each) in looks.items()}
        company = second_rows(candidates, first)
        return {name: self._second(np.hstack([rows[name], company[name]])) for name in rows}


class Candidates:
    """The slots of a sample, as naming sees them."""

    def __init__(self, slots: Sequence[Slot], evidence: Sequence[Evidence], pages: int) -> None:
        self.slots, self.evidence = slots, evidence
        self.rarity = Rarity(evidence)
        self.units = np.full((len(slots), pages), np.nan)
        for number, slot in enumerate(slots):
            for page, unit in slot.chosen().items():
                self.units[number, page] = unit


def promising(evidence: Sequence[Evidence], fields: Sequence[Known], most: int = MOST_CANDIDATES) -> list[int]:
    """The slots worth a closer look: with a label or a word that is known, or standing out. Not those of the head.

    A page of links has thousands of slots, and a closer look costs 50 microseconds a field.
    """
    labels: frozenset[str] = frozenset().union(*(each.labels for each in fields))
    words: frozenset[str] = frozenset().union(*(each.words for each in fields))
    scores: list[tuple[float, int]] = []
    for place, each in enumerate(evidence):
        if each.head >= 0.5:
            continue
        score = (
            each.coverage + 0.5 * each.firmness + 0.3 * each.distinct + each.h1 + each.in_title + 0.5 * each.labelled
        )
        score += 2.0 * any(label in labels for label in each.labels) + 0.7 * any(word in words for word in each.markup)
        score += 0.7 * sum(each.kinds[kind] for kind in ("price", "date", "phone", "isbn", "url"))
        score -= 0.8 * bool(each.attribute)
        scores.append((score, place))
    return sorted(place for _, place in sorted(scores, reverse=True)[:most])


def first_rows(candidates: Candidates, fields: Sequence[tuple[Known, Profile]]) -> dict[str, Floats]:
    return {known.name: compare(candidates.evidence, profile, known, candidates.rarity) for known, profile in fields}


def second_rows(candidates: Candidates, first: Mapping[str, Floats]) -> dict[str, Floats]:
    """What the first look at all fields says of each slot."""
    names = list(first)
    if not len(candidates.slots):
        return {name: np.zeros((0, 8)) for name in names}
    scores = np.stack([first[name] for name in names], axis=1)
    trust = scores.max(axis=0)
    distance = np.stack([_distance(candidates.units, int(first[name].argmax())) for name in names], axis=1)
    result = {}
    for number, name in enumerate(names):
        own = np.clip(first[name], 1e-4, 1 - 1e-4)
        away, weight = np.delete(distance, number, 1), np.delete(trust, number)
        others = np.delete(scores, number, 1).max(axis=1) if len(names) > 1 else np.zeros(len(own))
        alone = len(names) == 1
        result[name] = np.column_stack(
            [
                np.log(own / (1 - own)),
                own / own.max(),
                np.log1p(np.argsort(np.argsort(-own))),
                np.zeros(len(own)) if alone else away @ weight / (weight.sum() + 1e-6),
                np.zeros(len(own)) if alone else (away + 3 * (1 - weight)).min(axis=1),
                others,
                others - own,
                np.full(len(own), 0.0 if alone else weight.mean()),
            ]
        )
    return result


def _distance(units: Floats, slot: int) -> Floats:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # slots that share no page: the median of nothing
        middle = np.nanmedian(np.abs(units - units[slot]), axis=1)
    return np.asarray(np.log1p(np.nan_to_num(middle, nan=FAR)))


@cache
def shipped_namer() -> Namer:
    """With the weights that come with Nephila."""
    with np.load(WEIGHTS, allow_pickle=False) as weights:
        return Namer({name: weights[name] for name in weights.files})
