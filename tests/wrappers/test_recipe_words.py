"""Which pages are looked at for a recipe: those with the word for ingredients in a heading, in whatever language."""

from __future__ import annotations

import pytest

from nephila.document import parse
from nephila.wrappers.lexicon import known_field
from nephila.wrappers.recipes import INGREDIENTS, _may_be_recipe


@pytest.mark.parametrize("label", sorted(known_field(INGREDIENTS).labels))
@pytest.mark.parametrize("shown", ["{}", "{}:", "» {} «"])
def test_every_label_is_seen_in_a_heading(label: str, shown: str) -> None:
    for text in (label, label.upper(), label.capitalize()):
        assert _may_be_recipe(parse(f"<h1>Pie</h1><h3>{shown.format(text)}</h3><p>x</p>").layout.markup)


@pytest.mark.parametrize("heading", ["Zutatenliste der Woche", "We need you", "Nothing to cook"])
def test_a_heading_that_only_holds_such_a_word_is_none(heading: str) -> None:
    assert not _may_be_recipe(parse(f"<h1>Pie</h1><h3>{heading}</h3><p>Zutaten</p>").layout.markup)
