"""ACME on the examples of RoadRunner's paper and on pages."""

from __future__ import annotations

import pytest

from nephila.document import parse
from nephila.wrappers.groups import similarity
from nephila.wrappers.roadrunner import Acme, MismatchError, count_fields, expression, induce_pair, tokens
from tests.wrappers.pages import albums, page

FIRST = (
    "<html><body>Books of: <b>John Smith</b><ul><li><i>Title:</i> DB Primer</li><li><i>Title:</i> Comp. Sys.</li></ul>"
    "</body></html>"
)
SECOND = (
    "<html><body>Books of: <b>Paul Jones</b><img src='x'><ul><li><i>Title:</i> XML at Work</li>"
    "<li><i>Title:</i> HTML Scripts</li><li><i>Title:</i> Javascript</li></ul></body></html>"
)


@pytest.mark.parametrize("pages", [(FIRST, SECOND), (SECOND, FIRST)])
def test_the_example_of_the_paper(pages: tuple[str, str]) -> None:
    wrapper = induce_pair(*(parse(each) for each in pages))
    assert count_fields(wrapper) == {"fields": 2, "optionals": 1, "iterators": 1}
    written = "".join(expression(wrapper).split())
    assert written == "<body>Booksof:<b>#PCDATA</b>(<img>)?<ul>(<li><i>Title:</i>#PCDATA</li>)+</ul></body>"


def test_iterators_nest() -> None:
    def shelf(*books: tuple[str, int]) -> str:
        return "<body>" + "".join(
            f"<div><b>{name}</b><ul>{'<li>edition</li>' * editions}</ul></div>" for name, editions in books
        )

    wrapper = induce_pair(parse(shelf(("A", 1), ("B", 3))), parse(shelf(("C", 2), ("D", 1), ("E", 2))))
    assert (
        "".join(expression(wrapper).split()) == "<body>(<div><b>#PCDATA</b><ul>(<li>edition</li>)+</ul></div>)+</body>"
    )


def test_fields_of_a_page_with_an_optional_part() -> None:
    first, second = albums(2)
    wrapper = induce_pair(parse(page(first, promotion=True)), parse(page(second)))
    counts = count_fields(wrapper)
    assert counts["fields"] >= 5
    assert counts["optionals"] >= 1


def test_a_page_is_its_own_wrapper() -> None:
    document = parse(FIRST)
    assert Acme().match(tokens(document), tokens(document)) == tuple(tokens(document))


def test_different_pages_end_in_an_error_within_the_bound() -> None:
    deep = "<body>" + "<div>" * 40 + "x" + "</div>" * 40
    with pytest.raises(MismatchError):
        Acme(most_steps=2_000).match(tokens(parse(deep * 3)), tokens(parse("<body>" + "<p><b>y</b></p>" * 500)))


def test_similarity_by_edit_distance() -> None:
    first, second = albums(2)
    assert similarity(parse(page(first)), parse(page(first))) == 1.0
    assert similarity(parse(page(first)), parse(page(second))) > 0.8
    assert similarity(parse(page(first)), parse("<ol>" + "<li><q>z</q></li>" * 60 + "</ol>")) < 0.3
