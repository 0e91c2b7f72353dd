"""The addresses of a unit: keys of several families, each of which finds it in another way.

Families differ in what a redesign must change to break them: `path` (all classes from the top), `class`, `outer` and
`id` (the closest element that has a class or id, the second closest), `tags` (names of tags from the top), `tail` (the
last two of them), `place` (numbers of tags from the top), `label` and `after` (a text that stands before it), `before`
(a text that stands behind it), `prop` (microdata). A key ends in a number: which of the units that share the address,
from the first (1, 2, ...) or from the last (-1, -2, ...). Knows outlines.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NamedTuple

from nephila.wrappers.outline import Outline

PATH, CLASS, OUTER, ID, TAGS, TAIL, PLACE = "path", "class", "outer", "id", "tags", "tail", "place"
LABEL, AFTER, BEFORE, PROP = "label", "after", "before", "prop"
FAMILIES = (PATH, CLASS, OUTER, ID, TAGS, TAIL, PLACE, LABEL, AFTER, BEFORE, PROP)
ANCHORED = (LABEL, AFTER, BEFORE)
"""Found from a text of the template."""
ALL = 0
"""The number of a key that means every unit with the address."""
_LABELS_BACK = 2
FARTHEST = 12
"""Units behind a label that it can still be the label of."""
NEAR = 3
_FROM_FIRST, _FROM_LAST, _OF_TAIL = 40, 12, 2
"""The 70th link from the top says nothing that lasts; of the last two tags, only what is first or last does."""

Key = tuple[str, int | str, str, int]
"""Family, address, attribute or tags, number."""


class Labelled(NamedTuple):
    """A unit seen from a label before it."""

    label: str
    tags: str
    ordinal: int
    """Among the units with these tags behind the label."""
    distance: int


def page_keys(outline: Outline, labels: Set[str]) -> dict[Key, int]:
    """The keys of all units of a page, each with its unit."""
    keys: dict[Key, int] = {}
    owner, attribute = outline.owner, outline.attribute
    for family, names in named_places(outline):
        found: dict[tuple[int, str], list[int]] = {}
        for unit, element in enumerate(owner):
            found.setdefault((names[element], attribute[unit]), []).append(unit)
        for (address, kind), units in found.items():
            for number, unit in enumerate(units[:_FROM_FIRST], 1):
                keys[family, address, kind, number] = unit
            if family != PLACE:
                for back, unit in enumerate(units[: -_FROM_LAST - 1 : -1], 1):
                    keys[family, address, kind, -back] = unit
    _add_worded(outline, keys)
    _add_labelled(outline, labels, keys)
    return keys


def _add_worded(outline: Outline, keys: dict[Key, int]) -> None:
    """By the last two tags, and by microdata."""
    for family, name, most in ((TAIL, outline.tail, _OF_TAIL), (PROP, outline.prop, _FROM_LAST)):
        found: dict[tuple[str, str], list[int]] = {}
        for unit, element in enumerate(outline.owner):
            if word := name(element):
                found.setdefault((word, outline.attribute[unit]), []).append(unit)
        for (word, kind), units in found.items():
            for number, unit in enumerate(units[:most], 1):
                keys[family, word, kind, number] = unit
            for back, unit in enumerate(units[: -most - 1 : -1], 1):
                keys[family, word, kind, -back] = unit


def _add_labelled(outline: Outline, labels: Set[str], keys: dict[Key, int]) -> None:
    for unit, views in enumerate(labelled_units(outline, labels)):
        for view in views:
            keys[LABEL, view.label, view.tags, view.ordinal] = unit
            if view.distance <= NEAR and not outline.attribute[unit]:
                keys[AFTER, view.label, "", view.distance] = unit
    for label, unit, distance in before_labels(outline, labels):
        keys[BEFORE, label, "", distance] = unit


def named_places(outline: Outline) -> tuple[tuple[str, list[int]], ...]:
    """The families whose addresses the outline has made, with the address of each element."""
    return (
        (PATH, outline.path),
        (CLASS, outline.class_anchor),
        (OUTER, outline.outer_anchor),
        (ID, outline.id_anchor),
        (TAGS, outline.tag_path),
        (PLACE, outline.place),
    )


def before_labels(outline: Outline, labels: Set[str]) -> Iterator[tuple[str, int, int]]:
    """The texts before the first place of each label, with their distance."""
    seen: set[str] = set()
    texts = [unit for unit, kind in enumerate(outline.attribute) if not kind]
    for place, unit in enumerate(texts):
        text = outline.texts[unit]
        if text in labels and text not in seen:
            seen.add(text)
            for distance in range(1, min(NEAR, place) + 1):
                yield text, texts[place - distance], distance


def labelled_units(outline: Outline, labels: Set[str]) -> list[list[Labelled]]:
    """Of each unit, how the closest labels before it see it."""
    result: list[list[Labelled]] = []
    open_labels: list[tuple[str, int, dict[str, int]]] = []
    used: set[str] = set()
    text_number = 0
    for unit, text in enumerate(outline.texts):
        kind = outline.attribute[unit]
        tags = outline.tail(outline.owner[unit]) + ("@" + kind if kind else "")
        if not kind:
            text_number += 1
        views = []
        for label, since, counts in open_labels:
            ordinal = counts[tags] = counts.get(tags, 0) + 1
            distance = text_number - since
            if distance <= FARTHEST:
                views.append(Labelled(label, tags, ordinal, distance))
        result.append(views)
        if text in labels and not kind and text not in used:
            used.add(text)
            open_labels = [(text, text_number, {}), *open_labels[: _LABELS_BACK - 1]]
    return result
