"""Where in a site's addresses a word is a name: `/r/kettles/`, `/list?board=harbour`, `/comments/1f0x/`.

A word in an address belongs to the template unless many links at one place of a page differ in it alone. Knows links
and rows.
"""

from __future__ import annotations

from collections import defaultdict
from urllib.parse import urlsplit

from nephila.forum.outline import Anchor, rows_of
from nephila.forum.records import Page

_MANY = 5
"""Words at one place that are names, whatever stands beside them."""
_FEW = 3
"""The same where each stands in a row that tells a date or a count: a menu does not."""


def learn_wild(wild: frozenset[str], page: Page, anchors: list[Anchor]) -> frozenset[str]:
    places: dict[tuple[str, str], dict[str, list[Anchor]]] = defaultdict(lambda: defaultdict(list))
    shapes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for anchor in anchors:
        for head, shape, word in _words(anchor):
            places[head, anchor.place][word].append(anchor)
            shapes[head, anchor.place].add(shape)
    found = {
        head
        for (head, place), words in places.items()
        if head not in wild and _are_names(page, head, words, shapes[head, place])
    }
    return wild | found if found else wild


def _are_names(page: Page, head: str, words: dict[str, list[Anchor]], shapes: set[str]) -> bool:
    if len(words) < _FEW or len(shapes) < 2 or head == "/":
        return False
    if len(words) >= _MANY and "?" not in head and not any("{" in shape for shape in shapes):
        return True
    rows = rows_of(page, [anchors[0] for anchors in words.values()])
    return all(row.facts for row in rows)


def _words(anchor: Anchor) -> list[tuple[str, str, str]]:
    """What stands before each word of an address in its pattern, what the pattern makes of it, and the word."""
    parts = urlsplit(anchor.url)
    path, _, query = anchor.address.pattern.partition("?")
    found = []
    head = "/"
    for shape, word in zip(path.split("/")[1:], parts.path.split("/")[1:], strict=False):
        if word and not word.isdigit() and "." not in word and not shape.startswith("{#}"):
            found.append((head, shape, word))
        head += f"{shape}/"
    for parameter in query.split("&") if query else ():
        name, equals, value = parameter.partition("=")
        if equals and value and "{" not in value:
            found.append((f"{path}?{name}=", value, value))
    return found
