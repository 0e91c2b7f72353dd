"""Pages of one template -> a Template with named fields. Knows slots, naming and the prior.

Names come from four sides: what the pages' structured data says the values are, the prior of sites seen before, the
shipped lexicon, and, for a field that nobody knows, the label beside it.
"""

from __future__ import annotations

import gc
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from nephila.wrappers.addresses import PAGE
from nephila.wrappers.comparison import Floats
from nephila.wrappers.evidence import Evidence, gather
from nephila.wrappers.lexicon import Known, known_field, schema_types
from nephila.wrappers.naming import Candidates, promising, shipped_namer
from nephila.wrappers.outline import Outline
from nephila.wrappers.pictures import main_picture
from nephila.wrappers.prior import Profile
from nephila.wrappers.rules import Rule, rule_of
from nephila.wrappers.runs import run_from
from nephila.wrappers.shapes import label_key
from nephila.wrappers.slots import Sample, Slot, find_slots, survey
from nephila.wrappers.structured import Facts
from nephila.wrappers.tags import PICTURES
from nephila.wrappers.template import Field, Template

SAMPLE = 20
SURE = 0.5
"""From this probability on a field is accepted without a person."""
_MOST_SLOTS = 3
_RIGHT = 0.8
_FACTS = 0.4
"""Of the pages whose structured data names a field, the share that one slot has to explain."""
_MOST_OWN = 24
_LABEL_TAGS = frozenset({"b", "strong", "th", "dt", "label", "h2", "h3", "h4", "h5", "h6"})
_TELLING = (("price",), ("isbn",), ("phone",), ("email",), ("url",))


