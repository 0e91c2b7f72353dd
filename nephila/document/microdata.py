"""Microdata and RDFa Lite, flattened: one dictionary an item. Knows both notations, nothing of the vocabularies."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from nephila.document.limits import Limits
from nephila.document.selector import select

Item = dict[str, list[str]]
"""Property -> values; `@type` -> the types without their vocabulary."""

_NAMED = frozenset(("Person", "Organization", "NewsMediaOrganization"))
"""Items whose name is what is meant where they are a property: all else that they say is about them."""
_MOST_PROPERTIES = 2_000
_LONGEST_VALUE = 10_000
_VALUE_ATTRIBUTES = {
    "meta": ("content",),
    "link": ("href",),
    "a": ("href",),
    "area": ("href",),
    "img": ("src",),
    "audio": ("src",),
    "video": ("src",),
    "source": ("src",),
    "iframe": ("src",),
    "object": ("data",),
    "data": ("value",),
    "meter": ("value",),
    "time": ("datetime",),
}


def read_microdata(tree: LexborHTMLParser, limits: Limits) -> list[Item]:
    return _read(tree, limits, "[itemscope]", "itemtype", "itemprop")


def read_rdfa(tree: LexborHTMLParser, limits: Limits) -> list[Item]:
    return _read(tree, limits, "[typeof]", "typeof", "property")


def _read(tree: LexborHTMLParser, limits: Limits, scope: str, type_name: str, property_name: str) -> list[Item]:
    """A property belongs to the closest item above it; one that is an item itself names that item's properties too."""
    owners: dict[int, Item] = {}
    for node in select(tree, scope)[:_MOST_PROPERTIES]:
        names = (node.attributes.get(type_name) or "").split()
        owners[node.mem_id] = {"@type": [name.rpartition("/")[2].rpartition(":")[2] for name in names]}
    if not owners:
        return []
    found = list(owners.values())
    people: list[tuple[list[str], int, Item]] = []
    left = limits.max_metadata_bytes
    for node in select(tree, f"[{property_name}]")[:_MOST_PROPERTIES]:
        owner = _owner(node, owners)
        if owner is None or left < 0:
            continue
        attributes = node.attributes
        value, read = _value(node, attributes)
        left -= read
        inner = owners.get(node.mem_id)
        for name in (attributes.get(property_name) or "").split() if value else ():
            values = owner.setdefault(name.rpartition("/")[2].rpartition(":")[2], [])
            if inner is not None and _NAMED.intersection(inner["@type"]):
                people.append((values, len(values), inner))
            values.append(value)
    # Only now are the properties of all items read.
    for values, place, inner in people:
        values[place] = inner.get("name", values[place:])[0]
    return found


def _owner(node: LexborNode, owners: dict[int, Item], most_steps: int = 256) -> Item | None:
    parent = node.parent
    for _ in range(most_steps):
        if parent is None:
            return None
        owner = owners.get(parent.mem_id)
        if owner is not None:
            return owner
        parent = parent.parent
    return None


def _value(node: LexborNode, attributes: dict[str, str | None]) -> tuple[str, int]:
    """The value of a property, and how much was read for it: the text of nested ones is read again for each."""
    for name in ("content", *_VALUE_ATTRIBUTES.get(node.tag or "", ())):
        value = attributes.get(name)
        if value:
            return value.strip(), len(value)
    text = node.text(separator=" ")
    return " ".join(text[:_LONGEST_VALUE].split()), len(text)
