"""Pages of one template -> a Template with named fields. Knows slots, naming and the prior.

Names come from four sides: what the pages' structured data says the values are, the prior of sites seen before, the
shipped lexicon, and, for a field that nobody knows, the label beside it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from nephila.wrappers.evidence import Evidence, gather
from nephila.wrappers.lexicon import Known, known_field, schema_types
from nephila.wrappers.naming import Candidates, promising, shipped_namer
from nephila.wrappers.outline import Outline
from nephila.wrappers.prior import Profile
from nephila.wrappers.rules import Rule, rule_of
from nephila.wrappers.runs import run_from
from nephila.wrappers.slots import Sample, Slot, find_slots, survey
from nephila.wrappers.structured import Facts
from nephila.wrappers.template import Field, Template

SAMPLE = 20
SURE = 0.5
"""From this probability on a field is accepted without a person."""
_ON_MOST_PAGES = 0.25
_MOST_OWN = 24
_MOST_FIXED = 300


@dataclass(slots=True)
class Lesson:
    """One page to learn from."""

    outline: Outline
    kind: str | None = None
    facts: Facts = field(default_factory=dict)
    """What its structured data says, or what a person said."""


@dataclass(slots=True)
class Induced:
    """The slots of a group, before they have names."""

    sample: Sample
    slots: list[Slot]
    evidence: list[Evidence]
    lessons: Sequence[Lesson]


def induce(lessons: Sequence[Lesson], most: int = SAMPLE, seed: int = 0) -> Induced:
    """Slots of a random sample: pages that follow each other share what should vary."""
    chosen = list(lessons)
    if len(chosen) > most:
        # Pages of which something is known stay in.
        told = [each for each in chosen if each.facts][:most]
        rest = [each for each in chosen if not each.facts]
        random.Random(seed).shuffle(rest)
        chosen = (told[: max(most // 2, most - len(rest))] + rest)[:most]
    sample = survey([each.outline for each in chosen])
    slots = [slot for slot in find_slots(sample) if len(slot.pages) >= _ON_MOST_PAGES * len(chosen)]
    return Induced(sample, slots, gather(sample, slots), chosen)


def learn(
    lessons: Sequence[Lesson],
    site: str,
    group: str,
    prior: Mapping[str, Profile] | None = None,
    fields: Sequence[str] | None = None,
) -> Template:
    """The template of pages of one group. `fields` are the names that are wanted; without, a type is chosen."""
    found = induce(lessons)
    given = _by_facts(found)
    kind, chosen = _by_name(found, prior or {}, fields, given)
    named: dict[str, tuple[int, float]] = {**chosen, **given}
    if fields is None:
        taken = {place for place, _ in named.values()}
        for name, place in _by_label(found, taken, named.keys()).items():
            named[name] = (place, SURE)
    return Template(
        site=site,
        group=group,
        kind=kind,
        fields=[make_field(found, name, place, chance) for name, (place, chance) in named.items()],
        fixed=sorted({text for _, text in found.sample.template if len(text) <= 60})[:_MOST_FIXED],
        pages=len(found.lessons),
        learned_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def make_field(found: Induced, name: str, place: int, chance: float, origin: str = "learned") -> Field:
    """The field that a slot is."""
    slot, evidence, known = found.slots[place], found.evidence[place], known_field(name)
    profile = Profile(name)
    profile.add([evidence], set(evidence.values))
    return Field(
        name=name,
        rules=rules_of(found.sample, slot),
        type=_type_of(known, evidence),
        many=known.many and _runs(found, slot),
        confidence=chance,
        coverage=evidence.coverage,
        agreement=_agreement(slot),
        origin=origin,
        prefix=evidence.prefix,
        profile=profile,
    )


def rules_of(sample: Sample, slot: Slot) -> list[Rule]:
    """The keys of the slot in words; each is read off a unit that it finds."""
    rules = []
    for key in slot.keys:
        for each in sorted(slot.units):
            page, unit = divmod(each, 1 << 20)
            if key in sample.keys[page][unit]:
                rules.append(rule_of(sample.outlines[page], unit, key, slot.support[key]))
                break
    return rules


def _agreement(slot: Slot) -> float:
    return float(np.mean([slot.support[key] for key in slot.keys]))


def _runs(found: Induced, slot: Slot) -> bool:
    lengths = [len(run_from(found.sample.outlines[page], unit)) for page, unit in slot.chosen().items()]
    return sum(length > 1 for length in lengths) >= 0.1 * len(lengths)


def _type_of(known: Known, evidence: Evidence) -> str:
    """What the lexicon says, or what nearly all values are."""
    if known.kinds:
        return known.type
    for kinds, name in ((("price",), "price"), (("date",), "date"), (("integer", "year"), "number"), (("url",), "url")):
        if sum(evidence.kinds[kind] for kind in kinds) >= 0.9:
            return name
    return "image" if evidence.attribute in ("src", "data-src") else "text"


# -- names -------------------------------------------------------------------------------------------------------------


def _squashed(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def _by_facts(found: Induced) -> dict[str, tuple[int, float]]:
    """Slots whose values are what the pages' structured data says: free labels, for the pages that have none."""
    wanted: dict[str, dict[int, set[str]]] = {}
    for number, lesson in enumerate(found.lessons):
        for name, values in lesson.facts.items():
            if known_field(name).kinds or lesson.kind == "":
                wanted.setdefault(name, {})[number] = {_squashed(value) for value in values} - {""}
    result: dict[str, tuple[int, float]] = {}
    for name, pages in wanted.items():
        best: tuple[float, float, int] | None = None
        for place, slot in enumerate(found.slots):
            chosen = slot.chosen()
            seen = [page for page in pages if page in chosen]
            if not seen or found.evidence[place].head >= 0.5:
                continue
            right = sum(_same(found.sample.outlines[page].texts[chosen[page]], pages[page], name) for page in seen)
            score = 2 * right / (len(seen) + len(pages))
            quality = found.evidence[place].firmness + found.evidence[place].rules + found.evidence[place].coverage
            if score >= 0.6 and (best is None or (round(score, 2), quality) > best[:2]):
                best = (round(score, 2), quality, place)
        if best is not None:
            result[name] = (best[2], best[0])
    return result


