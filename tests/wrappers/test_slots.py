"""Slots, rules and their XPath: what varies is found, and other tools find the same by the exported expressions."""

from __future__ import annotations

from lxml import html as lxml_html

from nephila.document import parse
from nephila.wrappers.learn import Lesson, induce, rules_of
from nephila.wrappers.outline import Outline
from nephila.wrappers.rules import Finder, Rule
from nephila.wrappers.selectors import css, quote, xpath
from tests.wrappers.pages import albums, page

ALBUMS = albums(16)


def outlines() -> list[Outline]:
    return [Outline(parse(page(album, promotion=number % 3 == 0))) for number, album in enumerate(ALBUMS)]


def test_every_value_is_in_a_slot_and_no_furniture_is() -> None:
    found = induce([Lesson(each) for each in outlines()], most=16)
    values = [set(evidence.values) for evidence in found.evidence if evidence.head < 0.5]
    for name in ("name", "artist", "label", "released", "sku"):
        wanted = {getattr(album, name) for album in ALBUMS}
        assert any(wanted == each for each in values), name
    for evidence in found.evidence:
        assert evidence.values.count("All prices include tax.") < 0.7 * len(evidence.values)
        assert evidence.values.count("Label") < 0.7 * len(evidence.values)


def test_a_slot_has_rules_of_several_families() -> None:
    found = induce([Lesson(each) for each in outlines()], most=16)
    for slot, evidence in zip(found.slots, found.evidence, strict=True):
        if set(evidence.values) == {album.sku for album in ALBUMS}:
            assert {"label", "class", "path"} <= {rule.family for rule in rules_of(found.sample, slot)}
            break
    else:
        raise AssertionError("no slot of the SKU")


def test_rules_survive_their_words() -> None:
    sample = outlines()
    found = induce([Lesson(each) for each in sample], most=16)
    for slot in found.slots[:40]:
        rules = rules_of(found.sample, slot)
        again = [Rule.from_dict(rule.to_dict()) for rule in rules]
        for outline in sample[:4]:
            assert Finder(again).find(outline) == Finder(rules).find(outline)


def test_the_exported_xpath_finds_the_same_in_another_parser() -> None:
    pages = [page(album, promotion=number % 3 == 0) for number, album in enumerate(ALBUMS)]
    sample = [Outline(parse(each)) for each in pages]
    trees = [lxml_html.fromstring(each) for each in pages]  # libxml2 makes no <tbody>
    found = induce([Lesson(each) for each in sample], most=16)
    checked = 0
    for slot, evidence in zip(found.slots, found.evidence, strict=True):
        if evidence.head >= 0.5:
            continue
        for rule in rules_of(found.sample, slot):
            for outline, tree in zip(sample[:5], trees[:5], strict=True):
                unit = Finder([rule]).find(outline)[0]
                nodes = tree.xpath(xpath(rule))
                other = " ".join(str(nodes[0]).split()) if nodes else None
                if unit >= 0:
                    assert other == outline.texts[unit], xpath(rule)
                    checked += 1
    assert checked > 200


def test_css_names_the_element_where_it_can() -> None:
    assert css(Rule("class", (("div", "buy"), "span"), "", 1)) == "div.buy > span:not([class])"
    assert (
        css(Rule("id", ("main", "table", "tr", "td"), "", 2)) == "#main > table:not([id]) tr:not([id]) > td:not([id])"
    )
    assert css(Rule("label", ("Price", "tr/td"), "", 1)) is None


def test_quotes_in_xpath() -> None:
    for text in ("plain", "it's", 'say "x"', """both ' and " here"""):
        tree = lxml_html.fromstring("<p>x</p>")
        assert tree.xpath(f"string({quote(text)})") == text
