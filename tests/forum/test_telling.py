"""Which lines may tell a date, which elements hold a word, and that dates asked for in parts are the same dates."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nephila.document import parse
from nephila.forum.dates import DateReader
from nephila.forum.records import Page
from nephila.forum.telling import telling_lines
from nephila.forum.tree import PageTree

NOW = datetime(2024, 5, 20, tzinfo=UTC)


def tree(body: str) -> PageTree:
    return PageTree(parse(f"<html><body>{body}</body></html>", "https://forum.example/t/1"))


@pytest.mark.parametrize(
    ("line", "may"),
    [
        ("Written YESTERDAY", True),
        ("gestern um neun", True),
        ("3 May", True),
        ("Nothing but agony", False),
        ("A line " + "and more of it " * 10 + "in 2024", False),
    ],
)
def test_a_short_line_with_a_digit_or_the_name_of_a_day_may_tell_a_date(line: str, may: bool) -> None:
    found = [one.text for one in telling_lines(tree(f"<p>{line}</p><p>Long ago, or now</p>"))]
    assert (line in found) is may


def test_what_is_not_shown_tells_no_date() -> None:
    said = "".join(f"<p>Much is said here, and at length, about kettle number {n}.</p>" for n in range(9))
    lines = telling_lines(tree(f'{said}<div hidden><p>3 May 2024</p></div><p title="5 May 2024">4 May 2024</p>'))
    assert [line.text for line in lines][-1] == "4 May 2024"
    assert "3 May 2024" not in [line.text for line in lines]


def test_dates_asked_for_in_parts_are_those_of_the_whole_page() -> None:
    posts = "".join(f'<li><b>Anna</b> <time datetime="2024-05-{n:02}">{n} May 2024</time></li>' for n in range(1, 20))
    body = f"<p>13/1/2024</p><ul>{posts}</ul><p>yesterday</p>"
    whole, parts = Page(tree(body), NOW), Page(tree(body), NOW)
    assert len(whole.points) == 2 * 19 + 2
    middle = len(parts.tree.html) // 2
    apart = parts.points_between(middle, len(parts.tree.html)), parts.points_between(0, middle)
    told = [[(point.place, point.when, point.text, point.node.start) for point in some] for some in apart]
    assert told[1] + told[0] == [(point.place, point.when, point.text, point.node.start) for point in whole.points]


@pytest.mark.parametrize("text", ["12", "1,234", "#17", "(3)", "10:30", "55 %"])
def test_a_bare_number_is_no_date(text: str) -> None:
    assert DateReader(NOW).read(text) is None


def test_a_word_is_found_in_the_tags_that_hold_it_whatever_its_case() -> None:
    page = tree('<div class="Likes"><p>I like it</p><b id="x" class="no">4</b><i data-vote="1">5</i></div><p>like</p>')
    assert [node.name for node in page.tags_with((b"like", b"vote"), 0, len(page.html))] == ["div", "i"]


def test_elements_are_found_by_their_tag_and_word_in_document_order() -> None:
    page = tree('<p class="red">1</p><div class="blue red">2</div><p class="blue">3</p><p>4</p>')
    assert [node.text for node in page.all_at("p.red")] == ["1"]
    assert [node.text for node in page.named("div", "p")] == ["1", "2", "3", "4"]
    second = page.all_at("div.red")[0]
    assert page.node_at(second.start) is second
    assert page.node_at(second.start + 1) is None
