"""The shop's pages agree with its gold."""

from __future__ import annotations

import json
from collections import Counter

from selectolax.lexbor import LexborHTMLParser

from tests.sites import Served, serve, shop
from tests.sites.client import ask, words

GOLD = shop.gold()


def tree_of(url: str) -> LexborHTMLParser:
    reply = ask(url, patience=10)
    assert reply.status == 200
    return LexborHTMLParser(reply.body)


def test_eighty_products_in_two_templates_half_of_them_structured() -> None:
    assert Counter(product.template for product in GOLD.values()) == {"plain": 65, "bundle": 15}
    assert 35 <= sum(product.structured for product in GOLD.values()) <= 45
    assert len({product.name for product in GOLD.values()}) == len(GOLD)


def test_product_pages_say_what_the_gold_says(served: Served) -> None:
    for url, product in shop.gold(served["shop"]).items():
        tree = tree_of(url)
        text = words(tree.body.text(separator=" ")) if tree.body else ""
        facts = [product.name, product.brand, product.sku, f"€{product.price}", product.rating, product.availability]
        assert not [fact for fact in [*facts, *product.description, *product.specs.values()] if fact not in text], url
        script = tree.css_first('script[type="application/ld+json"]')
        assert (script is not None) == product.structured
        if script is not None:
            data = json.loads(script.text())
            assert (data["sku"], data["offers"]["price"]) == (product.sku, product.price)


def test_every_product_is_on_the_unfiltered_lists(served: Served) -> None:
    found = set()
    for category in {product.category_slug for product in GOLD.values()}:
        for number in (1, 2, 3):
            tree = tree_of(f"{served['shop']}c/{category}/?page={number}")
            found |= {str(node.attributes["href"]) for node in tree.css(".card h3 a")}
    assert found == set(GOLD)


def test_filters_multiply_the_addresses_of_one_list(served: Served) -> None:
    tree = tree_of(f"{served['shop']}c/lamps/?sort=name&brand=Oakum")
    links = {str(node.attributes["href"]) for node in tree.css(".facets a")}
    assert len([link for link in links if "sort=" in link and "brand=" in link]) >= 12


def test_the_redesign_changes_the_markup_but_not_the_facts() -> None:
    with serve("shop") as served:
        url, product = next((u, p) for u, p in shop.gold(served["shop"]).items() if p.template == "plain")
        assert ask(f"{served['shop']}_control/redesign?after=1", method="POST", patience=10).status == 200
        before, after = tree_of(url), tree_of(url)
    assert before.css_first("table.specs")
    assert not after.css_first("table.specs")
    for tree in (before, after):
        assert tree.body is not None
        text = tree.body.text()
        assert all(fact in text for fact in (product.name, product.price, product.sku, product.brand))
