"""A rule: an address in words, which any process can look up, store, and write as XPath or CSS. Knows addresses.

`Finder` looks all rules of a template up on a page in one pass over its units.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nephila.wrappers.addresses import (
    AFTER,
    BEFORE,
    CLASS,
    FAMILIES,
    FARTHEST,
    ID,
    LABEL,
    OUTER,
    PATH,
    PLACE,
    PLACED,
    PROP,
    TAGS,
    TAIL,
    Key,
    before_labels,
)
from nephila.wrappers.outline import Outline
from nephila.wrappers.tags import Tag, mixed, number_of, numbered

VOLATILE = "~"
MARKED = "."
Words = tuple[Any, ...]
"""What the address is made of: steps of (tag, classes), (tag, number) or tags; or a label and tags; or a property."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Finds at most one unit of a page."""

    family: str
    words: Words
    attribute: str
    """Of the element, the attribute that is the value; empty: its text."""
    number: int
    """Which of those that share the address: from the first 1, 2, ..., from the last -1, -2, ..."""
    weight: float = 1.0
    whole: bool = False
    """The value is all text of the element, parts in other elements included."""

    @property
    def address(self) -> tuple[str, int | str, str]:
        """As the units of an outline have it in this process."""
        if self.family not in PLACED:
            return (self.family, self.words[0], self.words[1] if self.family == LABEL else self.attribute)
        return (self.family, _ADDRESS[self.family](self.words), self.attribute)

    def to_dict(self) -> dict[str, Any]:
        return {
            "family": self.family,
            "words": list(self.words),
            "attribute": self.attribute,
            "number": self.number,
            "weight": round(self.weight, 3),
        } | ({"whole": True} if self.whole else {})

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Rule:
        words = tuple(tuple(word) if isinstance(word, list) else word for word in data["words"])
        place = (str(data["family"]), words, str(data["attribute"]), int(data["number"]))
        rule = cls(*place, float(data["weight"]), bool(data.get("whole", False)))
        if not rule.is_sound():
            raise ValueError(f"a rule of the family {rule.family!r} cannot be made of {rule.words!r}")
        return rule

    def is_sound(self) -> bool:
        """Whether the words are such as the family has: a file may say anything."""
        shape = [_shape(word) for word in self.words]
        if self.family in _ONE_WORD:
            return shape == ["str"]
        if self.family == LABEL:
            return shape == ["str", "str"]
        first, rest = _SHAPES.get(self.family, ("?", "?"))
        return shape[:1] == [first] and all(each == rest for each in shape[1:])


def _shape(word: Any) -> str:
    return ",".join(type(part).__name__ for part in word) if isinstance(word, tuple) else type(word).__name__


_ONE_WORD = (AFTER, BEFORE, PROP, TAIL)
_SHAPES = {
    PATH: ("str,str", "str,str"),
    PLACE: ("str,int", "str,int"),
    CLASS: ("str,str", "str"),
    OUTER: ("str,str", "str"),
    ID: ("str", "str"),
    TAGS: ("str", "str"),
}
"""What the first word of a rule is, and the others."""


def _path_address(words: Words) -> int:
    address = 0
    for level, (name, mark) in enumerate(words):
        step = number_of(name, mark.removesuffix(VOLATILE))
        address = mixed(address, step) if level else step
    return address


def _anchored_address(words: Words) -> int:
    """Tags below an element with a class."""
    address = number_of(words[0][0], words[0][1].removesuffix(VOLATILE))
    for name in words[1:]:
        address = mixed(address, number_of(name.removesuffix(VOLATILE).removesuffix(MARKED)))
    return address


def _id_address(words: Words) -> int:
    address = number_of("#", words[0]) if words[0] else number_of("#")
    for name in words[1:]:
        address = mixed(address, number_of(name.removesuffix(VOLATILE)))
    return address


def _tags_address(words: Words) -> int:
    address = number_of(words[0])
    for name in words[1:]:
        address = mixed(address, number_of(name))
    return address


def _place_address(words: Words) -> int:
    address = 0
    for level, (name, nth) in enumerate(words):
        address = mixed(address, numbered(name, nth)) if level else number_of(name)
    return address


def _tail_address(words: Words) -> int:
    above, _, own = str(words[0]).partition("/")
    return mixed(number_of(above), number_of(own))


_ADDRESS = {
    PATH: _path_address,
    CLASS: _anchored_address,
    OUTER: _anchored_address,
    ID: _id_address,
    TAGS: _tags_address,
    PLACE: _place_address,
    TAIL: _tail_address,
}


def rule_of(outline: Outline, unit: int, key: Key, weight: float = 1.0) -> Rule:
    """The words of a key that the unit has."""
    family, address, kind, number = key
    words: Words = (address, kind) if family == LABEL else (address,)
    if family == TAIL:
        words = (outline.tail(outline.owner[unit]),)
    elif family in PLACED:
        words = _words(outline, outline.owner[unit], family)
    whole = not outline.attribute[unit] and outline.owner[unit] in outline.whole
    return Rule(family, words, outline.attribute[unit], number, weight, whole)


