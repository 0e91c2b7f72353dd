"""What pages say of themselves: JSON-LD, microdata, RDFa, OpenGraph; one that is broken loses nothing of the others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.document import metadata, parse
from nephila.wrappers.structured import structured_facts, typed_facts

BASE = "https://shop.example/p/1"
OPEN_GRAPH = """<meta property="og:type" content="product"><meta property="og:title" content="Brass Lamp">
<meta property="og:image" content="/i/lamp.jpg"><meta property="product:price:amount" content="49.90">
<meta property="product:price:currency" content="EUR"><meta property="product:brand" content="Lumen">
<meta property="product:retailer_item_id" content="L-77">"""
RDFA = """<div vocab="https://schema.org/" typeof="Product"><span property="name">Brass Lamp</span>
<div property="offers" typeof="Offer"><span property="price" content="49.90">49,90</span></div>
<span property="brand">Lumen</span></div>"""
MICRODATA = """<div itemscope itemtype="https://schema.org/Book"><h1 itemprop="name">Tides</h1>
<span itemprop="author">Ada Field</span><span itemprop="isbn">9780306406157</span></div>"""


def said(html: str) -> dict[str, object]:
    document = parse(html, BASE)
    return typed_facts(*structured_facts(document), document.base_url)


def test_open_graph_names_a_product() -> None:
    assert said(f"<head>{OPEN_GRAPH}</head><body><p>x</p></body>") == {
        "name": "Brass Lamp",
        "image": "https://shop.example/i/lamp.jpg",
        "price": {"amount": 49.9, "currency": "EUR"},
        "brand": "Lumen",
        "sku": "L-77",
    }


def test_open_graph_of_an_article_is_not_a_record() -> None:
    html = '<head><meta property="og:type" content="article"><meta property="og:title" content="News"></head>'
    assert structured_facts(parse(html, BASE)) == (None, {})


def test_rdfa_and_microdata_name_their_things() -> None:
    lamp = said(f"<body>{RDFA}</body>")
    assert (lamp["name"], lamp["brand"]) == ("Brass Lamp", "Lumen")
    assert lamp["price"]["amount"] == 49.9  # type: ignore[index]
    book = said(f"<body>{MICRODATA}</body>")
    assert (book["name"], book["author"], book["isbn"]) == ("Tides", "Ada Field", "9780306406157")


def test_open_graph_fills_in_what_json_ld_leaves_out() -> None:
    script = '<script type="application/ld+json">{"@type": "Product", "name": "Brass Lamp, small"}</script>'
    values = said(f"<head>{script}{OPEN_GRAPH}</head>")
    assert values["name"] == "Brass Lamp, small"
    assert values["sku"] == "L-77"


BROKEN = (
    '{"@type": "Product", "name": "Brass Lamp"',
    '{"@type": "Product", "name": "say "no" to it"}',
    '{"@type": "Product",}',
    "[[[[",
    "\x00{",
    "{}{}",
    '<!-- {"@type": 1} -->',
    "null",
    '{"@graph": {"@type": ["Product", 3], "offers": [[]], "aggregateRating": "x", "recipeInstructions": {"a": {}}}}',
)


def test_broken_json_ld_loses_neither_the_other_script_nor_the_rest_of_the_page() -> None:
    good = '<script type="application/ld+json">{"@type": "Product", "name": "Brass Lamp", "sku": "L-77"}</script>'
    for broken in BROKEN:
        script = f'<script type="application/ld+json">{broken}</script>'
        assert said(f"<head>{script}{good}</head><body></body>")["sku"] == "L-77", broken
        assert said(f"<head>{script}</head><body>{MICRODATA}</body>")["isbn"] == "9780306406157", broken
        assert said(f"<head>{script}{OPEN_GRAPH}</head>")["brand"] == "Lumen", broken


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["@type", "@graph", "name", "offers", "price", "aggregateRating", "recipeInstructions", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_JSON, st.sampled_from(["Product", "Recipe", "Book"]))
@settings(deadline=None)
def test_any_json_gives_facts_or_nothing(value: object, kind: str) -> None:
    import json

    written = json.dumps({"@type": kind, "offers": value, "name": value, "recipeInstructions": value, "x": value})
    said(f'<script type="application/ld+json">{written.replace("<", " ")}</script>')


def test_what_the_page_tells_machines_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    document = parse(
        '<script type="application/ld+json">{"@type": "Product", "name": "Teapot", "sku": "T-1"}</script>'
        '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Teapot</b></div>'
    )
    assert document.metadata.json_ld
    for name in ("read_json_ld", "read_microdata", "read_rdfa"):
        monkeypatch.setattr(metadata, name, None)
    kind, facts = structured_facts(document)
    assert (kind, facts["sku"]) == ("Product", ["T-1"])
