"""Values that repeat side by side: `<a>Drama</a>, <a>Comedy</a>`, list items, table rows. Knows outlines."""

from __future__ import annotations

from nephila.wrappers.outline import Outline

_SEPARATOR = frozenset(",;|/&·•-–—:.")
_MOST = 200


def run_from(outline: Outline, unit: int) -> list[int]:
    """The units from this one on that stand in the same kind of place, with nothing but separators between.

    Side by side: in the same element, or in elements that share their parent or the parent of that.
    """
    owner, path, parent, texts = outline.owner, outline.path, outline.parent, outline.texts
    element, kind = owner[unit], outline.attribute[unit]
    around = parent[element]
    wider = parent[around] if around >= 0 else -1
    found = [unit]
    for other in range(unit + 1, min(len(texts), unit + _MOST)):
        theirs = owner[other]
        if outline.attribute[other] != kind:
            continue
        if path[theirs] == path[element] and _beside(parent, theirs, element, around, wider):
            if texts[other] not in _SEPARATOR and not is_separator(texts[other]):
                found.append(other)
        elif not is_separator(texts[other]):
            break
    return found


def _beside(parent: list[int], theirs: int, element: int, around: int, wider: int) -> bool:
    if theirs == element or parent[theirs] == around:
        return True
    above = parent[theirs]
    return above >= 0 and wider >= 0 and parent[above] == wider


def is_separator(text: str) -> bool:
    return (len(text) <= 3 and not any(character.isalnum() for character in text)) or text.lower() in (
        "and",
        "und",
        "et",
        "y",
        "or",
    )