def _words(outline: Outline, element: int, family: str) -> Words:
    chain = [element]
    while (above := outline.parent[chain[-1]]) >= 0:
        chain.append(above)
    chain.reverse()
    tags = [outline.tags[element] for element in chain]
    words: Words
    if family == PATH:
        words = tuple((tag.name, tag.mark or _volatile(tag, "class")) for tag in tags)
    elif family == PLACE:
        words = tuple((tag.name, outline.nth[element]) for tag, element in zip(tags, chain, strict=True))
    elif family == TAGS:
        words = tuple(tag.name for tag in tags)
    elif family == ID:
        start = max((level for level, tag in enumerate(tags) if tag.ident), default=0)
        words = (tags[start].ident, *(tag.name + _volatile(tag, "id") for tag in tags[start + 1 :]))
    else:
        marked = [level for level, tag in enumerate(tags) if tag.mark] or [0]
        start = marked[-1] if family == CLASS else marked[-2] if len(marked) > 1 else 0
        top = tags[start]
        rest = tags[start + 1 :]
        # Of the second closest, the closest one is passed over, whatever it is called.
        words = (
            (top.name, top.mark or _volatile(top, "class")),
            *(tag.name + (MARKED if tag.mark else _volatile(tag, "class")) for tag in rest),
        )
    return words


def _volatile(tag: Tag, attribute: str) -> str:
    """Marks an element that has the attribute with nothing lasting in it: a selector may not say that it has none."""
    return VOLATILE if attribute in tag.attributes else ""


Found = dict[tuple[str, int | str, str], list[int]]
"""Address -> the units that have it, in order."""
_SALTS = np.array([[number_of("family", family)] for family in PLACED], dtype=np.uint64)
_LAST = np.uint64(2**64 - 1)


class Finder:
    """Looks up many rules at once."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._addresses = [(rule.address, rule.number) for rule in rules]
        wanted = {address for address, _ in self._addresses}
        self._of: dict[str, set[Any]] = {
            family: {address for name, address, _ in wanted if name == family} for family in FAMILIES
        }
        self._labels: set[Any] = self._of[LABEL] | self._of[AFTER]
        places = [np.fromiter(self._of[family], np.uint64) ^ salt for family, salt in zip(PLACED, _SALTS, strict=True)]
        self._places = np.append(np.unique(np.concatenate(places)), _LAST)

    def find(self, outline: Outline) -> list[int]:
        """Of each rule, its unit on the page, or -1."""
        found: Found = {}
        self._placed(outline, found)
        if self._of[PROP]:
            self._named(outline, found)
        if self._labels:
            self._behind_labels(outline, found)
        if self._of[BEFORE]:
            for label, unit, _ in before_labels(outline, self._of[BEFORE]):
                found.setdefault((BEFORE, label, ""), []).append(unit)
        result = []
        for address, number in self._addresses:
            units = found.get(address, ())
            place = number - 1 if number > 0 else len(units) + number
            result.append(units[place] if 0 <= place < len(units) else -1)
        return result

    def _placed(self, outline: Outline, found: Found) -> None:
        """The units by where they are."""
        names = outline.names ^ _SALTS
        wanted = self._places[np.searchsorted(self._places, names)] == names
        owner = np.array(outline.owner, dtype=np.int64)
        families, units = np.nonzero(wanted[:, owner])
        addresses = outline.names[families, owner[units]]
        for family, address, unit in zip(families.tolist(), addresses.tolist(), units.tolist(), strict=True):
            found.setdefault((PLACED[family], address, outline.attribute[unit]), []).append(unit)

    def _named(self, outline: Outline, found: Found) -> None:
        """The units by their microdata."""
        wanted = self._of[PROP]
        if any(tag.prop in wanted for tag in outline.tags):
            for unit, element in enumerate(outline.owner):
                if (prop := outline.prop(element)) in wanted:
                    found.setdefault((PROP, prop, outline.attribute[unit]), []).append(unit)

    def _behind_labels(self, outline: Outline, found: Found) -> None:
        """The units behind the first place of each label."""
        texts, attribute, owner = outline.texts, outline.attribute, outline.owner
        seen: set[str] = set()
        for unit, text in enumerate(texts):
            if text not in self._labels or attribute[unit] or text in seen:
                continue
            seen.add(text)
            distance = 0
            for other in range(unit + 1, len(texts)):
                kind = attribute[other]
                if not kind:
                    distance += 1
                    if distance > FARTHEST:
                        break
                    found.setdefault((AFTER, text, ""), []).append(other)
                tags = outline.tail(owner[other])
                found.setdefault((LABEL, text, f"{tags}@{kind}" if kind else tags), []).append(other)
