"""The records of a listing as fields: each card with its name, link, image, price and the rest; the next page's link.

The records of a list are the pages of a virtual group: a column is what stands in the same place in most of them. Table
rows take their names from the header row. Knows listings and outlines.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin

from nephila.document import Document
from nephila.wrappers.lists import Listing, Span, find_listing
from nephila.wrappers.outline import Outline
from nephila.wrappers.shapes import kind_of, label_key
from nephila.wrappers.tags import PICTURES
from nephila.wrappers.values import read_price, typed

_NEXT = re.compile(
    r"^(?:next|next page|older(?: posts)?|more|weiter|nächste(?: seite)?|suivant[es]?|page suivante|siguiente|"
    r"próxim[ao]|seguinte|successiv[ao]|avanti|volgende|następna|dalej|další|следующая|вперед|далее|下一页|下一頁|次へ|다음|›|»|>|>>|→)"
    r"\W*$",
    re.IGNORECASE,
)
_BY_KIND = {"price": "price", "date": "date", "phone": "telephone", "email": "email", "percent": "share"}
_MOST = 1_000


def read_listing(document: Document, outline: Outline | None = None) -> dict[str, Any]:
    """`items`, a dictionary each, and `next`, the address of the next page; empty when the page is no list."""
    outline = outline or Outline(document)
    listing = find_listing(outline)
    if listing is None:
        return {}
    headers = _headers(outline, listing)
    base = document.base_url
    items = [_card(outline, record, headers, base) for record in listing.records[:_MOST]]
    result: dict[str, Any] = {"items": [item for item in items if item]}
    if following := next_page(document, outline):
        result["next"] = following
    return result


def next_page(document: Document, outline: Outline) -> str | None:
    """By rel=next, or a link that says so."""
    if document.relations.next:
        return urljoin(document.base_url or "", document.relations.next)
    for tag in outline.tags:
        href = tag.attributes.get("href")
        if tag.name != "a" or not href or href.startswith(("#", "javascript:")):
            continue
        if "next" in tag.attributes.get("rel", "").lower().split():
            return urljoin(document.base_url or "", href)
    for unit, text in enumerate(outline.texts):
        if len(text) <= 24 and _NEXT.match(text) and (href := _link_around(outline, outline.owner[unit])):
            return urljoin(document.base_url or "", href)
    return None


def _link_around(outline: Outline, element: int) -> str | None:
    for _ in range(4):
        if element < 0:
            return None
        tag = outline.tags[element]
        href = tag.attributes.get("href")
        if tag.name == "a" and href and not href.startswith(("#", "javascript:")):
            return href
        element = outline.parent[element]
    return None


def _headers(outline: Outline, listing: Listing) -> list[str]:
    """The names of a table's columns: its <th>, when there are as many as cells."""
    if outline.tags[listing.parent].name != "table":
        return []
    first = listing.records[0].elements[0]
    names: list[str] = []
    for unit, owner in enumerate(outline.owner):
        if listing.parent <= owner < first and outline.tags[owner].name == "th" and not outline.attribute[unit]:
            names.append("_".join(label_key(outline.texts[unit]).split()))
    cells = sum(outline.parent[each] == first for each in range(first + 1, outline.end[first]))
    return names if len(names) == cells else []


def _card(outline: Outline, record: Span, headers: list[str], base: str | None) -> dict[str, Any]:
    if headers:
        return _row(outline, record, headers, base)
    card: dict[str, Any] = {}
    texts: list[str] = []
    heading = _heading(outline, record)
    for unit in record.units:
        text, kind = outline.texts[unit], outline.attribute[unit]
        if kind in PICTURES:
            card.setdefault("image", typed(text, "image", base))
        elif kind == "datetime":
            card.setdefault("date", text)
        elif not kind and unit == heading:
            card["name"] = text
        elif not kind:
            name = _BY_KIND.get(kind_of(text))
            if name is not None and name not in card:
                value = read_price(text) if name == "price" else typed(text, "date") if name == "date" else text
                card[name] = value if value is not None else text
            elif any(character.isalnum() for character in text):
                texts.append(text)
    href = _link_around(outline, outline.owner[heading]) if heading is not None else None
    href = href or _first_link(outline, record)
    if href:
        card["url"] = typed(href, "url", base)
    if texts:
        card["text"] = " ".join(texts)[:2_000]
    return {name: value for name, value in card.items() if value is not None}


def _heading(outline: Outline, record: Span) -> int | None:
    """The unit that names the record: in a heading, else the longest link of the first ones."""
    linked: list[int] = []
    for unit in record.units:
        if outline.attribute[unit]:
            continue
        above, names = outline.owner[unit], set()
        for _ in range(4):
            if above < 0:
                break
            names.add(outline.tags[above].name)
            above = outline.parent[above]
        if names & {"h1", "h2", "h3", "h4", "h5", "h6", "dt"}:
            return unit
        if "a" in names and len(outline.texts[unit]) > 2:
            linked.append(unit)
    if linked:
        return max(linked[:3], key=lambda unit: len(outline.texts[unit]))
    return next((unit for unit in record.units if not outline.attribute[unit]), None)


def _first_link(outline: Outline, record: Span) -> str | None:
    for start in record.elements:
        for element in range(start, outline.end[start]):
            href = outline.tags[element].attributes.get("href")
            if outline.tags[element].name == "a" and href and not href.startswith(("#", "javascript:")):
                return href
    return None


def _row(outline: Outline, record: Span, headers: list[str], base: str | None) -> dict[str, Any]:
    row = record.elements[0]
    cells = [each for each in range(row + 1, outline.end[row]) if outline.parent[each] == row]
    result: dict[str, Any] = {}
    for name, cell in zip(headers, cells, strict=False):
        inside = [
            outline.texts[unit]
            for unit in record.units
            if cell <= outline.owner[unit] < outline.end[cell] and not outline.attribute[unit]
        ]
        if inside and name:
            result[name] = " ".join(inside)
    if href := _first_link(outline, record):
        result["url"] = typed(href, "url", base)
    return result
