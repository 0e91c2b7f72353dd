"""Where in a site's addresses a word is a name: `/r/kettles/`, `/list?board=harbour`, `/comments/1f0x/`.

A word in an address belongs to the template unless many links at one place of a page differ in it alone. Knows links
and rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from urllib.parse import urlsplit

from nephila.forum.address import Address, read_address
from nephila.forum.outline import Anchor, rows_of
from nephila.forum.records import Page

_MANY = 5
"""Words at one place that are names, whatever stands beside them."""
_FEW = 3
"""The same where each stands in a row that tells a date or a count: a menu does not."""
_TWO = 2
"""The same where they end their addresses besides: `/r/kettles/`, `/r/lamps/`."""


def learn_wild(wild: frozenset[str], page: Page, url: str, anchors: list[Anchor]) -> frozenset[str]:
    places: dict[tuple[str, str, str], dict[str, list[Anchor]]] = defaultdict(lambda: defaultdict(list))
    shapes: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for anchor in anchors:
        for head, shape, word, rest in _words(anchor):
            places[head, rest, anchor.place][word].append(anchor)
            shapes[head, rest, anchor.place].add(shape)
    found = {
        place[0]
        for place, words in places.items()
        if place[0] not in wild and _are_names(page, place[0], words, shapes[place])
    }
    found |= _worded(anchors) - wild
    found |= _parted({url: read_address(url, wild), **{a.url: a.address for a in anchors}}) - wild
    return wild | found if found else wild


def _worded(anchors: list[Anchor]) -> set[str]:
    """Where all names at one place begin with one word, and those at another with another: `/Thread-some-title`,
    `/User-somebody`."""
    places: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for anchor in anchors:
        head, _, shape = anchor.address.path.rpartition("/")
        name = urlsplit(anchor.url).path.rpartition("/")[2]
        word, dash, rest = name.partition("-")
        if shape.startswith("{*}"):
            places[head, anchor.place][word if dash and word.isalpha() else ""].add(rest)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for (head, _), words in places.items():
        word, rests = next(iter(words.items()))
        if len(words) == 1 and word and len(rests) >= _TWO:
            found[head][word] = max(found[head][word], len(rests))
    return {
        f"{head}/{word}-"
        for head, words in found.items()
        if len(words) >= _TWO and max(words.values()) >= _FEW
        for word in words
    }


def _parted(addresses: dict[str, Address]) -> set[str]:
    """Where addresses are others with a number behind them, which have a number themselves: `/topic/12-title/2`."""
    bases = {url.partition("?")[0].rstrip("/"): address.path.rstrip("/") for url, address in addresses.items()}
    found = set()
    for url in list(bases):
        base, _, last = url.rpartition("/")
        pattern = bases.get(base)
        if last.isdigit() and pattern is not None and "{#}" in pattern.rpartition("/")[2] and pattern[-3:] != "/{#}":
            found.add(f"{pattern.rpartition('/')[0]}/#")
    return found


def _are_names(page: Page, head: str, words: dict[str, list[Anchor]], shapes: set[str]) -> bool:
    if len(words) < _FEW and "{*}" not in shapes:
        words = {word: ending for word, anchors in words.items() if (ending := _ending(word, anchors))}
    if len(words) < _TWO or len(shapes) < 2 or head == "/":
        return False
    if len(words) >= _MANY and "?" not in head and not any("{" in shape for shape in shapes):
        return True
    rows = rows_of(page, [anchors[0] for anchors in words.values()])
    return all(row.facts for row in rows)


def _ending(word: str, anchors: list[Anchor]) -> list[Anchor]:
    """The links whose addresses end with the word."""
    return [anchor for anchor in anchors if anchor.url.rstrip("/").endswith(word)]


def _words(anchor: Anchor) -> list[tuple[str, str, str, str]]:
    """What stands before each word of an address in its pattern, what the pattern makes of it, the word, and what
    follows it there: `/forum/{*}/` and `/topic/{*}-{#}/` begin with words of the template."""
    parts = urlsplit(anchor.url)
    path, _, query = anchor.address.pattern.partition("?")
    found = []
    head = "/"
    steps = path.split("/")[1:]
    for turn, (shape, word) in enumerate(zip(steps, parts.path.split("/")[1:], strict=False), 1):
        if word and not word.isdigit() and "." not in word and not shape.startswith("{#}"):
            found.append((head, shape, word, "/".join(steps[turn:])))
        head += f"{shape}/"
    for parameter in query.split("&") if query else ():
        name, equals, value = parameter.partition("=")
        if equals and value and "{" not in value:
            found.append((f"{path}?{name}=", value, value, ""))
    return found