@dataclass(slots=True)
class Lesson:
    """One page to learn from."""

    outline: Outline
    kind: str | None = None
    facts: Facts = field(default_factory=dict)
    """What its structured data says, or what a person said."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The slots that a field is, the best first, and how sure that is."""

    places: list[int]
    chance: float


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
    with _uncollected():
        sample = survey([each.outline for each in chosen])
        slots = find_slots(sample)
        return Induced(sample, slots, gather(sample, slots), chosen)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Half a million keys are made and none is garbage: looking for it would take a third of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def learn(
    lessons: Sequence[Lesson],
    site: str,
    group: str,
    prior: Mapping[str, Profile] | None = None,
    fields: Sequence[str] | None = None,
) -> Template:
    """The template of pages of one group. `fields` are the names that are wanted; without, a type is chosen."""
    found = induce(lessons)
    given = by_facts(found)
    kind, chosen = _by_name(found, prior or {}, fields, given)
    named: dict[str, Chosen] = {**chosen, **given}
    if fields is None:
        taken = {place for each in named.values() for place in each.places}
        for name, place in _by_label(found, taken, named.keys()).items():
            named[name] = Chosen([place], SURE)
    if "image" not in named and (fields is None or "image" in fields):
        named |= _by_look(found, named)
    template = Template(
        site=site,
        group=group,
        kind=kind,
        fields=[make_field(found, name, each) for name, each in named.items()],
        fixed=found.sample.fixed(),
        pages=len(found.lessons),
        learned_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    measure(template, found.lessons)
    return template


def measure(template: Template, lessons: Sequence[Lesson]) -> None:
    """Notes what is usual: on how many of the pages each field is found, and how far its rules agree there."""
    readings = [template.read(lesson.outline) for lesson in lessons]
    for each in template.fields:
        shares = [reading.agreement[each.name] for reading in readings if each.name in reading.units]
        each.coverage = len(shares) / max(1, len(readings))
        each.agreement = sum(shares) / len(shares) if shares else 0.0


def make_field(found: Induced, name: str, chosen: Chosen, origin: str = "learned") -> Field:
    """The field that one slot is, or several: a group may hold two designs of one template."""
    slot, evidence, known = found.slots[chosen.places[0]], found.evidence[chosen.places[0]], known_field(name)
    profile = Profile(name)
    for place in chosen.places:
        profile.add([found.evidence[place]], set(found.evidence[place].values))
    rules = [rule for place in chosen.places for rule in rules_of(found.sample, found.slots[place])]
    return Field(
        name=name,
        rules=list(dict.fromkeys(rules)),
        type=_type_of(known, evidence),
        many=known.many and _runs(found, slot),
        confidence=chosen.chance,
        coverage=evidence.coverage,
        origin=origin,
        prefix=evidence.prefix,
        profile=profile,
    )


def rules_of(sample: Sample, slot: Slot) -> list[Rule]:
    """The keys of the slot in words; each is read off a unit that it finds."""
    rules = []
    for key in slot.keys:
        each = next((unit for unit in slot.finds[key] if unit in slot.units), None)
        if each is not None:
            page, unit = divmod(each, PAGE)
            rules.append(rule_of(sample.outlines[page], unit, key, slot.weight(key)))
    return rules


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
    return "image" if evidence.attribute in PICTURES else "text"


# -- names -------------------------------------------------------------------------------------------------------------


def _squashed(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def by_facts(found: Induced) -> dict[str, Chosen]:
    """Slots whose values are what the pages' structured data says: free labels, for the pages that have none."""
    wanted: dict[str, dict[int, set[str]]] = {}
    for number, lesson in enumerate(found.lessons):
        for name, values in lesson.facts.items():
            if known_field(name).kinds or lesson.kind == "":
                wanted.setdefault(name, {})[number] = {_squashed(value) for value in values} - {""}
    result: dict[str, Chosen] = {}
    for name, pages in wanted.items():
        scores: dict[int, tuple[float, float]] = {}
        for place, slot in enumerate(found.slots):
            chosen = slot.chosen()
            seen = [page for page in pages if page in chosen]
            if not seen or found.evidence[place].head >= 0.5:
                continue
            right = sum(_same(found.sample.outlines[page].texts[chosen[page]], pages[page], name) for page in seen)
            if right >= _RIGHT * len(seen):
                each = found.evidence[place]
                scores[place] = (2 * right / (len(seen) + len(pages)), each.firmness + each.rules + each.coverage)
        order = sorted(scores, key=lambda place: (round(scores[place][0], 1), scores[place][1]), reverse=True)
        if order and scores[order[0]][0] >= _FACTS:
            result[name] = Chosen(_complementary(found, order), scores[order[0]][0])
    return result


def _complementary(found: Induced, order: Sequence[int]) -> list[int]:
    """The first slot, and those that hold the field on pages where the ones before do not."""
    chosen = [order[0]]
    covered = set(found.slots[order[0]].pages)
    for place in order[1:]:
        pages = found.slots[place].pages
        if len(chosen) < _MOST_SLOTS and len(pages & covered) <= 0.1 * len(pages):
            chosen.append(place)
            covered |= pages
    return chosen


def _same(text: str, values: set[str], name: str) -> bool:
    if _squashed(text) in values:
        return True
    if known_field(name).type not in ("price", "number"):
        return False
    digits = re.sub(r"\D+", "", text).rstrip("0")
    return bool(digits) and any(re.sub(r"\D+", "", value).rstrip("0") == digits for value in values)


def _by_name(
    found: Induced, prior: Mapping[str, Profile], fields: Sequence[str] | None, given: Mapping[str, Chosen]
) -> tuple[str | None, dict[str, Chosen]]:
    """The type whose fields are found best, with them."""
    types = schema_types() if fields is None else {"": list(fields)}
    names = list(dict.fromkeys(name for each in types.values() for name in each))
    places = promising(found.evidence, [known_field(name) for name in names])
    candidates = Candidates(
        [found.slots[place] for place in places], [found.evidence[place] for place in places], len(found.lessons)
    )
    said = [lesson.kind for lesson in found.lessons if lesson.kind in types]
    kinds = [max(dict.fromkeys(said), key=said.count)] if said else list(types)
    names = list(dict.fromkeys(name for kind in kinds for name in types[kind]))
    namer = shipped_namer()
    looks = namer.look(
        candidates, [(known_field(name), prior.get(name) or known_field(name).profile()) for name in names]
    )
    taken = {place for each in given.values() for place in each.places}
    best: tuple[float, str, dict[str, Chosen]] = (-1.0, "", {})
    for kind in kinds:
        chances = namer.together(candidates, {name: looks[name] for name in types[kind]})
        picked = _picked(found, places, {name: row for name, row in chances.items() if name not in given}, taken, prior)
        # The first fields of a type are those that tell it from others.
        weight = sum(each.chance / (2 + types[kind].index(name)) for name, each in picked.items())
        weight += sum(1 / (2 + types[kind].index(name)) for name in given if name in types[kind])
        if weight > best[0]:
            best = (weight, kind, picked)
    return best[1] or None, best[2]


def _picked(
    found: Induced,
    places: Sequence[int],
    chances: Mapping[str, Floats],
    taken: set[int],
    prior: Mapping[str, Profile],
) -> dict[str, Chosen]:
    """The sure fields, the surest first; a slot is of one field."""
    used = {unit for place in taken for unit in found.slots[place].units}
    picked: dict[str, Chosen] = {}
    for name, row in sorted(chances.items(), key=lambda item: -item[1].max(initial=0.0)):
        order = [
            places[number]
            for number in np.argsort(-row)[:12]
            if row[number] >= SURE
            and (name in prior or _supported(known_field(name), found.evidence[places[number]]))
            and len(found.slots[places[number]].units & used) <= 0.3 * len(found.slots[places[number]].units)
        ]
        if order:
            chance = row[places.index(order[0])]
            picked[name] = Chosen(_complementary(found, order), float(chance))
            used |= {unit for place in picked[name].places for unit in found.slots[place].units}
    return picked


def _supported(known: Known, evidence: Evidence) -> bool:
    """Whether something beside the score speaks for the name: its label, its markup, or a kind of value that tells."""
    if known.kinds == ("name",) and sum(map(_has_digit, evidence.values)) > 0.5 * len(evidence.values):
        return False  # people have no digits: the stars that an author's book got
    if known.labels & evidence.labels.keys() or known.words & evidence.markup.keys():
        return True
    if known.headline:
        return evidence.h1 > 0.5 or evidence.in_title > 0.5
    return known.kinds[:1] in _TELLING and evidence.kinds[known.kinds[0]] > 0.7


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _by_label(found: Induced, taken: set[int], names: object) -> dict[str, int]:
    """Fields that nobody knows keep their label as their name."""
    used = {_squashed(str(name)) for name in names}  # type: ignore[attr-defined]
    units = {unit for place in taken for unit in found.slots[place].units}
    texts = {text for _, text in found.sample.template}
    fixed = {label_key(text) for text in texts}
    result: dict[str, int] = {}
    for place, each in enumerate(found.evidence):
        if len(result) >= _MOST_OWN:
            break
        if each.attribute or not each.labelled or each.coverage < 0.5 or each.firmness < 0.85 or each.head >= 0.5:
            continue
        label, share = max(each.labels.items(), key=lambda item: item[1], default=("", 0.0))
        if label not in fixed or not label[:1].isalpha() or not _beside_label(found, found.slots[place], label):
            continue
        if sum(value in texts for value in each.values) > 0.5 * len(each.values):  # the next entry of a menu
            continue
        if share < 0.8 or len(label) > 30 or _squashed(label) in used or units & found.slots[place].units:
            continue
        used.add(_squashed(label))
        result["_".join(label.split())] = place
        units |= found.slots[place].units
    return result


def _by_look(found: Induced, named: Mapping[str, Chosen]) -> dict[str, Chosen]:
    """The picture, where there is a headline that it can be the picture of."""
    headline = next((named[name] for name in named if known_field(name).headline), None)
    if headline is None:
        return {}
    headed = found.slots[headline.places[0]]
    place = main_picture(found.sample.outlines, found.slots, found.evidence, headed)
    return {} if place is None else {"image": Chosen([place], SURE)}


def _beside_label(found: Induced, slot: Slot, label: str) -> bool:
    """Whether the label is in the row, term or paragraph of the value: `<th>` and `<td>`, `<dt>` and `<dd>`.

    Where one of them is loose text around the other, the label has to look like one: `by <a>` is a part of a sentence.
    """
    page, unit = next(iter(slot.chosen().items()))
    outline = found.sample.outlines[page]
    if unit == 0 or label_key(outline.texts[unit - 1]) != label:
        return False
    if (outline.path[outline.owner[unit - 1]], outline.texts[unit - 1]) not in found.sample.template:
        return False  # the brand of one of the cards, which a menu has as well
    own, before = _upwards(outline, outline.owner[unit]), _upwards(outline, outline.owner[unit - 1])
    common = next((element for element in own if element in before), None)
    if common is None:
        return False
    apart = max(own.index(common), before.index(common))
    if apart == 2:
        return outline.tags[common].name == "tr"
    if common in (own[0], before[0]):
        marked = outline.texts[unit - 1].rstrip().endswith((":", "：")) or outline.texts[unit].startswith((":", "："))
        return marked or (before[0] != common and outline.tags[before[0]].name in _LABEL_TAGS)
    return True


def _upwards(outline: Outline, element: int) -> list[int]:
    """The element and the two around it."""
    chain = [element]
    while len(chain) < 3 and (above := outline.parent[chain[-1]]) >= 0:
        chain.append(above)
    return chain