def _same(text: str, values: set[str], name: str) -> bool:
    if _squashed(text) in values:
        return True
    if known_field(name).type not in ("price", "number"):
        return False
    digits = re.sub(r"\D+", "", text).rstrip("0")
    return bool(digits) and any(re.sub(r"\D+", "", value).rstrip("0") == digits for value in values)


def _by_name(
    found: Induced, prior: Mapping[str, Profile], fields: Sequence[str] | None, given: Mapping[str, tuple[int, float]]
) -> tuple[str | None, dict[str, tuple[int, float]]]:
    """The type whose fields are found best, with them."""
    types = schema_types() if fields is None else {"": list(fields)}
    names = list(dict.fromkeys(name for each in types.values() for name in each))
    places = promising(found.evidence, [known_field(name) for name in names])
    candidates = Candidates(
        [found.slots[place] for place in places], [found.evidence[place] for place in places], len(found.lessons)
    )
    said = [lesson.kind for lesson in found.lessons if lesson.kind in types]
    kinds = [max(set(said), key=said.count)] if said else list(types)
    best: tuple[float, str, dict[str, tuple[int, float]]] = (-1.0, "", {})
    for kind in kinds:
        pairs = [(known_field(name), prior.get(name) or known_field(name).profile()) for name in types[kind]]
        chances = shipped_namer().name(candidates, pairs)
        picked = {
            name: (places[int(row.argmax())], float(row.max()))
            for name, row in chances.items()
            if len(row) and row.max() >= SURE and name not in given
        }
        # The first fields of a type are those that tell it from others.
        weight = sum(chance / (2 + types[kind].index(name)) for name, (_, chance) in picked.items())
        weight += sum(1 / (2 + types[kind].index(name)) for name in given if name in types[kind])
        if weight > best[0]:
            best = (weight, kind, picked)
    return best[1] or None, best[2]


def _by_label(found: Induced, taken: set[int], names: object) -> dict[str, int]:
    """Fields that nobody knows keep their label as their name."""
    used = {_squashed(str(name)) for name in names}  # type: ignore[attr-defined]
    units = {unit for place in taken for unit in found.slots[place].units}
    result: dict[str, int] = {}
    for place, each in enumerate(found.evidence):
        if len(result) >= _MOST_OWN:
            break
        if each.attribute or not each.labelled or each.coverage < 0.5 or each.firmness < 0.85 or each.head >= 0.5:
            continue
        label, share = max(each.labels.items(), key=lambda item: item[1], default=("", 0.0))
        if share < 0.8 or len(label) > 30 or _squashed(label) in used or units & found.slots[place].units:
            continue
        used.add(_squashed(label))
        result["_".join(label.split())] = place
        units |= found.slots[place].units
    return result
