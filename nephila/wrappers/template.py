"""A template: the fields of a group of pages, each with its rules, and how they are read from a page.

The rules of a field vote. The share of their weight that the winner has is the agreement: the field's confidence, and
the first sign of a redesign. Knows rules, outlines and values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nephila.wrappers.outline import Outline
from nephila.wrappers.prior import Profile
from nephila.wrappers.rules import Finder, Rule
from nephila.wrappers.runs import run_from
from nephila.wrappers.selectors import css, xpath
from nephila.wrappers.tally import Tally
from nephila.wrappers.values import typed

AGREED = 0.3
"""Below it, what the rules found is noise."""
_OFTEN = 0.6
"""A field on so many pages should be found."""
FORMAT = 1


@dataclass(slots=True)
class Field:
    """One named place of the template."""

    name: str
    rules: list[Rule]
    type: str = "text"
    many: bool = False
    """Several values stand side by side."""
    confidence: float = 0.0
    """How sure the name is, when it was learned."""
    coverage: float = 1.0
    """Share of the sample pages that had it."""
    agreement: float = 1.0
    """Mean agreement of the rules on the sample pages."""
    origin: str = "learned"
    """`learned`, `edited` (a person named or corrected it) or `healed`."""
    prefix: str = ""
    """What every value begins with and is not part of it, such as `ISBN: `."""
    profile: Profile | None = None
    """How the field looks on this site: what finds it again after a redesign."""

    def to_dict(self) -> dict[str, Any]:
        rules = [
            rule.to_dict() | {"xpath": xpath(rule)} | ({"css": selector} if (selector := css(rule)) else {})
            for rule in self.rules
        ]
        return {
            "name": self.name,
            "type": self.type,
            "many": self.many,
            "confidence": round(self.confidence, 3),
            "coverage": round(self.coverage, 3),
            "agreement": round(self.agreement, 3),
            "origin": self.origin,
            "prefix": self.prefix,
            "rules": rules,
            "profile": self.profile.to_dict() if self.profile else None,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Field:
        return cls(
            name=str(data["name"]),
            rules=[Rule.from_dict(rule) for rule in data["rules"]],
            type=str(data.get("type", "text")),
            many=bool(data.get("many", False)),
            confidence=float(data.get("confidence", 0.0)),
            coverage=float(data.get("coverage", 1.0)),
            agreement=float(data.get("agreement", 1.0)),
            origin=str(data.get("origin", "edited")),
            prefix=str(data.get("prefix", "")),
            profile=Profile.from_dict(data["profile"]) if data.get("profile") else None,
        )


@dataclass(slots=True)
class Reading:
    """What the rules of a template say of one page."""

    values: dict[str, Any] = field(default_factory=dict)
    """Typed; only fields that have a value."""
    texts: dict[str, list[str]] = field(default_factory=dict)
    """As written on the page."""
    agreement: dict[str, float] = field(default_factory=dict)
    units: dict[str, int] = field(default_factory=dict)

    @property
    def confidence(self) -> float:
        return sum(self.agreement.values()) / len(self.agreement) if self.agreement else 0.0


@dataclass(slots=True)
class Template:
    """The rules of one group of pages of one site."""

    site: str
    group: str
    fields: list[Field]
    kind: str | None = None
    """The type of schema.org that its fields make up."""
    fixed: dict[str, int] = field(default_factory=dict)
    """Short texts that nearly all pages have, and how often each has them at least: no values, unless there is one more
    (the menu of a league names all teams, and the page of a player one of them again)."""
    version: int = 1
    pages: int = 0
    """Sample pages that it was learned from."""
    learned_at: str | None = None
    origin: str = "learned"
    _finder: Finder | None = None

    def field(self, name: str) -> Field | None:
        return next((each for each in self.fields if each.name == name), None)

    def changed(self) -> None:
        """To be called after its fields or rules were changed."""
        self._finder = None

    def read(self, outline: Outline, language: str | None = None) -> Reading:
        """The fields of a page."""
        if self._finder is None:
            self._finder = Finder(rule for each in self.fields for rule in each.rules)
        found = iter(self._finder.find(outline))
        votes = [(each, [(rule, next(found)) for rule in each.rules]) for each in self.fields]
        alive = _alive(votes)
        furniture = self._furniture(outline)
        reading = Reading()
        for each, units in votes:
            unit, share, agreement = _elected(units, outline, furniture, alive)
            reading.agreement[each.name] = agreement
            if unit < 0 or share < AGREED:
                continue
            reading.units[each.name] = unit
            places = run_from(outline, unit) if each.many else [unit]
            texts = [_cut(outline.texts[place], each.prefix) for place in places]
            reading.texts[each.name] = texts
            values = [typed(text, each.type, outline.url, language) for text in texts]
            values = [value for value in values if value is not None]
            if values:
                reading.values[each.name] = values if each.many else values[0]
        return reading

    def _furniture(self, outline: Outline) -> set[str]:
        """The fixed texts that the page does not have once more than others do."""
        here = Counter(text for text in outline.texts if text in self.fixed)
        return {text for text, count in here.items() if count <= self.fixed[text]}

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "site": self.site,
            "group": self.group,
            "kind": self.kind,
            "version": self.version,
            "pages": self.pages,
            "learned_at": self.learned_at,
            "origin": self.origin,
            "fields": [each.to_dict() for each in self.fields],
            "fixed": self.fixed,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Template:
        fixed = data.get("fixed", {})
        if isinstance(fixed, list):  # as it was written before the texts were counted
            fixed = dict.fromkeys(fixed, 1)
        return cls(
            site=str(data["site"]),
            group=str(data["group"]),
            fields=[Field.from_dict(each) for each in data["fields"]],
            kind=data.get("kind"),
            fixed={str(text): int(count) for text, count in fixed.items()},
            version=int(data.get("version", 1)),
            pages=int(data.get("pages", 0)),
            learned_at=data.get("learned_at"),
            origin=str(data.get("origin", "edited")),
        )


Votes = Sequence[tuple[Rule, int]]
"""The rules of a field, each with the unit that it finds, or -1."""


def _alive(votes: Sequence[tuple[Field, Votes]]) -> dict[str, float]:
    """Of each family, the part that finds anything on the page: what a redesign has put an end to has no say."""
    there, every = Tally(), Tally()
    for each, units in votes:
        if each.coverage >= _OFTEN:
            for rule, unit in units:
                every[rule.family] += rule.weight
                there[rule.family] += rule.weight * (unit >= 0)
    return {family: there[family] / weight for family, weight in every.items() if weight}


def _elected(
    units: Votes, outline: Outline, furniture: set[str], alive: Mapping[str, float]
) -> tuple[int, float, float]:
    """The unit that most of the rules find, its share among those that have a say, and its share among all."""
    tally: dict[int, float] = {}
    saying = total = 0.0
    for rule, unit in units:
        total += rule.weight
        saying += rule.weight * (1.0 if unit >= 0 else alive.get(rule.family, 1.0))
        if unit >= 0 and outline.texts[unit] not in furniture:
            tally[unit] = tally.get(unit, 0.0) + rule.weight
    if not tally:
        return -1, 0.0, 0.0
    best = max(tally, key=lambda unit: (tally[unit], -unit))
    return best, tally[best] / saying, tally[best] / total


def _cut(text: str, prefix: str) -> str:
    return text[len(prefix) :].strip() if prefix and text.startswith(prefix) else text
