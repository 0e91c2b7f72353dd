"""A field that is a list of items on a single page: the ingredients of a recipe, its steps. Needs no second page.

The items stand below a heading that is called like the field, or in elements that are; of all such places the one whose
items look most like it is taken. Knows outlines and the lexicon.
"""

from __future__ import annotations

import math

from nephila.wrappers.lexicon import Known, known_field
from nephila.wrappers.outline import Outline
from nephila.wrappers.shapes import label_key, words_of

_FEWEST = 2
_LONGEST_ITEM = 2_000
_ITEMS = ("li", "tr", "p", "dd")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "strong", "b", "legend", "summary", "dt"})


def find_items(outline: Outline, name: str) -> list[str]:
    """The items of the field on the page, in order; empty when it has none."""
    known = known_field(name)
    best: tuple[float, list[str]] = (0.0, [])
    for items in _candidates(outline, known):
        score = _likely(items, known)
        if score > best[0]:
            best = (score, items)
    return best[1]


def _candidates(outline: Outline, known: Known) -> list[list[str]]:
    """Lists of items at the places that are called like the field."""
    found: list[list[str]] = []
    alike: dict[int, list[int]] = {}
    for element, tag in enumerate(outline.tags):
        words = words_of(f"{tag.mark} {tag.ident} {tag.prop}")
        if any(word in known.words or word.rstrip("s") in known.words for word in words):
            alike.setdefault(outline.path[element], []).append(element)
            found += _items_in(outline, element)
    found += [[_text(outline, element) for element in same] for same in alike.values() if len(same) >= _FEWEST]
    for unit, text in enumerate(outline.texts):
        if len(text) > 60 or outline.attribute[unit] or not _is_label(label_key(text), known):
            continue
        found += _behind(outline, outline.owner[unit])
    return [items for each in found if len(items := [text for text in each if text]) >= _FEWEST]


def _is_label(key: str, known: Known) -> bool:
    return key in known.labels or any(
        key.startswith(f"{label} ") or key.endswith(f" {label}") for label in known.labels
    )


def _behind(outline: Outline, heading: int) -> list[list[str]]:
    """The lists in what follows the heading: beside it, or beside what it is in."""
    found: list[list[str]] = []
    for _ in range(3):
        around = outline.parent[heading]
        if around < 0:
            break
        for element in range(outline.end[heading], outline.end[around]):
            if outline.parent[element] == around:
                if outline.tags[element].name in ("h1", "h2", "h3"):
                    break
                found += _items_in(outline, element)
        if found:
            break
        heading = around
    return found


def _items_in(outline: Outline, element: int) -> list[list[str]]:
    """The elements within that are items, by each kind of item; those that hold another of the kind are left out."""
    inside = range(element, outline.end[element])
    lists = []
    for kind in _ITEMS:
        items = [each for each in inside if outline.tags[each].name == kind]
        following = [*items[1:], len(outline.tags)]
        leaves = [a for a, b in zip(items, following, strict=False) if b >= outline.end[a]]
        if len(leaves) >= _FEWEST:
            lists.append([_text(outline, leaf) for leaf in leaves])
            break
    return lists


def _text(outline: Outline, element: int) -> str:
    """All text of the element."""
    end = outline.end[element]
    # Units are in document order, and so is what is inside: the first one is found, the rest follows.
    parts = [
        outline.texts[unit]
        for unit, owner in enumerate(outline.owner)
        if element <= owner < end and not outline.attribute[unit]
    ]
    return " ".join(parts)[:_LONGEST_ITEM]


def _likely(items: list[str], known: Known) -> float:
    """How far the items look like the field: short with quantities, or sentences; more of them say more."""
    steps = known.kinds[:1] == ("text",)
    fitting = sum(len(item) >= 30 if steps else len(item) <= 120 for item in items) / len(items)
    quantities = sum(any(character.isdigit() for character in item) for item in items) / len(items)
    distinct = len(set(items)) / len(items)
    size = math.sqrt(min(len(items), 15))
    return fitting * fitting * distinct * size * (1.0 if steps else 0.3 + quantities)
