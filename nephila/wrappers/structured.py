"""What a page says of itself in machine-readable form -> fields by schema.org's names. Knows documents.

JSON-LD first, then microdata and RDFa, then OpenGraph's product tags. A script that is broken beyond repair loses
itself only. Articles, breadcrumbs and the like are the content room's.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from nephila.document import Document, attributes_of
from nephila.document.jsonld import items, types
from nephila.document.markup import NAMED
from nephila.native import find
from nephila.wrappers.lexicon import known_field, schema_types
from nephila.wrappers.steps import cut_steps, plain, without_numbers
from nephila.wrappers.values import typed

_META = next(place for place, tag in enumerate(NAMED) if tag.name == "meta")
Facts = dict[str, list[str]]
"""Field -> values as written."""

_IGNORED = frozenset(
    {
        "WebSite",
        "WebPage",
        "Organization",
        "BreadcrumbList",
        "ListItem",
        "SearchAction",
        "ImageObject",
        "Person",
        "ItemList",
        "Article",
        "NewsArticle",
        "BlogPosting",
        "Review",
        "AggregateRating",
        "Offer",
        "Rating",
        "ReadAction",
        "FAQPage",
        "Question",
        "Answer",
        "HowToStep",
        "HowToSection",
        "NutritionInformation",
        "VideoObject",
        "SiteNavigationElement",
    }
)
_PLAIN = {
    "manufacturer": "brand",
    "isbn13": "isbn",
    "gtin13": "gtin",
    "gtin12": "gtin",
    "gtin14": "gtin",
    "gtin8": "gtin",
    "productID": "sku",
    "ingredients": "recipeIngredient",
    "headline": "name",
    "yield": "recipeYield",
    "releaseDate": "dateReleased",
}
_OPEN_GRAPH_TYPES = {
    "product": "Product",
    "og:product": "Product",
    "product.item": "Product",
    "book": "Book",
    "books.book": "Book",
    "video.movie": "Movie",
}
_OPEN_GRAPH = {
    "title": "name",
    "image": "image",
    "description": "description",
    "brand": "brand",
    "availability": "availability",
    "retailer_item_id": "sku",
    "isbn": "isbn",
    "author": "author",
    "release_date": "datePublished",
    "director": "director",
}
_MOST = 400


def structured_facts(document: Document) -> tuple[str | None, Facts]:
    """The type of the main thing of the page, and what is said of it."""
    best: tuple[str | None, Facts] = (None, {})
    told = document.metadata
    for item in items(told.json_ld):
        name = next((each for each in types(item) if each not in _IGNORED), None)
        if name is not None:
            best = _better(best, (name, _facts(item)))
    if told.microdata:
        best = _better(best, _of_items(told.microdata))
    if told.rdfa:
        best = _better(best, _of_items(told.rdfa))
    html = document.layout.markup.html
    if b"og:" in html or find(html, b"product:") >= 0:
        best = _filled(best, _open_graph(document))
    return best


def _filled(first: tuple[str | None, Facts], second: tuple[str | None, Facts]) -> tuple[str | None, Facts]:
    """What the second says of the same thing, where the first says nothing."""
    if not first[1]:
        return second
    return (first[0], second[1] | first[1]) if second[0] == first[0] else first


def _open_graph(document: Document) -> tuple[str | None, Facts]:
    """Products, books and films; the pages of all other types are what the content room reads."""
    said: dict[str, list[str]] = {}
    markup = document.layout.markup
    # By the tags that are cut already: a selector goes through all elements of the page.
    tags = (attributes_of(markup.source(i)) for i in np.flatnonzero(markup.tag == _META).tolist())
    for attributes in islice((each for each in tags if "property" in each and "content" in each), _MOST):
        value = " ".join(attributes["content"].split())
        if value:
            said.setdefault(attributes["property"].strip().lower(), []).append(value)
    kind = _OPEN_GRAPH_TYPES.get(said.get("og:type", [""])[0].lower())
    if kind is None and "product:price:amount" in said:
        kind = "Product"
    if kind is None:
        return None, {}
    facts: Facts = {}
    for name, values in said.items():
        prefix, _, rest = name.partition(":")
        if prefix in ("og", "product", "book", "video") and rest in _OPEN_GRAPH:
            field = "dateReleased" if name == "video:release_date" else _OPEN_GRAPH[rest]
            # People are often given as addresses of their profiles.
            values = [value for value in values if field == "image" or "://" not in value]
            if values:
                facts.setdefault(field, values)
    amount = said.get("product:price:amount") or said.get("og:price:amount")
    if amount:
        currency = said.get("product:price:currency") or said.get("og:price:currency") or [""]
        facts["price"] = [f"{amount[0]} {currency[0]}".strip()]
    return kind, facts


def _better(first: tuple[str | None, Facts], second: tuple[str | None, Facts]) -> tuple[str | None, Facts]:
    """The one of a known type; of two, the one that says more."""
    known = schema_types()
    return max(first, second, key=lambda each: (bool(each[1]), each[0] in known, len(each[1])))


def _of_items(found: list[dict[str, list[str]]]) -> tuple[str | None, Facts]:
    best: tuple[str | None, Facts] = (None, {})
    for place, item in enumerate(found):
        name = next((each for each in item.get("@type", []) if each not in _IGNORED), None)
        if name is None:
            continue
        facts: Facts = {}
        # What is nested (offers, ratings) comes as items of their own, behind the one that holds them.
        for part in found[place : place + 4]:
            for key, values in part.items():
                if key != "@type":
                    facts.setdefault(_name(key), values[:_MOST])
        best = _better(best, (name, facts))
    return best


def _name(key: str) -> str:
    return {"ratingValue": "rating", "ratingCount": "reviewCount"}.get(key, _PLAIN.get(key, key))


def _facts(item: dict[str, Any]) -> Facts:
    facts: Facts = {}
    for key, value in item.items():
        if key.startswith("@"):
            continue
        name = _name(key)
        if key == "offers":
            _offer(facts, value)
        elif key == "aggregateRating" and isinstance(value, dict):
            _take(facts, "rating", value.get("ratingValue"))
            _take(facts, "reviewCount", value.get("reviewCount") or value.get("ratingCount"))
        elif key == "recipeInstructions":
            facts[name] = without_numbers(_steps(value))
        elif key not in ("review", "nutrition", "video", "publisher") or name == "publisher":
            _take(facts, name, value)
    return {name: values for name, values in facts.items() if values}


def _offer(facts: Facts, value: Any) -> None:
    offer = value[0] if isinstance(value, list) and value else value
    if isinstance(offer, dict):
        inner = offer.get("priceSpecification")
        inner = inner[0] if isinstance(inner, list) and inner else inner
        price = offer.get("price") or offer.get("lowPrice") or (inner.get("price") if isinstance(inner, dict) else None)
        currency = offer.get("priceCurrency") or (inner.get("priceCurrency") if isinstance(inner, dict) else "")
        if price not in (None, ""):
            facts["price"] = [f"{price} {currency or ''}".strip()]
        _take(facts, "availability", str(offer.get("availability") or "").rpartition("/")[2] or None)


def _take(facts: Facts, name: str, value: Any) -> None:
    values = [text for each in (value if isinstance(value, list) else [value]) if (text := _text(each))]
    if values:
        facts.setdefault(name, values[:_MOST])


def _text(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("name") or value.get("@value") or value.get("value") or value.get("url") or value.get("@id")
    if isinstance(value, bool) or value is None or isinstance(value, (dict, list)):
        return ""
    return " ".join(plain(str(value)).split())


def _steps(value: Any, depth: int = 0) -> list[str]:
    if depth > 6:
        return []
    if isinstance(value, list):
        return [step for each in value for step in _steps(each, depth + 1)][:_MOST]
    if isinstance(value, dict):
        if inner := value.get("itemListElement"):
            return _steps(inner, depth + 1)
        text = value.get("text") or value.get("name") or ""
        step = " ".join(plain(text).split()) if isinstance(text, str) else ""
        return [step] if step else []
    return cut_steps(value) if isinstance(value, str) and value.strip() else []


def typed_facts(kind: str | None, facts: Facts, base: str | None) -> dict[str, Any]:
    """Typed values of the fields that are known by name (of the type, where the type is known)."""
    allowed = schema_types().get(kind or "")
    result: dict[str, Any] = {}
    for name, values in facts.items():
        if allowed is not None and name not in allowed:
            continue
        known = known_field(name)
        if not known.kinds:
            continue
        read = [value for text in values if (value := typed(text, known.type, base)) is not None]
        if read:
            result[name] = read if known.many and (len(read) > 1 or known.name.startswith("recipe")) else read[0]
    return result
