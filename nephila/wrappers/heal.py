"""Mends a template after a redesign: what survived names the new places. Knows learning and templates.

On the new pages, the rules that still work say where a field is; the field's own profile (labels, markup words, values
and their shapes) recognises it where none does. Rules are induced anew, and the old ones that still agree are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nephila.wrappers.comparison import Floats
from nephila.wrappers.learn import SURE, Chosen, Induced, Lesson, by_facts, induce, make_field, measure
from nephila.wrappers.lexicon import known_field
from nephila.wrappers.naming import Candidates, promising, shipped_namer
from nephila.wrappers.prior import Profile
from nephila.wrappers.template import Field, Reading, Template

_FADING = 0.5
_GONE = 0.2
_VOTES = 0.7
"""How much the surviving rules count against the look of the field."""


def heal(template: Template, lessons: Sequence[Lesson]) -> Template:
    """The next version of the template, learned from pages of the new design; fields that are not found keep theirs."""
    found = induce(lessons)
    readings = [template.read(lesson.outline) for lesson in found.lessons]
    shown = promising(found.evidence, [known_field(each.name) for each in template.fields])
    candidates = Candidates(
        [found.slots[place] for place in shown], [found.evidence[place] for place in shown], len(found.lessons)
    )
    pairs = [(known_field(each.name), each.profile or Profile(each.name)) for each in template.fields]
    chances = shipped_namer().name(candidates, pairs)
    given = by_facts(found)  # what the new pages say of themselves is surer than any rule
    fields = [
        _grown(each, make_field(found, each.name, given[each.name], "healed"))
        if each.name in given
        else _mended(each, found, shown, _support(each, found, shown, readings), chances[each.name])
        for each in template.fields
    ]
    mended = replace(
        template,
        fields=fields,
        fixed=template.fixed | found.sample.fixed(),
        version=template.version + 1,
        origin="healed",
        _finder=None,
    )
    measure(mended, found.lessons)
    return mended


def _support(each: Field, found: Induced, shown: Sequence[int], readings: Sequence[Reading]) -> Floats:
    """Of each slot, how far it is what the field's surviving rules find (F1 of units, weighted by agreement)."""
    votes = {
        page: (reading.units[each.name], reading.agreement[each.name])
        for page, reading in enumerate(readings)
        if each.name in reading.units
    }
    total = sum(share for _, share in votes.values())
    scores = np.zeros(len(shown))
    if not votes:
        return scores
    for number, place in enumerate(shown):
        chosen = found.slots[place].chosen()
        right = sum(share for page, (unit, share) in votes.items() if chosen.get(page) == unit)
        if right:
            mean = total / len(votes)
            scores[number] = 2 * right / (total + mean * len(chosen))
    return scores * min(1.0, total / len(votes) * 2)


def _mended(each: Field, found: Induced, shown: Sequence[int], support: Floats, chances: Floats) -> Field:
    if not len(shown):
        return each
    score = _VOTES * support + (1 - _VOTES) * chances
    best = int(score.argmax())
    if support[best] < 0.4 and chances[best] < SURE:
        return each
    new = make_field(found, each.name, Chosen([shown[best]], max(each.confidence, float(score[best]))), "healed")
    return _grown(each, new)


def _grown(each: Field, new: Field) -> Field:
    """The new rules and the old: both designs may be live for a while; the old ones have less of a say."""
    old = [replace(rule, weight=rule.weight * _FADING) for rule in each.rules if rule.weight >= _GONE]
    known = {(rule.family, rule.words, rule.number) for rule in new.rules}
    kept = [rule for rule in old if (rule.family, rule.words, rule.number) not in known]
    return replace(
        new,
        rules=[*new.rules, *kept],
        type=each.type,
        many=each.many,
        prefix=new.prefix or "",
        profile=each.profile,
        origin="edited" if each.origin == "edited" else "healed",
    )
