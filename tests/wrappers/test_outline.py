"""Pages as rules see them: the places of elements, and units that are one value, however they are written."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.document import parse
from nephila.wrappers.outline import ROWS, Outline
from nephila.wrappers.rules import Finder, rule_of
from nephila.wrappers.selectors import xpath
from nephila.wrappers.tags import mixed, number_of


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<p><span>€12.</span><sup>99</sup></p>", ["€12.99"]),
        ("<p>$<b>1,299</b><sup>50</sup></p>", ["$1,299.50"]),
        ("<p><b>19</b><i>,90</i> EUR</p>", ["19,90", "EUR"]),
        ("<p><b>19.</b> <i>90</i></p>", ["19.", "90"]),
        ("<p>10<sup>12</sup></p>", ["10", "12"]),
        ("<p><a>1</a><a>2</a><a>3</a></p>", ["1", "2", "3"]),
        ("<table><tr><td>$5.</td><td>20</td></tr></table>", ["$5.", "20"]),
        ("<p>Call<b>.5</b></p>", ["Call", ".5"]),
    ],
)
def test_a_number_written_in_two_elements_is_one_value(html: str, texts: list[str]) -> None:
    assert Outline(parse(html)).texts == texts


def test_the_rules_of_a_split_value_find_its_element_in_other_tools() -> None:
    from lxml import html as lxml_html

    page = '<div class="offer"><span class="amount"><span>€12.</span><sup>99</sup></span><em>In stock</em></div>'
    outline = Outline(parse(page))
    rule = rule_of(outline, 0, ("class", int(outline.names[ROWS.index("class"), outline.owner[0]]), "", 1))
    assert Finder([rule]).find(outline) == [0]
    (element,) = lxml_html.fromstring(page).getroottree().xpath(xpath(rule))
    assert element.text_content() == outline.texts[0] == "€12.99"


def test_scripts_are_no_text_of_the_page() -> None:
    assert Outline(parse("<p>a</p><script>var b</script><style>c{}</style><p>d</p>")).texts == ["a", "d"]


def test_the_numbers_of_places_are_the_same_in_every_process() -> None:
    assert number_of("td", "price") == 6113029987417733685
    assert mixed(1, 2) == 12523826251108483734


_NAMES = ("div", "p", "b", "ul", "li", "table", "tbody", "tr", "td", "br", "img", "svg", "link", "x-card", "span")


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_parents_and_ends_are_those_of_the_tree(seed: int) -> None:
    draw = random.Random(seed)
    html = "".join(
        f"<{'/' if draw.random() < 0.35 else ''}{draw.choice(_NAMES)}>{draw.choice(('', 'x', ' '))}" for _ in range(60)
    )
    document = parse(html)
    outline = Outline(document)
    root = document.tree.root
    assert root is not None
    kept = [node for node in root.traverse() if node.tag not in ("tbody", "thead", "tfoot", "!doctype")]
    assert [tag.name for tag in outline.tags] == [node.tag for node in kept]
    for number, parent in enumerate(outline.parent):
        assert parent < number < outline.end[number] <= (outline.end[parent] if parent >= 0 else len(kept))
        above = kept[number].parent
        while above is not None and above.tag in ("tbody", "thead", "tfoot"):
            above = above.parent
        assert parent == -1 or kept[parent] == above
