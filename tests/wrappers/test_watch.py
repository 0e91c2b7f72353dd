"""What the watch over rules takes for a break, and what for a series of pages of another sort."""

from __future__ import annotations

import re

import pytest

from nephila.document import parse
from nephila.wrappers.learn import Lesson, learn
from nephila.wrappers.outline import Outline
from nephila.wrappers.template import Template
from nephila.wrappers.watch import WINDOW, Watch
from tests.wrappers.pages import Album, albums, page, redesigned

ALBUMS = albums(24)
SAMPLE, LATER = ALBUMS[:14], ALBUMS[14:]


def outline(html: str) -> Outline:
    return Outline(parse(html, "https://groove.example/p/1"))


def with_weight(album: Album) -> str:
    row = f'<p class="weight"><b>Weight:</b> <span>{sum(map(ord, album.sku))} g</span></p>'
    return page(album).replace("<table", f"{row}<table", 1)


@pytest.fixture(scope="module")
def template() -> Template:
    pages = [page(album) if number % 4 == 3 else with_weight(album) for number, album in enumerate(SAMPLE)]
    return learn([Lesson(outline(html)) for html in pages], "groove.example", "t-1")


def troubles(template: Template, pages: list[str]) -> dict[str, str]:
    assert len(pages) >= WINDOW
    watch = Watch(template)
    trouble: dict[str, str] = {}
    for html in pages:
        trouble |= watch.see(template.read(outline(html)))
    return trouble


def test_a_field_that_some_pages_never_had_is_not_missed_in_a_series_of_them(template: Template) -> None:
    (optional,) = [each.name for each in template.fields if each.coverage < 1]
    assert optional == "weight"
    assert not troubles(template, [page(album) for album in LATER])


def test_one_that_all_pages_had_is(template: Template) -> None:
    without = [re.sub("<tr><th>SKU</th>.*?</tr>", "", with_weight(album)) for album in LATER]
    assert "sku" in troubles(template, without)


def test_a_redesign_is_noticed_by_such_a_field_too(template: Template) -> None:
    assert "weight" in troubles(template, [redesigned(album) for album in ALBUMS])


def test_a_redesign_loses_values_and_a_few_rules_that_vote_apart_do_not(template: Template) -> None:
    watch = Watch(template)
    for album in LATER:
        watch.see(template.read(outline(with_weight(album))))
    assert not watch.is_break({"sku", "price"})
    for album in ALBUMS:
        trouble = watch.see(template.read(outline(redesigned(album))))
    assert watch.is_break(trouble)
