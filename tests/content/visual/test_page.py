"""What the script gave comes from a page, which may be hostile."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.content.visual import read_visual, see
from nephila.errors import InputError

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
_texts = st.lists(st.text(max_size=20) | _json, max_size=3)
_row = st.tuples(
    *[st.floats(width=32) | _json for _ in range(4)],
    st.integers(-1, 2),
    st.integers(-1, 2),
    st.text(max_size=60),
    *[_json | st.integers()] * 3,
).map(list)
_style = st.dictionaries(st.sampled_from(["font-size", "color", "x"]), st.text(max_size=12), max_size=3)
_value = st.fixed_dictionaries(
    {
        "url": st.text(max_size=20),
        "titles": _texts,
        "descriptions": _texts,
        "width": st.floats() | st.integers(),
        "height": st.floats() | st.integers(),
        "body": st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=4),
        "styles": st.lists(_style, max_size=3),
        "chains": st.lists(st.lists(st.text(max_size=9), max_size=4), max_size=3),
        "blocks": st.lists(_row, max_size=5),
    }
)


@given(_json | _value)
@settings(max_examples=120, deadline=None)
def test_any_value_is_a_page_or_an_error_that_says_so(value: Any) -> None:
    try:
        page = read_visual(value)
    except InputError:
        return
    seen = see(page)
    assert len(seen.scores) == len(page.blocks)
    assert 0 <= seen.confidence <= 1


def _page(**changes: Any) -> dict[str, Any]:
    row = [0, 0, 10, 10, 0, 0, " a \n\n b ", 1, 0, 0]
    value = {"url": "u", "titles": [], "descriptions": [], "width": 1, "height": 1, "body": {}, "styles": [{}]}
    return value | {"chains": [["div#x.a.b", "p"]], "blocks": [row]} | changes


def test_paths_are_selectors_without_ids_and_classes() -> None:
    (block,) = read_visual(_page()).blocks
    assert block.path == ("div", "p")
    assert block.text == "a\nb"


@pytest.mark.parametrize(
    "changes",
    [
        {"blocks": [[float("nan"), 0, 1, 1, 0, 0, "a", 0, 0, 0]]},
        {"blocks": [[0, 0, 1, 1, 7, 0, "a", 0, 0, 0]]},
        {"blocks": [[0, 0, 1, 1, 0, -1, "a", 0, 0, 0]]},
        {"styles": None},
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="not what the block script gives"):
        read_visual(_page(**changes))


def test_endless_values_are_cut() -> None:
    page = read_visual(_page(blocks=[[0, 0, 1, 1, 0, 0, "a" * 10**6, 0, 0, 0]], styles=[{"x" * 999: "y" * 9999}]))
    assert len(page.blocks[0].text) == 200_000
    ((name, value),) = page.blocks[0].style.items()
    assert len(name) == 80
    assert len(value) == 300
