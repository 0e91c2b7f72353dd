"""The addresses of a unit: keys of several families, each of which finds it in another way.

Families differ in what a redesign must change to break them: `path` (all classes from the top), `class` and `id` (the
closest element that has one), `place` (numbers of tags from the top), `label` and `after` (a text that stands before
it), `prop` (microdata). A key ends in a number: which of the units that share the address, from the first (1, 2, ...)
or from the last (-1, -2, ...). Knows outlines.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from nephila.wrappers.outline import Outline

PATH, CLASS, ID, PLACE, LABEL, AFTER, PROP = "path", "class", "id", "place", "label", "after", "prop"
FAMILIES = (PATH, CLASS, ID, PLACE, LABEL, AFTER, PROP)
ALL = 0
"""The number of a key that means every unit with the address."""
_LABELS_BACK = 2
FARTHEST = 12
"""Units behind a label that it can still be the label of."""

Key = tuple[str, int | str, str, int]
"""Family, address, attribute or tags, number."""


class Labelled(NamedTuple):
    """A unit seen from a label before it."""

    label: str
    tags: str
    ordinal: int
    """Among the units with these tags behind the label."""
    distance: int


def unit_keys(outline: Outline, labels: Set[str]) -> list[list[Key]]:
    """Of each unit, its keys."""
    keys: list[list[Key]] = []
    seen: dict[tuple[str, int | str, str], list[int]] = {}
    owner, attribute = outline.owner, outline.attribute
    path, class_anchor, id_anchor = outline.path, outline.class_anchor, outline.id_anchor
    place, prop = outline.place, outline.prop
    for unit, element in enumerate(owner):
        kind = attribute[unit]
        addresses: list[tuple[str, int | str, str]] = [
            (PATH, path[element], kind),
            (CLASS, class_anchor[element], kind),
            (ID, id_anchor[element], kind),
            (PLACE, place[element], kind),
        ]
        if prop[element]:
            addresses.append((PROP, prop[element], kind))
        mine: list[Key] = []
        for address in addresses:
            units = seen.setdefault(address, [])
            units.append(unit)
            mine.append((*address, len(units)))
        keys.append(mine)
    for address, units in seen.items():
        if address[0] == PLACE:
            continue
        for back, unit in enumerate(reversed(units), 1):
            if back > 30:
                break
            keys[unit].append((*address, -back))
    for unit, views in enumerate(labelled_units(outline, labels)):
        mine = keys[unit]
        for view in views:
            mine.append((LABEL, view.label, view.tags, view.ordinal))
            if view.distance <= 3 and not attribute[unit]:
                mine.append((AFTER, view.label, attribute[unit], view.distance))
    return keys


def labelled_units(outline: Outline, labels: Set[str]) -> list[list[Labelled]]:
    """Of each unit, how the closest labels before it see it."""
    result: list[list[Labelled]] = []
    open_labels: list[tuple[str, int, dict[str, int]]] = []
    used: set[str] = set()
    text_number = 0
    for unit, text in enumerate(outline.texts):
        kind = outline.attribute[unit]
        tags = outline.tags2[outline.owner[unit]] + ("@" + kind if kind else "")
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
