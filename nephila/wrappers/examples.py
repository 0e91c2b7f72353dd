"""A field from values that a person pointed at, on one page or more: which slot did they mean? Knows induced slots.

The value may stand in several places of the page, and each place is in several slots. The slot that is on most pages,
held by the most and surest rules, with values like the one shown, is taken; what the field is called helps a little.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from nephila.wrappers.comparison import likeness
from nephila.wrappers.evidence import Evidence
from nephila.wrappers.learn import Chosen, Induced
from nephila.wrappers.lexicon import Known, known_field
from nephila.wrappers.shapes import kind_of, outline_shape
from nephila.wrappers.slots import Slot

_MANY_RULES = 8.0
"""The weight of all rules of a slot that is well held."""


def by_examples(found: Induced, name: str, examples: Mapping[int, set[str]]) -> Chosen | None:
    """The slot that holds the examples (page of the sample -> values, as written there); None when none does."""
    known = known_field(name)
    scores: list[tuple[float, float, int]] = []
    for place, (slot, evidence) in enumerate(zip(found.slots, found.evidence, strict=True)):
        if evidence.head >= 0.5:
            continue
        chosen = slot.chosen()
        shown = {page: found.sample.outlines[page].texts[chosen[page]] for page in examples if page in chosen}
        right = [text for page, text in shown.items() if text in examples[page]]
        if right:
            score = 2 * len(right) / (len(shown) + len(examples))
            scores.append((round(score, 1), _worth(slot, evidence, right, known), place))
    return Chosen([max(scores)[2]], 1.0) if scores else None


def _worth(slot: Slot, evidence: Evidence, examples: list[str], known: Known) -> float:
    """Weights set by hand, with an eye on what they do on many sites."""
    label, markup = likeness(evidence, known)
    return (
        2 * evidence.coverage
        + 1.5 * sum(slot.weight(key) for key in slot.keys) / _MANY_RULES
        + 1.5 * evidence.purity
        + evidence.distinct
        + 0.5 * evidence.in_title
        + 0.5 * fmean(evidence.kinds[kind_of(text)] for text in examples)
        + 0.5 * fmean(evidence.outlines[outline_shape(text)] for text in examples)
        + 1.5 * label
        + 0.5 * markup
    )
