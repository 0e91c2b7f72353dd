"""Recipes on pages that say nothing to machines: ingredients and steps, from one page. Knows sections.

Both have to be there, at places that are called so: a face cream has ingredients too, and an article has steps.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from nephila.document import Document
from nephila.document.markup import NAMED, Markup
from nephila.native import find
from nephila.wrappers.lexicon import known_field
from nephila.wrappers.outline import Outline
from nephila.wrappers.sections import BY_LOOK, find_sections, measured
from nephila.wrappers.shapes import label_key

INGREDIENTS, STEPS = "recipeIngredient", "recipeInstructions"
_FEWEST = 3
_MEASURED = 0.4
_MOST_HEADINGS, _LONGEST = 200, 80
_HEADINGS = np.array([tag.name in {"h1", "h2", "h3", "h4", "h5", "strong", "b", "legend", "dt"} for tag in NAMED])


def read_recipe(document: Document, outline: Outline | None = None) -> dict[str, list[str]]:
    """Both lists; empty when the page is no recipe."""
    if not _may_be_recipe(document.layout.markup):
        return {}
    found = find_sections(outline or Outline(document), (INGREDIENTS, STEPS))
    if len(found) < 2 or any(each.trust <= BY_LOOK for each in found.values()):
        return {}
    ingredients = found[INGREDIENTS].texts
    if len(ingredients) < _FEWEST or measured(ingredients) < _MEASURED:
        return {}
    return {name: each.texts for name, each in found.items()}


def _may_be_recipe(markup: Markup) -> bool:
    """Whether the word is on the page: in English anywhere, also in the names of elements, or any other in a heading.

    Most pages are no recipes, and this is asked of all.
    """
    if find(markup.html, b"ngredient") >= 0 or find(markup.html, b"NGREDIENT") >= 0:
        return True
    places = np.flatnonzero(_HEADINGS[markup.tag] & ~markup.closing)[:_MOST_HEADINGS]
    ends = np.append(markup.start[1:], len(markup.html))
    stretches = zip(markup.stop[places].tolist(), ends[places].tolist(), strict=True)
    shown = [markup.html[start:end] for start, end in stretches if 2 < end - start <= _LONGEST]
    lowered = b"\n".join(shown).decode("utf-8", "replace").lower()
    if not any(map(lowered.__contains__, _telling_words())):
        return False
    labels = known_field(INGREDIENTS).labels
    return any(label_key(heading.decode("utf-8", "replace")) in labels for heading in shown)


@cache
def _telling_words() -> tuple[str, ...]:
    """The longest word of each label: without any of them, no heading is one."""
    return tuple({max(label.split(), key=len) for label in known_field(INGREDIENTS).labels})
