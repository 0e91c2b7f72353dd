"""Steps as sites write them into one text, and what they leave in it."""

from __future__ import annotations

from nephila.document import parse
from nephila.wrappers.steps import cut_steps, plain, without_numbers
from nephila.wrappers.structured import structured_facts


def test_one_text_is_cut_at_its_numbers_or_lines() -> None:
    assert cut_steps("1. Heat 2 cups of milk. 2. Stir for 10 minutes. 3) Serve.") == [
        "Heat 2 cups of milk.",
        "Stir for 10 minutes.",
        "Serve.",
    ]
    assert cut_steps("Step 1 Wash it. Step 2 Dry it.") == ["Wash it.", "Dry it."]
    assert cut_steps("<p>Wash&nbsp;it.</p><p>Dry it.</p>") == ["Wash it.", "Dry it."]
    assert cut_steps("Take 2. eggs and 1. spoon") == ["Take 2. eggs and 1. spoon"]
    assert cut_steps(" \n ") == []


def test_numbers_go_where_steps_are_numbered_one_by_one() -> None:
    assert without_numbers(["1. Wash", "2. Dry", "3. Fold"]) == ["Wash", "Dry", "Fold"]
    assert without_numbers(["2 eggs", "250 g flour"]) == ["2 eggs", "250 g flour"]


def test_a_text_without_markup_stays_as_it_is() -> None:
    assert plain("5 < 6 and salt & pepper") == "5 < 6 and salt & pepper"
    assert plain("salt &amp;amp; pepper") == "salt & pepper"


def test_values_for_machines_lose_their_markup() -> None:
    data = '{"@type": "Recipe", "name": "Fish &amp; chips", "recipeInstructions": "<p>Fry it.</p><p>Eat it.</p>"}'
    _, facts = structured_facts(parse(f'<script type="application/ld+json">{data}</script>'))
    assert facts == {"name": ["Fish & chips"], "recipeInstructions": ["Fry it.", "Eat it."]}
