"""What stands around a value and says what it is: labels before and behind it, icons, the address of its link.

A label is mostly before its value. In grids of facts it is below it: value and label are alone in a cell, and the label
before the value is that of another cell. Where class names are made by machines, the name of an icon and the path of a
link (`/brands/...`) are what is left of the markup's words. Knows outlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import lru_cache

from nephila.wrappers.outline import Outline
from nephila.wrappers.shapes import label_key, words_of
from nephila.wrappers.tags import Tag

_BACK, _CELL_LEVELS = 8, 4
_ELSEWHERE = 0.3
"""What a label before the value still counts where the value has its own behind it."""
_ICONS = frozenset({"i", "img", "span", "em"})
_MOST_ICONS = 4
_PATH = re.compile(r"^(?:https?:)?(?://[^/?#]*)?/?([^?#]*)")


def labels_around(outline: Outline, unit: int, common: Set[str], fixed: Set[str]) -> list[tuple[str, float]]:
    """The labels of a value, the one beside it counts fully. `common` texts may be labels, `fixed` ones most likely."""
    before = _labels_before(outline, unit, common)
    behind = label_behind(outline, unit, fixed)
    if behind is None or not (key := label_key(behind)):
        return before
    return [(key, 1.0), *((label, weight * _ELSEWHERE) for label, weight in before if label != key)]


def _labels_before(outline: Outline, unit: int, common: Set[str]) -> list[tuple[str, float]]:
    """The closest common texts before the unit; the one just before it counts fully."""
    found: list[tuple[str, float]] = []
    weight = 1.0
    for back in range(unit - 1, max(-1, unit - _BACK), -1):
        if outline.attribute[back]:
            continue
        text = outline.texts[back]
        if text in common and len(text) > 1:
            key = label_key(text)
            if key:
                found.append((key, weight))
                weight *= 0.4
                if len(found) == 2:
                    break
        else:
            weight *= 0.7
    return found


def label_behind(outline: Outline, unit: int, fixed: Set[str]) -> str | None:
    """The text behind the unit, where the two are alone in a cell and the unit is none of the template."""
    texts = outline.texts
    if texts[unit] in fixed or outline.attribute[unit]:
        return None
    following = _next_text(outline, unit + 1)
    if following < 0 or texts[following] not in fixed:
        return None
    owner, end, parent = outline.owner, outline.end, outline.parent
    cell, theirs = owner[unit], owner[following]
    for _ in range(_CELL_LEVELS):
        if cell < 0 or cell <= theirs < end[cell]:
            break
        cell = parent[cell]
    if cell < 0 or not cell <= theirs < end[cell] or outline.tags[cell].name in ("body", "html"):
        return None
    last = _next_text(outline, following + 1)
    if last >= 0 and cell <= owner[last] < end[cell]:
        return None
    first = next((back for back in range(unit - 1, max(-1, unit - _BACK), -1) if not outline.attribute[back]), -1)
    return None if first >= 0 and cell <= owner[first] < end[cell] else texts[following]


def _next_text(outline: Outline, unit: int) -> int:
    for each in range(unit, min(len(outline.texts), unit + _BACK)):
        if not outline.attribute[each]:
            return each
    return -1


def words_beside(outline: Outline, unit: int) -> tuple[str, ...]:
    """The words of the icons before the unit, and of the path of the link that it is in."""
    element = outline.owner[unit]
    found: list[str] = []
    for icon in _icons(outline, unit, element):
        found += _icon_words(outline.tags[icon])
    for _ in range(2):
        if element >= 0 and outline.tags[element].name == "a":
            found += _link_words(outline.tags[element])
        element = outline.parent[element] if element >= 0 else -1
    return tuple(dict.fromkeys(word for word in found if len(word) > 2)) if found else ()


def _icons(outline: Outline, unit: int, element: int) -> Iterator[int]:
    """Elements without text just before the unit: before its element, or before what that is in; or inside it."""
    previous = next((outline.owner[back] for back in range(unit - 1, -1, -1) if not outline.attribute[back]), -1)
    for each in range(element + 1, min(outline.end[element], element + 1 + _MOST_ICONS)):
        if outline.tags[each].name in _ICONS:
            yield each
    for _ in range(2):
        around = outline.parent[element]
        if around < 0:
            return
        for each in range(element - 1, max(around, previous, element - 1 - _MOST_ICONS), -1):
            if outline.tags[each].name in _ICONS:
                yield each
        element = around


@lru_cache(maxsize=20_000)
def _icon_words(tag: Tag) -> tuple[str, ...]:
    said = tag.attributes
    return (*tag.sort.words, *words_of(f"{said.get('aria-label', '')} {said.get('alt', '')}"))


@lru_cache(maxsize=20_000)
def _link_words(tag: Tag) -> tuple[str, ...]:
    """The words of a path but its last part, which is the value's own: `brands` of `/brands/oakum`."""
    href = tag.attributes.get("href", "")
    if href.startswith(("#", "javascript:", "mailto:")):
        return ()
    scheme, _, rest = href.partition(":")
    if scheme == "tel" and rest:
        return ("tel",)
    match = _PATH.match(href)
    parts = match[1].rstrip("/").split("/")[:-1] if match else []
    return tuple(word for part in parts[:3] for word in words_of(part) if word.isalpha())
