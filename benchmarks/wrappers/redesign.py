"""A simulated redesign of a site: the same change to all its pages.

Classes and ids are renamed, blocks inserted, elements wrapped in further ones, labels reworded; which ones is decided
by what they are called, so that all pages of the site change alike. The values stay.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from lxml import html as lxml_html

_WORDS = ("cell", "panel", "unit", "part", "view", "slot", "area", "wrap", "node", "line")


@dataclass(frozen=True)
class Level:
    renamed: float
    """Share of the classes and ids that get another name."""
    wrapped: float
    """Share of the kinds of block elements that get a <div> around them."""
    blocks: int
    """Blocks inserted somewhere on the page."""
    reworded: float
    """Share of the labels that get another wording."""


LEVELS = {"none": Level(0, 0, 0, 0), "light": Level(0.2, 0.02, 1, 0.0), "medium": Level(0.5, 0.05, 3, 0.15)}


class Redesign:
    """Learns what the site's pages have in common, then changes every page alike."""

    def __init__(self, pages: list[str], level: str, seed: int) -> None:
        self._level, self._seed = LEVELS[level], seed
        texts: Counter[str] = Counter()
        for page in pages:
            root = lxml_html.fromstring(page)
            texts.update({text for text in (" ".join(t.split()) for t in root.itertext()) if 2 < len(text) < 40})
        self._labels = {text for text, count in texts.items() if count >= 0.6 * len(pages)}

    def _draw(self, *what: str) -> random.Random:
        return random.Random(f"{self._seed}/{'/'.join(what)}")

    def apply(self, page: str) -> str:
        root = lxml_html.fromstring(page)
        level = self._level
        blocks = [each for each in root.iter("div", "table", "p", "ul", "h1", "h2") if each.getparent() is not None]
        for element in list(root.iter()):
            if not isinstance(element.tag, str):
                continue
            self._rename(element, level.renamed)
            if level.reworded:
                self._reword(element, level.reworded)
        for element in blocks:
            kind = f"{element.tag}.{element.get('class') or element.get('id') or ''}"
            if self._draw("wrap", kind).random() < level.wrapped:
                self._wrap(element)
        for number in range(level.blocks):
            self._insert(root, number)
        return lxml_html.tostring(root, encoding="unicode")

    def _rename(self, element, share: float) -> None:
        for attribute in ("class", "id"):
            value = element.get(attribute)
            if value:
                element.set(attribute, " ".join(self._renamed(token, share) for token in value.split()))

    def _renamed(self, token: str, share: float) -> str:
        draw = self._draw("name", token)
        return (
            f"{draw.choice(_WORDS)}-{draw.randint(10, 99)}{draw.choice('abcdef')}" if draw.random() < share else token
        )

    def _reword(self, element, share: float) -> None:
        for part in ("text", "tail"):
            text = getattr(element, part)
            if text and (key := " ".join(text.split())) in self._labels:
                draw = self._draw("label", key)
                if draw.random() < share:
                    setattr(element, part, f" The {key.rstrip(':').lower()} ")

    def _wrap(self, element) -> None:
        parent = element.getparent()
        place = parent.index(element)
        around = lxml_html.Element("div")
        around.tail, element.tail = element.tail, None
        parent.insert(place, around)
        around.append(element)

    def _insert(self, root, number: int) -> None:
        places = list(root.iter("div", "td", "body"))
        if not places:
            return
        draw = self._draw("block", str(number))
        place = places[int(draw.random() * len(places) * 0.5)]
        block = lxml_html.fromstring(f"<div class='notice-{number}x'><p>New on our pages, number {number}</p></div>")
        place.insert(0, block)
