"""What stands around a value and says what it is: labels before and behind it, icons, the address of its link.

A label is mostly before its value. In grids of facts it is below it: value and label are alone in a cell, and the label
before the value is that of another cell. Where class names are made by machines, the name of an icon and the path of a
link (`/brands/...`) are what is left of the markup's words. Knows outlines.
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from nephila.wrappers.outline import Outline
from nephila.wrappers.shapes import label_key, words_of
from nephila.wrappers.tags import Tag

_BACK, _CELL_LEVELS = 8, 4
_ELSEWHERE = 0.3
"""What a label before the value still counts where the value has its own behind it."""
_ICONS = frozenset({"i", "img", "span", "em"})


class Surroundings:
    """What stands around the units of one page. `common` texts may be labels, `fixed` ones most likely."""

    def __init__(self, outline: Outline, common: Set[str], fixed: Set[str]) -> None:
        self._outline, self._common, self._fixed = outline, common, fixed
        texts = {owner for owner, kind in zip(outline.owner, outline.attribute, strict=True) if not kind}
        self._icons = {
            element
            for element, (tag, end) in enumerate(zip(outline.tags, outline.end, strict=True))
            if end == element + 1 and tag.name in _ICONS and element not in texts
        }
        """Elements with nothing in them."""

    def labels(self, unit: int) -> list[tuple[str, float]]:
        """The labels of a value, the one beside it counts fully."""
        before = self._before(unit)
        behind = label_behind(self._outline, unit, self._fixed)
        if behind is None or not (key := label_key(behind)):
            return before
        return [(key, 1.0), *((label, weight * _ELSEWHERE) for label, weight in before if label != key)]

    def _before(self, unit: int) -> list[tuple[str, float]]:
        """The closest common texts before the unit; the one just before it counts fully."""
        texts, attribute, common = self._outline.texts, self._outline.attribute, self._common
        found: list[tuple[str, float]] = []
        weight = 1.0
        for back in range(unit - 1, max(-1, unit - _BACK), -1):
            if attribute[back]:
                continue
            text = texts[back]
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

    def words(self, unit: int) -> tuple[str, ...]:
        """The words of the icons just before the unit or its element, and of the path of the link that it is in."""
        outline, icons = self._outline, self._icons
        element = outline.owner[unit]
        around = outline.parent[element]
        found: list[str] = []
        if icons:
            for place in (element + 1, element - 1, element - 2, around - 1):
                if place in icons:
                    found += _icon_words(outline.tags[place])
        href = outline.tags[element].href or (outline.tags[around].href if around >= 0 else "")
        if href:
            found += _link_words(href)
        return tuple(dict.fromkeys([word for word in found if len(word) > 2])) if found else ()


def label_behind(outline: Outline, unit: int, fixed: Set[str]) -> str | None:
    """The text behind the unit, where the two are alone in a cell and the unit is none of the template."""
    following = _next_text(outline, unit + 1)
    texts = outline.texts
    if following < 0 or texts[following] not in fixed or texts[unit] in fixed or outline.attribute[unit]:
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
    attribute = outline.attribute
    if unit < len(attribute) and not attribute[unit]:
        return unit
    return next((each for each in range(unit, min(len(attribute), unit + _BACK)) if not attribute[each]), -1)


@lru_cache(maxsize=20_000)
def _icon_words(tag: Tag) -> tuple[str, ...]:
    said = tag.attributes
    return (*tag.sort.words, *words_of(f"{said.get('aria-label', '')} {said.get('alt', '')}"))


@lru_cache(maxsize=20_000)
def _link_words(href: str) -> tuple[str, ...]:
    """The words of a path but its last part, which is the value's own: `brands` of `/brands/oakum`."""
    if href.startswith("tel:"):
        return ("tel",)
    path = href.partition("?")[0].partition("#")[0]
    scheme, apart, rest = path.partition("://")
    parts = (rest.partition("/")[2] if apart else scheme).strip("/").split("/")[:-1]
    return tuple([word for part in parts[:3] for word in words_of(part) if word.isalpha()])
