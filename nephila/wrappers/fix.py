"""One corrected value on one page repairs a field's rules. Knows templates, addresses and outlines."""

from __future__ import annotations

from dataclasses import replace

from nephila.errors import InputError
from nephila.wrappers.addresses import Key, page_keys
from nephila.wrappers.examples import by_examples
from nephila.wrappers.learn import Lesson, induce, make_field
from nephila.wrappers.lexicon import known_field
from nephila.wrappers.outline import Outline
from nephila.wrappers.rules import rule_of
from nephila.wrappers.template import Field, Template
from nephila.wrappers.values import typed


def fix(template: Template, outline: Outline, name: str, value: str, others: list[Outline] | None = None) -> Template:
    """The template with the field's rules made anew, so that this page gives this value.

    With other pages of the group, the slot that holds the value is taken, and its rules; with the page alone, every
    address of the value is a rule, labels being the texts that the template is known to repeat.
    """
    units = _units_with(outline, value)
    if not units:
        raise InputError(f"{value!r} is not on the page as one text: copy it exactly as the page shows it")
    mended = _from_slots(outline, others or [], name, value) or _from_page(template, outline, name, units)
    old = template.field(name)
    if old is not None:
        mended = replace(mended, type=_kept_type(old, value), many=old.many)
    fields = [mended if each.name == name else each for each in template.fields]
    if old is None:
        fields.append(mended)
    return replace(template, fields=fields, origin="edited", _finder=None)


def _kept_type(old: Field, value: str) -> str:
    return old.type if typed(value, old.type) is not None else "text"


def _units_with(outline: Outline, value: str) -> list[int]:
    wanted = " ".join(value.split())
    exact = [unit for unit, text in enumerate(outline.texts) if text == wanted]
    low = wanted.lower()
    return exact or [unit for unit, text in enumerate(outline.texts) if text.lower() == low]


def _from_slots(outline: Outline, others: list[Outline], name: str, value: str) -> Field | None:
    if len(others) < 2:
        return None
    found = induce([Lesson(each) for each in [outline, *others]], most=len(others) + 1)
    page = found.sample.outlines.index(outline)
    texts = {outline.texts[unit] for unit in _units_with(outline, value)}
    chosen = by_examples(found, name, {page: texts})
    return make_field(found, name, chosen, "edited") if chosen is not None else None


def _from_page(template: Template, outline: Outline, name: str, units: list[int]) -> Field:
    labels = set(template.fixed)
    keys: dict[int, list[Key]] = {unit: [] for unit in units}
    for key, each in page_keys(outline, labels).items():
        if each in keys:
            keys[each].append(key)
    unit = max(units, key=lambda each: (any(key[0] == "label" for key in keys[each]), -each))
    rules = [rule_of(outline, unit, key) for key in keys[unit] if key[3] > 0]
    known = known_field(name)
    kind = known.type if typed(outline.texts[unit], known.type) is not None else "text"
    return Field(name, rules, type=kind, confidence=1.0, origin="edited")
